import { useLingui } from '@lingui/react/macro'
import type { VirtualItem } from '@tanstack/react-virtual'
import type { Visit } from '#data/visits.ts'
import { dayText } from '#lib/tokyo-time.ts'
import { DayHead, DayList } from '#ui/day.tsx'
import { rowEdge } from '#ui/visit-row.tsx'
import type { Day } from './days.ts'
import { VisitItem, type Picking } from './visit-item.tsx'

/** What the virtualizer counts: the head of a day, then its rows. */
export type Entry = { kind: 'head'; key: string } | { kind: 'row'; key: string }

export const flatten = (days: readonly Day[]): Entry[] =>
  days.flatMap(({ date, visits }) => [
    { kind: 'head' as const, key: date },
    ...visits.map(({ request }) => ({ kind: 'row' as const, key: request.key })),
  ])

export interface SectionProps {
  days: readonly Day[]
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

export function DaySections({ days, ...props }: SectionProps) {
  let at = 0
  return days.map((day) => {
    const first = at + 1
    at = first + day.visits.length
    return <DaySection key={day.date} day={day} first={first} {...props} />
  })
}

type DaySectionProps = Omit<SectionProps, 'days' | 'entries'> & {
  day: Day
  /** The place of the day's first row among all entries. */
  first: number
}

function DaySection({ day, first, today, currentKey, picking, virtual }: DaySectionProps) {
  const { t } = useLingui()
  const { date, visits, done } = day
  const total = visits.length
  const isToday = date === today
  const shown = virtual.getVirtualItems().filter(({ index }) => index >= first && index < first + total)
  const sizes = virtual.measurementsCache
  const top = sizes[first]?.start ?? 0
  const bottom = sizes[first + total - 1]?.end ?? top
  // the head sticks within its section, so nothing may stand between the two
  const measureHead = (section: HTMLElement | null) => {
    const head = section?.firstElementChild
    if (head instanceof HTMLElement) virtual.resizeItem(first - 1, head.offsetHeight)
  }
  return (
    <section ref={measureHead}>
      <DayHead
        date={dayText(date)}
        today={isToday}
        right={isToday ? t`完了 ${done} / ${total}件` : t`${total}件`}
      />
      <DayList>
        <Spacer px={(shown[0]?.start ?? bottom) - top} />
        {shown.map(({ index, key }) => {
          const visit = visits[index - first]
          return (
            visit && (
              <li
                key={key}
                ref={virtual.measureElement}
                data-index={index}
                aria-setsize={total}
                aria-posinset={index - first + 1}
              >
                <VisitItem
                  visit={visit}
                  edge={rowEdge(index - first, total)}
                  current={isCurrent(visit, currentKey)}
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

const isCurrent = ({ request: { id, key } }: Visit, currentKey: string | undefined) =>
  currentKey === key || currentKey === `${id}_`
