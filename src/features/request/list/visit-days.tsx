/**
 * The days of the list, rendered only as far as they are visible. Every day has its section and its sticky head in the
 * page; only its rows are added and removed, and spacers replace the missing ones:
 *
 *     section  head 11月20日（金）          ← sticky as long as its section is visible
 *              spacer · row · row · spacer
 *
 * For a new search, only the visible rows are rendered before the first paint. On a phone the page scrolls, in the wide
 * layout the pane; apart from the scrolling element the virtualizers are the same.
 */
import {
  observeElementRect,
  useVirtualizer,
  useWindowVirtualizer,
  type VirtualItem,
  type Virtualizer,
} from '@tanstack/react-virtual'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { RequestFilter } from '#schemas/resources/request-filter.ts'
import { asksForDaysOnly } from '#schemas/resources/request-search.ts'
import { useServices, useValue } from '#data/context/app-context.tsx'
import { useMinute } from '#data/context/use-now.ts'
import { afterPaint, measureFirstRows } from '#lib/time/user-timing.ts'
import { usePane } from '#ui/layout/pane.ts'
import type { Day } from '#features/request/search/days.ts'
import { readStoredJson } from '#lib/browser/stored-json.ts'
import { DaySections, type SectionProps } from './day-sections.tsx'
import { flatten, type ListEntry } from './entries.ts'
import { foldedDays, plainDays, type ShownDays } from './next-visit.ts'

export interface VisitDaysProps extends Pick<SectionProps, 'list' | 'today' | 'currentKey' | 'picking'> {
  days: readonly Day[]
  /** The searched conditions. A new search starts at the top. */
  filter: RequestFilter
}

const HEAD_PX = 44
const ROW_PX = 110
const FOLD_PX = 56
/** Number of rows rendered outside the viewport. It is small at first, so that the visible rows paint sooner. */
const OVERSCAN = 6
const OVERSCAN_AT_FIRST = 1
/** Number of entries in the first render of a new search: more than the tallest screen shows. */
const COUNTED_AT_FIRST = 24

const SIZES = { head: HEAD_PX, row: ROW_PX, fold: FOLD_PX }
const sizeOf = (entry: ListEntry | undefined) => SIZES[entry?.kind ?? 'row']

type DaysProps = Omit<SectionProps, 'virtual' | 'entries'> & Pick<VisitDaysProps, 'days' | 'filter'>

export function VisitDays(props: VisitDaysProps) {
  useEffect(measureFirstRows, [])
  const shown = useShown(props)
  // Stored per tab, so that going back from a row restores the fold.
  const done = useServices().memory.store('request-done')
  const doneOpen = useValue(done) !== null
  const all = { ...props, shown, doneOpen, onFold: () => done.set(doneOpen ? null : 'open') }
  return usePane() === null ? <PageDays {...all} /> : <PaneDays {...all} />
}

/** Folds finished visits if only days are searched; other searches and まとめて登録 show every result. */
function useShown({ days, list, filter, today, picking }: VisitDaysProps): ShownDays {
  const now = useMinute()
  const folds = picking === null && asksForDaysOnly(filter)
  return useMemo(
    () => (folds ? foldedDays(days, list, { today, asked: filter.from, nowMs: now }) : plainDays(days)),
    [folds, days, list, today, filter.from, now],
  )
}

function useParts({ days, shown, doneOpen, filter }: DaysProps) {
  const [painted, setPainted] = useState<{ days: readonly Day[] | null; filter: RequestFilter }>({
    days: null,
    filter,
  })
  useEffect(() => afterPaint(() => setPainted({ days, filter })), [days, filter])
  const isNewSearch = painted.filter !== filter
  // The virtualizer measures everything again if its functions change.
  const parts = useMemo(() => {
    const entries = flatten(shown.days, doneOpen, isNewSearch ? COUNTED_AT_FIRST : Infinity)
    return {
      entries,
      options: {
        count: entries.length,
        estimateSize: (index: number) => sizeOf(entries[index]),
        getItemKey: (index: number) => entries[index]?.key ?? index,
      },
    }
  }, [shown, doneOpen, isNewSearch])
  return { ...parts, isNewSearch, overscan: painted.days === days ? OVERSCAN : OVERSCAN_AT_FIRST }
}

function PageDays(props: DaysProps) {
  const { entries, options, overscan, isNewSearch } = useParts(props)
  const memory = useServices().memory.store('request-scroll')
  const [stored] = useState(() => readScroll(memory.get()))
  const list = useRef<HTMLDivElement>(null)
  const [scrollMargin, setScrollMargin] = useState(0)
  // oxlint-disable-next-line react/incompatible-library -- nothing here is memoised by a compiler
  const virtual = useWindowVirtualizer({
    ...options,
    overscan,
    scrollMargin,
    initialMeasurementsCache: stored.sizes,
    initialOffset: stored.offset,
  })
  useLayoutEffect(() => {
    setScrollMargin((list.current?.getBoundingClientRect().top ?? 0) + window.scrollY)
    // Setting the same scroll position would cost another layout.
    if (window.scrollY !== stored.offset) window.scrollTo(0, stored.offset)
  }, [stored])
  useToTop(virtual, isNewSearch)
  const latest = useRef(virtual)
  useLayoutEffect(() => {
    latest.current = virtual
  })
  useLayoutEffect(
    () => () => memory.set(writeScroll(latest.current.scrollOffset ?? 0, latest.current.takeSnapshot())),
    [memory],
  )
  return (
    <div ref={list}>
      <DaySections {...props} entries={entries} virtual={virtual} />
    </div>
  )
}

function PaneDays(props: DaysProps) {
  const { entries, options, overscan, isNewSearch } = useParts(props)
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
  // oxlint-disable-next-line react/incompatible-library -- nothing here is memoised by a compiler
  const virtual = useVirtualizer<HTMLElement, Element>({
    ...options,
    overscan,
    scrollMargin,
    getScrollElement: () => pane,
    // Uses the window's height until the pane has one.
    observeElementRect: (instance, tell) =>
      observeElementRect(instance, (rect) => tell({ ...rect, height: rect.height || window.innerHeight })),
  })
  useToTop(virtual, isNewSearch)
  return (
    <div ref={list}>
      <DaySections {...props} entries={entries} virtual={virtual} />
    </div>
  )
}

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

/** Stores the scroll position and row heights of the list, so that going back restores the same view. */
interface StoredScroll {
  offset: number
  sizes: VirtualItem[]
}
const AT_THE_TOP: StoredScroll = { offset: 0, sizes: [] }

const readScroll = (text: string | null): StoredScroll => readStoredJson(text, AT_THE_TOP)

const writeScroll = (offset: number, sizes: readonly VirtualItem[]) =>
  JSON.stringify({
    offset: Math.round(offset),
    sizes: sizes.map(({ key, index, start, end, size, lane }) => ({
      key: String(key),
      index,
      start,
      end,
      size,
      lane,
    })),
  })
