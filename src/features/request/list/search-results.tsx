import {
  type ReactNode,
  Suspense,
  useEffect,
  useMemo,
  useState,
  useEffectEvent,
  useLayoutEffect,
  useRef,
} from 'react'
import { ListSkeleton } from '#ui/request/skeleton.tsx'
import type { useSearch } from '#features/request/search/use-search.ts'
import { LazyNothingFound } from './lazy-popups.ts'
import {
  observeElementRect,
  useVirtualizer,
  useWindowVirtualizer,
  type VirtualItem,
  type Virtualizer,
} from '@tanstack/react-virtual'
import type { RequestFilter } from '#schemas/device/interest.ts'
import { asksForDaysOnly } from '#schemas/resources/request-search.ts'
import { useServices, useValue } from '#data/context/app-context.tsx'
import { useMinute } from '#data/context/use-now.ts'
import { afterPaint, measureFirstRows } from '#lib/time/user-timing.ts'
import { usePane } from '#ui/layout/screen.tsx'
import type { Day } from '#features/request/search/days.ts'
import { readStoredJson } from '#lib/browser/stored-json.ts'
import { DaySections, type SectionProps } from './day-sections.tsx'
import { flatten, foldedDays, plainDays, unfolded } from './entries.ts'

/** Time in ms without a new request or report after which the first load is done. */
const SETTLED_MS = 600

type Search = ReturnType<typeof useSearch>

interface SearchResultsProps
  extends
    Pick<Search, 'choice' | 'filter' | 'isUsual' | 'days' | 'list' | 'nothingYet' | 'today' | 'search'>,
    Pick<VisitDaysProps, 'currentKey' | 'picking'> {
  /** Shown above the rows. Hidden while the skeleton is shown, because it would push the skeleton down. */
  head?: ReactNode
}

/** The days with results; a skeleton while they load; the empty state without results. */
export function SearchResults(props: SearchResultsProps) {
  const { days, list, isUsual, choice, search, head, filter, today, currentKey, picking } = props
  const isFilling = useIsFilling(props)
  if (!days || !list || isFilling) return <ListSkeleton />
  return (
    <Suspense fallback={<ListSkeleton />}>
      {days.length > 0 ? (
        <>
          {head}
          <VisitDays {...{ days, list, filter, today, currentKey, picking }} />
        </>
      ) : (
        <LazyNothingFound {...{ choice, today, isUsual, list }} onSearch={search} />
      )}
    </Suspense>
  )
}

/**
 * State of the first load after a login. `unread`: the device is not read yet. `empty`: the device has no request.
 * `filling`: requests arrive from the CRM. `done`: no row is expected to move.
 */
type FirstLoad = 'unread' | 'empty' | 'filling' | 'done'

/**
 * True while the first load fills the list, which is then hidden, so that no row moves under the user's finger.
 * Requests arrive in the order of days (crm-contract 4). The load is done once a row of a later day is on the device,
 * or once nothing has changed for SETTLED_MS.
 */
function useIsFilling({ list, days, nothingYet, filter: { to } }: SearchResultsProps): boolean {
  const [state, setState] = useState<FirstLoad>('unread')
  if (list && state === 'unread') setState(nothingYet ? 'empty' : 'done')
  if (!nothingYet && state === 'empty') setState('filling')
  const lastDay = list?.rows.at(-1)?.workingDate ?? ''
  if (state === 'filling' && to !== '' && lastDay > to) setState('done')
  const isFilling = state === 'filling'
  const changeCount = useMemo(() => {
    const rows = days?.length ? days.flatMap((day) => day.rows) : list?.rows
    // A new number restarts the timer. Other changes of the list move no rows.
    return isFilling && rows && rows.length + rows.filter((row) => list?.stateOf(row) !== 'none').length
  }, [isFilling, days, list])
  useEffect(() => {
    if (!isFilling) return undefined
    const timer = setTimeout(() => setState('done'), SETTLED_MS)
    return () => clearTimeout(timer)
  }, [isFilling, changeCount])
  return isFilling
}

interface VisitDaysProps extends Pick<SectionProps, 'list' | 'today' | 'currentKey' | 'picking'> {
  days: readonly Day[]
  /** The search conditions. A new search scrolls to the top. */
  filter: RequestFilter
}

/** Estimated heights of the entries in px. */
const SIZES = { head: 44, row: 110, fold: 56 }
/** Usual height of what a phone shows above the list. It is assumed for the first render, and measured afterwards. */
const TOP_PX = 223
/** Number of rows rendered outside the viewport. The first paint renders fewer, to be earlier. */
const OVERSCAN = 6
const OVERSCAN_AT_FIRST = 1
/** Maximum number of entries in the first render of a search. No screen shows more. */
const COUNTED_AT_FIRST = 24

/** A list without a stored scroll position. */
const AT_THE_TOP = { offset: 0, sizes: [] as VirtualItem[] }

type DaysProps = Omit<SectionProps, 'virtual' | 'entries'> & Pick<VisitDaysProps, 'days' | 'filter'>

/**
 * The days of the list. Only visible rows are rendered. Each day is a section with a sticky head, and spacers replace
 * the rows that are not rendered:
 *
 *     section  head 11月20日（金）          ← sticky as long as its section is visible
 *              spacer · row · row · spacer
 *
 * On a phone the page scrolls (PageDays); in the wide layout a pane scrolls (PaneDays).
 */
function VisitDays(props: VisitDaysProps) {
  useEffect(measureFirstRows, [])
  const shown = useShown(props)
  // Stored per tab, so that 完了 is still open when the user returns from a visit.
  const done = useServices().memory.store('request-done')
  const doneOpen = useValue(done) !== null
  const all = { ...props, shown, doneOpen, onFold: () => done.set(doneOpen ? null : 'open') }
  return usePane() === null ? <PageDays {...all} /> : <PaneDays {...all} />
}

/** Returns the days as shown. Only a search by days alone puts the next visit first and finished visits last. */
function useShown({ days, list, filter, today, picking }: VisitDaysProps) {
  const now = useMinute()
  const folds = asksForDaysOnly(filter)
  const isPicking = picking !== null
  return useMemo(() => {
    if (!folds) return plainDays(days)
    const shown = foldedDays(days, list, { today, searchedFrom: filter.from, nowMs: now })
    return isPicking ? unfolded(shown) : shown
  }, [folds, isPicking, days, list, today, filter.from, now])
}

/**
 * Returns the list's entries and the virtualizer's options. To paint earlier, the first render after a search has few
 * entries, and the first render of new rows a small overscan.
 */
function useVirtualEntries({ days, shown, doneOpen, filter }: DaysProps) {
  const [painted, setPainted] = useState<Partial<Pick<DaysProps, 'days' | 'filter'>>>({ filter })
  useEffect(() => afterPaint(() => setPainted({ days, filter })), [days, filter])
  const isNewSearch = painted.filter !== filter
  // Memoised, because the virtualizer measures all rows again if `estimateSize` or `getItemKey` changes.
  const virtualEntries = useMemo(() => {
    const entries = flatten(shown, doneOpen, isNewSearch ? COUNTED_AT_FIRST : Infinity)
    return {
      entries,
      options: {
        count: entries.length,
        estimateSize: (index: number) => SIZES[entries[index]?.kind ?? 'row'],
        getItemKey: (index: number) => entries[index]?.key ?? index,
      },
    }
  }, [shown, doneOpen, isNewSearch])
  return { ...virtualEntries, isNewSearch, overscan: painted.days === days ? OVERSCAN : OVERSCAN_AT_FIRST }
}

/** The days in a page that scrolls. Going back to the page restores its scroll position. */
function PageDays(props: DaysProps) {
  const { entries, options, overscan, isNewSearch } = useVirtualEntries(props)
  const memory = useServices().memory.store('request-scroll')
  const [stored] = useState(() => readStoredJson(memory.get(), AT_THE_TOP))
  const list = useRef<HTMLDivElement>(null)
  const [scrollMargin, setScrollMargin] = useState(TOP_PX)
  // oxlint-disable-next-line react/incompatible-library -- the app does not use the React Compiler
  const virtual = useWindowVirtualizer({
    ...options,
    overscan,
    scrollMargin,
    initialRect: windowRect(),
    initialMeasurementsCache: stored.sizes,
    initialOffset: stored.offset,
  })
  useLayoutEffect(() => {
    setScrollMargin((list.current?.getBoundingClientRect().top ?? 0) + window.scrollY)
    if (window.scrollY !== stored.offset) window.scrollTo(0, stored.offset)
  }, [stored])
  useToTop(virtual, isNewSearch)
  const store = useEffectEvent(() => {
    const offset = Math.round(virtual.scrollOffset ?? 0)
    memory.set(JSON.stringify({ offset, sizes: virtual.takeSnapshot() }))
  })
  useLayoutEffect(() => () => store(), [])
  return (
    <div ref={list}>
      <DaySections {...props} entries={entries} virtual={virtual} />
    </div>
  )
}

/** The days in a pane that scrolls. The pane stays mounted, so it needs no stored scroll position. */
function PaneDays(props: DaysProps) {
  const { entries, options, overscan, isNewSearch } = useVirtualEntries(props)
  const list = useRef<HTMLDivElement>(null)
  const [pane, setPane] = useState<HTMLElement | null>(null)
  const [scrollMargin, setScrollMargin] = useState(0)
  useLayoutEffect(() => {
    const scroller = list.current && scrollParent(list.current)
    setPane(scroller)
    if (list.current && scroller)
      setScrollMargin(
        list.current.getBoundingClientRect().top - scroller.getBoundingClientRect().top + scroller.scrollTop,
      )
  }, [])
  // oxlint-disable-next-line react/incompatible-library -- the app does not use the React Compiler
  const virtual = useVirtualizer<HTMLElement, Element>({
    ...options,
    overscan,
    scrollMargin,
    initialRect: windowRect(),
    getScrollElement: () => pane,
    // Uses the window's height until the pane has a height.
    observeElementRect: (instance, onRect) =>
      observeElementRect(instance, (rect) => onRect({ ...rect, height: rect.height || window.innerHeight })),
  })
  useToTop(virtual, isNewSearch)
  return (
    <div ref={list}>
      <DaySections {...props} entries={entries} virtual={virtual} />
    </div>
  )
}

/** The first render has rows only if the virtualizer knows a size. */
const windowRect = () => ({ width: window.innerWidth, height: window.innerHeight })

/** Scrolls to the top for a new search. */
function useToTop(
  { scrollOffset, scrollToOffset }: Pick<Virtualizer<never, Element>, 'scrollOffset' | 'scrollToOffset'>,
  isNewSearch: boolean,
) {
  useLayoutEffect(() => {
    if (isNewSearch && scrollOffset) scrollToOffset(0)
  }, [isNewSearch, scrollOffset, scrollToOffset])
}

function scrollParent(element: HTMLElement): HTMLElement {
  const parent = element.parentElement
  if (!parent) return element
  return /auto|scroll/.test(getComputedStyle(parent).overflowY) ? parent : scrollParent(parent)
}
