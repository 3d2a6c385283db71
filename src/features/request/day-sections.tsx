import { useLingui } from '@lingui/react/macro'
import type { VirtualItem } from '@tanstack/react-virtual'
import type { VisitList } from '#data/visits.ts'
import type { RequestRow } from '#data/request-rows.ts'
import { useCallback } from 'react'
import { addDays, dayText } from '#lib/tokyo-time.ts'
import { DayHead, DayList } from '#ui/day.tsx'
import { rowEdge } from '#ui/visit-row.tsx'
import type { Day } from './days.ts'
import { VisitItem, type Picking } from './visit-item.tsx'

/** What the virtualizer counts: the head of a day, then its rows. */
export type Entry = { kind: 'head'; key: string } | { kind: 'row'; key: string }

/** @param limit no more than these */
export function flatten(days: readonly Day[], limit: number): Entry[] {
  const entries: Entry[] = []
  for (const { date, rows } of days) {
    const room = limit - entries.length
    if (room <= 0) break
    entries.push({ kind: 'head', key: date })
    for (const { key } of rows.slice(0, room - 1)) entries.push({ kind: 'row', key })
  }
  return entries
}

export interface SectionProps {
  days: readonly Day[]
  list: Pick<VisitList, 'visitOf' | 'isLeft'>
  today: string
  /** `requestId_workingDate` of the visit in the view pane; the day may be left out. */
  currentKey: string | undefined
  picking: Picking | null
  entries: readonly Entry[]
  virtual: Rows
}

/** The virtualizer, whatever scrolls. */
interface Rows {
  getVirtualItems(): VirtualItem[]
  measurementsCache: VirtualItem[]
  measureElement: (row: Element | null) => void
  resizeItem(index: number, px: number): void
}

export function DaySections({ days, entries, ...props }: SectionProps) {
  let at = 0
  return days.map((day) => {
    const first = at + 1
    at = first + day.rows.length
    const end = Math.min(at, entries.length)
    return end >= first && <DaySection key={day.date} day={day} first={first} end={end} {...props} />
  })
}

type DaySectionProps = Omit<SectionProps, 'days' | 'entries'> & {
  day: Day
  /** The place of the day's first row among all entries. */
  first: number
  /** The place after its last one. */
  end: number
}

function DaySection({ day, list, first, end, today, currentKey, picking, virtual }: DaySectionProps) {
  const { t } = useLingui()
  const { date, rows } = day
  const total = rows.length
  const isToday = date === today
  // how many one has left, of today only
  const done = isToday ? rows.filter(list.isLeft).length : 0
  const shown = virtual.getVirtualItems().filter(({ index }) => index >= first && index < end)
  const sizes = virtual.measurementsCache
  const top = sizes[first]?.start ?? 0
  const bottom = sizes[end - 1]?.end ?? top
  // the head sticks within its section, so nothing may stand between the two; asked again at each frame of a scroll, its
  // height would force a layout
  const measureHead = useCallback(
    (section: HTMLElement | null) => {
      const head = section?.firstElementChild
      if (head instanceof HTMLElement) virtual.resizeItem(first - 1, head.offsetHeight)
    },
    [virtual, first],
  )
  return (
    <section ref={measureHead}>
      <DayHead
        date={dayText(date, today)}
        near={isToday ? t`今日` : date === addDays(today, -1) ? t`昨日` : undefined}
        today={isToday}
        right={isToday ? t`完了 ${done} / ${total}件` : t`${total}件`}
      />
      <DayList>
        <Spacer px={(shown[0]?.start ?? bottom) - top} />
        {shown.map(({ index, key }) => {
          const row = rows[index - first]
          return (
            row && (
              <li
                key={key}
                ref={virtual.measureElement}
                data-index={index}
                aria-setsize={total}
                aria-posinset={index - first + 1}
              >
                <VisitItem
                  visit={list.visitOf(row)}
                  edge={rowEdge(index - first, total)}
                  current={isCurrent(row, currentKey)}
                  picking={picking}
                />
              </li>
            )
          )
        })}
        <Spacer px={bottom - (shown.at(-1)?.end ?? bottom)} />
      </DayList>
    </section>
  )
}

const Spacer = ({ px }: { px: number }) => px > 0 && <li aria-hidden="true" style={{ height: px }} />

const isCurrent = ({ id, key }: RequestRow, currentKey: string | undefined) =>
  currentKey === key || currentKey === `${id}_`
