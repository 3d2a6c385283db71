import { useLingui } from '@lingui/react/macro'
import type { VirtualItem } from '@tanstack/react-virtual'
import type { VisitList, VisitRow } from '#data/visits/visits.ts'
import { memo, useCallback, type ReactNode, useId } from 'react'
import { addDays, dayText } from '#lib/time/tokyo-time.ts'
import { DayList } from '#ui/request/visit-row.tsx'
import styles from '#ui/request/day.module.css'
import { FoldRow } from '#ui/controls/filter-bar.tsx'
import { countOfEntries, type ListEntry, type ShownDay, type ShownDays } from './entries.ts'
import { FoldMarks, VisitItem, type Picking } from './visit-item.tsx'
import { DoorOpen, LogIn, MapPin, Phone, type LucideIcon } from 'lucide-react'
import { mapOf } from '#data/visits/request-facts.ts'
import type { ListedRequest } from '#data/visits/request-rows.ts'
import { dialled } from '#lib/phone-number.ts'
import { ButtonAnchor, BarredLink } from '#ui/controls/button.tsx'
import { cx } from '#ui/base/icon.tsx'
import card from '#ui/request/next-card.module.css'
import { PathButton } from '#ui/controls/path-link.tsx'

export interface SectionProps {
  shown: ShownDays
  list: Pick<VisitList, 'visitOf' | 'stateOf'>
  today: string
  /** `<requestId>_<workingDate>` of the visit in the view pane, or `<requestId>_` if its URL names no day. */
  currentKey: string | undefined
  picking: Picking | null
  doneOpen: boolean
  onFold: () => void
  entries: readonly ListEntry[]
  virtual: Rows
}

/** The functions of TanStack's virtualizer that are the same whether the page or a pane scrolls. */
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
    const count = countOfEntries(day, doneOpen)
    headIndex = firstIndex + count
    const endIndex = Math.min(headIndex, entries.length)
    const own = { day, nextKey, count, firstIndex, endIndex }
    return endIndex >= firstIndex && <DaySection key={day.date} {...own} {...props} />
  })
}

type DaySectionProps = Omit<SectionProps, 'shown'> & {
  day: ShownDay
  nextKey: string | null
  count: number
  /** Index of the day's first row among all entries. The day's head is the entry before it. */
  firstIndex: number
  endIndex: number
}

function DaySection({ day, count, firstIndex, endIndex, virtual, entries, ...props }: DaySectionProps) {
  const visible = virtual.getVirtualItems().filter(({ index }) => index >= firstIndex && index < endIndex)
  const sizes = virtual.measurementsCache
  const top = sizes[firstIndex]?.start ?? 0
  const bottom = sizes[endIndex - 1]?.end ?? top
  // The head is sticky only within its section. It is measured once, because measuring in every frame forces a layout.
  const measureHead = useCallback(
    (section: HTMLElement | null) => {
      const head = section?.firstElementChild
      if (head instanceof HTMLElement) virtual.resizeItem(firstIndex - 1, head.offsetHeight)
    },
    [virtual, firstIndex],
  )
  return (
    <section ref={measureHead}>
      <Head day={day} list={props.list} today={props.today} />
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

/** The sticky heading of a day. */
function Head({ day, list, today }: Pick<DaySectionProps, 'day' | 'list' | 'today'>) {
  const { t } = useLingui()
  const { date, rows, done } = day
  const isToday = date === today
  const total = rows.length + done.length
  const finishedCount = isToday ? done.length + rows.filter((row) => list.stateOf(row) === 'out').length : 0
  return (
    <h2 className={styles.head}>
      <span className="num">{dayText(date, today)}</span>
      {isToday && <span className={styles.today}>{t`今日`}</span>}
      {date === addDays(today, -1) && <span className={styles.near}>{t`昨日`}</span>}
      <small className="num">{isToday ? t`完了 ${finishedCount} / ${total}件` : t`${total}件`}</small>
    </h2>
  )
}

type LineProps = { entry: ListEntry } & Pick<
  DaySectionProps,
  'list' | 'currentKey' | 'picking' | 'nextKey' | 'doneOpen' | 'onFold'
>

/** One entry of a day: a visit or the line 完了. Memoised, so that scrolling does not render it again. */
const Line = memo(function Line({
  entry,
  list,
  doneOpen,
  onFold,
  nextKey,
  currentKey,
  picking,
}: LineProps): ReactNode {
  const { t } = useLingui()
  if (entry.kind === 'head') return null
  if (entry.kind === 'fold') {
    const count = entry.done.length
    const marks = !doneOpen && <FoldMarks done={entry.done} list={list} />
    return <FoldRow open={doneOpen} onClick={onFold} marks={marks}>{t`完了 ${count}件`}</FoldRow>
  }
  const { row, edge } = entry
  const visit = list.visitOf(row)
  const current = currentKey === row.key || currentKey === `${row.id}_`
  const visitItem = <VisitItem visit={visit} edge={edge} current={current} picking={picking} />
  return row.key === nextKey ? (
    <NextVisit row={row} visit={visit}>
      {visitItem}
    </NextVisit>
  ) : (
    visitItem
  )
})

const Spacer = ({ px }: { px: number }) => px > 0 && <li aria-hidden="true" style={{ height: px }} />

interface NextVisitProps {
  row: ListedRequest
  visit: VisitRow
  children: ReactNode
}

/** The next visit at the top of the list, with the buttons 地図, 電話, and 入館 or 退館. */
function NextVisit({ row, visit: { state, report }, children }: NextVisitProps) {
  const { t } = useLingui()
  const id = useId()
  const isInside = state === 'in'
  const number = dialled(row.tel ?? '')
  const entry = new URLSearchParams({ workingDate: row.workingDate, popup: 'entry' })
  const path =
    isInside && report
      ? `/quickReport/add/${encodeURIComponent(report.id)}`
      : `/request/${encodeURIComponent(row.id)}?${entry.toString()}`
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- HTML has no element for a row grouped with its buttons
    <div className={cx(card.next, isInside && card.now)} role="group" aria-labelledby={id}>
      <p className={card.label} id={id}>
        {isInside ? t`作業中の現場` : t`次の現場`}
      </p>
      {children}
      <div className={card.actions}>
        <OutsideLink
          href={mapOf(row.address, row.locationName)}
          reason={t`住所と作業場所の名前がありません`}
          icon={MapPin}
          isNewTab
        >{t`地図`}</OutsideLink>
        <OutsideLink
          href={number === null ? null : `tel:${number}`}
          reason={t`入館連絡先の電話番号がありません`}
          icon={Phone}
        >{t`電話`}</OutsideLink>
        <PathButton path={path} variant="primary" icon={isInside ? DoorOpen : LogIn}>
          {isInside ? t`退館` : t`入館`}
        </PathButton>
      </div>
    </div>
  )
}

interface OutsideLinkProps {
  /** The link's target; null disables the button, which then says why. */
  href: string | null
  reason: string
  icon: LucideIcon
  isNewTab?: boolean
  children: string
}

/** A button that opens a map or the phone app. */
function OutsideLink({ href, reason, isNewTab = false, ...button }: OutsideLinkProps) {
  if (href === null) return <BarredLink {...button} tall reason={reason} />
  return (
    <ButtonAnchor {...button} href={href} tall {...(isNewTab && { target: '_blank', rel: 'noreferrer' })} />
  )
}
