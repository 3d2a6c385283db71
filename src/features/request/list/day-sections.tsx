import { useLingui } from '@lingui/react/macro'
import type { VirtualItem } from '@tanstack/react-virtual'
import type { VisitList } from '#data/visits/visits.ts'
import type { RequestRow } from '#data/visits/request-rows.ts'
import { memo, useCallback, type ReactNode } from 'react'
import { addDays, dayText } from '#lib/time/tokyo-time.ts'
import { DayHead, DayList } from '#ui/request/day.tsx'
import { FoldRow } from '#ui/controls/filter-bar.tsx'
import { rowEdge } from '#ui/request/visit-row.tsx'
import { entriesOfDay, type ListEntry, type RowEntry } from './entries.ts'
import { NextVisit } from './next-item.tsx'
import type { ShownDay, ShownDays } from './next-visit.ts'
import { VisitItem, type Picking } from './visit-item.tsx'
import { FoldMarks } from './visit-marks.tsx'

export interface SectionProps {
  shown: ShownDays
  list: Pick<VisitList, 'visitOf' | 'stateOf'>
  today: string
  /** `<requestId>_<workingDate>` of the visit in the view pane, or `<requestId>_` if its URL names no day. */
  currentKey: string | undefined
  picking: Picking | null
  /** True if finished visits are shown. */
  doneOpen: boolean
  onFold: () => void
  entries: readonly ListEntry[]
  virtual: Rows
}

/**
 * The functions of TanStack's virtualizer that the sections use. They are the same whether the page or a pane scrolls.
 */
interface Rows {
  getVirtualItems(): VirtualItem[]
  measurementsCache: VirtualItem[]
  measureElement: (row: Element | null) => void
  resizeItem(index: number, px: number): void
}

/** One section for each day that has entries. */
export function DaySections({ shown: { days, nextKey }, ...props }: SectionProps) {
  const { entries, doneOpen } = props
  // `entries` has each day's head followed by the day's rows.
  let headIndex = 0
  return days.map((day) => {
    const firstIndex = headIndex + 1
    headIndex = firstIndex + entriesOfDay(day, doneOpen).length
    const endIndex = Math.min(headIndex, entries.length)
    const rows = { firstIndex, endIndex }
    return (
      endIndex >= firstIndex && <DaySection key={day.date} day={day} nextKey={nextKey} {...rows} {...props} />
    )
  })
}

type DaySectionProps = Omit<SectionProps, 'shown'> & {
  day: ShownDay
  nextKey: string | null
  /** Index of the day's first row among all entries. The day's head is the entry before it. */
  firstIndex: number
  endIndex: number
}

function DaySection({ day, firstIndex, endIndex, virtual, entries, ...props }: DaySectionProps) {
  const { today } = props
  const visible = virtual.getVirtualItems().filter(({ index }) => index >= firstIndex && index < endIndex)
  const sizes = virtual.measurementsCache
  const top = sizes[firstIndex]?.start ?? 0
  const bottom = sizes[endIndex - 1]?.end ?? top
  // The head is the first child of its section, because it is sticky only within the section. It is measured once,
  // because measuring in every frame of a scroll would force a layout.
  const measureHead = useCallback(
    (section: HTMLElement | null) => {
      const head = section?.firstElementChild
      if (head instanceof HTMLElement) virtual.resizeItem(firstIndex - 1, head.offsetHeight)
    },
    [virtual, firstIndex],
  )
  const count = entriesOfDay(day, props.doneOpen).length
  return (
    <section ref={measureHead}>
      <Head day={day} list={props.list} today={today} />
      <DayList>
        <Spacer px={(visible[0]?.start ?? bottom) - top} />
        {visible.map(({ index, key }) => {
          const entry = entries[index]
          return (
            entry && (
              <li
                key={key}
                ref={virtual.measureElement}
                data-index={index}
                aria-setsize={count}
                aria-posinset={index - firstIndex + 1}
              >
                <Line entry={entry} {...props} />
              </li>
            )
          )
        })}
        <Spacer px={bottom - (visible.at(-1)?.end ?? bottom)} />
      </DayList>
    </section>
  )
}

function Head({ day, list, today }: Pick<DaySectionProps, 'day' | 'list' | 'today'>) {
  const { t } = useLingui()
  const { date, rows, done } = day
  const isToday = date === today
  const total = rows.length + done.length
  const finishedCount = isToday ? done.length + rows.filter((row) => list.stateOf(row) === 'out').length : 0
  return (
    <DayHead
      date={dayText(date, today)}
      relativeDay={isToday ? t`今日` : date === addDays(today, -1) ? t`昨日` : undefined}
      today={isToday}
      right={isToday ? t`完了 ${finishedCount} / ${total}件` : t`${total}件`}
    />
  )
}

type LineProps = { entry: ListEntry } & Pick<
  DaySectionProps,
  'list' | 'currentKey' | 'picking' | 'nextKey' | 'doneOpen' | 'onFold'
>

/** One entry of a day: a visit or the line 完了. Memoised, so that scrolling does not render it again. */
const Line = memo(function Line({ entry, doneOpen, onFold, nextKey, ...item }: LineProps): ReactNode {
  const { t } = useLingui()
  switch (entry.kind) {
    case 'head':
      return null
    case 'fold': {
      const { done } = entry
      const count = done.length
      const marks = !doneOpen && <FoldMarks done={done} list={item.list} />
      return <FoldRow open={doneOpen} onClick={onFold} marks={marks}>{t`完了 ${count}件`}</FoldRow>
    }
    case 'row':
      return <Row entry={entry} nextKey={nextKey} {...item} />
  }
})

type RowProps = { entry: RowEntry } & Pick<LineProps, 'list' | 'currentKey' | 'picking' | 'nextKey'>

function Row({ entry: { row, index, count, first }, nextKey, list, currentKey, picking }: RowProps) {
  const visit = list.visitOf(row)
  const isNext = row.key === nextKey
  // The next visit is shown in its own card, so the line that connects the visits begins after it.
  const leadingRows = first.key === nextKey ? 1 : 0
  const item = (
    <VisitItem
      visit={visit}
      edge={isNext ? 'only' : rowEdge(index - leadingRows, count - leadingRows)}
      current={isCurrent(row, currentKey)}
      picking={picking}
    />
  )
  if (!isNext) return item
  return (
    <NextVisit row={row} visit={visit}>
      {item}
    </NextVisit>
  )
}

const Spacer = ({ px }: { px: number }) => px > 0 && <li aria-hidden="true" style={{ height: px }} />

const isCurrent = ({ id, key }: RequestRow, currentKey: string | undefined) =>
  currentKey === key || currentKey === `${id}_`
