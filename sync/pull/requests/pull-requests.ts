/**
 * The pull of requests (RULES PL1, PL4, PL5). The CRM has no change feed, so each round searches page by page and
 * compares the rows with the device. The engine runs the reads (`engine.ts`):
 *
 *     fetch request of a screen ─→ read one whole request, or search beyond the window
 *     trigger (start, reconnect, visible, 5 min, 更新) ─→ round: search near days or the window ─→ removals
 *     otherwise ─→ read due details; those that only confirm local data go at their pace (PL10)
 */
import type { WithDeleted } from 'rxdb'
import { Subject, filter, interval, map, merge, skip, switchMap, timer, type Observable } from 'rxjs'
import { isoOf, tokyoDay } from '#schemas/instant.ts'
import type { RequestRecord } from '#schemas/resources/request.ts'
import { withoutNeeded } from '#sync/retention/expiry.ts'
import { PullEngine } from '#sync/pull/engine/engine.ts'
import type { Merged, PullServices } from '#sync/pull/engine/work.ts'
import {
  fetchRequestName,
  isForCurrentScreen,
  pendingFetchRequests,
  type FetchRequest,
} from '#sync/storage/database.ts'
import {
  markNow,
  createRequestMemory,
  offerDueDetails,
  requestedDetail,
  type RequestReads,
} from './request-details.ts'
import { createRequestRemovals } from './request-removals.ts'
import { NO_FILTER, newSearch, searchWork, type Range, type Search, type SearchEnd } from './search.ts'
import { REFETCH_AFTER_RECONNECT_MS, REFETCH_SPREAD_MS } from '#schemas/limits.ts'
import { daysAt } from '#sync/pull/engine/freshness.ts'

type Doc = WithDeleted<RequestRecord>

/** Name of the reads of a round's pages; each range has its own back-off. */
const pagesOf = (range: Range) => `request/search ${range}`
/** After this many failures of a page of the window, other records no longer wait for the window (RULES PL8). */
const WINDOW_TRIES = 2

const isRelevant = ({ kind, resource }: FetchRequest) =>
  kind === 'refresh' || ((kind === 'detail' || kind === 'search') && resource === undefined)

export class RequestPull extends PullEngine<Doc, PullServices> {
  /** Emits when other records may be read: the round was read or given up. */
  readonly windowRead$ = new Subject<void>()
  /** When the round began, ms since the page's start; null once a page was read again. Measured as `sync:round`. */
  private begunAt: number | null = null
  private readonly reads: RequestReads
  private readonly removals: ReturnType<typeof createRequestRemovals>
  /** Why the next round is due; null if no round is due. At the start the whole window is read. */
  private due: Cause | null = 'regular'
  /** The search of the current round; null between rounds. */
  private round: Search | null = null
  /** Range of the current round, or of the last one. */
  private range: Range = 'window'
  private screenSearch: Search | null = null
  private windowRead: WindowRead = null
  /** Range of the last round if that round was given up. */
  private stuck: Range | null = null
  /** When the user last requested everything, ISO 8601; '' if never. */
  private refreshedAt = ''
  private dueDetails: readonly RequestRecord[] = []

  constructor(services: PullServices, supplierStaffId: string) {
    super(services)
    const memory = createRequestMemory(services.db, services.report)
    this.removals = createRequestRemovals({ ...services, isBeingWritten: memory.isBeingWritten })
    this.reads = { ...services, supplierStaffId, memory, engine: this }
  }

  protected expired = () => this.removals.expired()
  protected override stillDue = (docs: readonly Doc[]) =>
    withoutNeeded(this.parts.db, docs, (doc, { onRequest }) => onRequest(doc))
  wrote = (doc: Doc): void => this.reads.memory.wrote(doc)

  /** Starts a new round. At the user's request it takes the place of the current round. */
  refetch(cause: Cause): void {
    this.due = joined(this.due, cause)
    if (cause === 'user') {
      this.refreshedAt = isoOf(this.reads.clock.now())
      this.clear()
      this.drop(pagesOf(this.range))
      this.round = null
    }
    this.recheck()
  }

  /** Cancels a pending regular round, because another round follows the end of an outage. */
  recovered(): void {
    this.due = afterOutage(this.due, this.windowRead)
  }

  /** Forgets the documents that a full device has refused. A round over the window follows (RULES ST4). */
  refused(): void {
    this.reads.memory.refused()
    this.removals.again()
  }

  /** True while pages of the window are still to come: less urgent reads wait for them. */
  isReadingWindow = (): boolean =>
    (this.due !== null || this.round !== null) && this.triesOf(pagesOf(this.range)) < WINDOW_TRIES

  /** Plans the reads: screens' fetch requests, then the round, then details. */
  protected async plan(isOpen: boolean): Promise<null> {
    const { reads } = this
    const pending = await pendingFetchRequests(reads.db, this, isRelevant)
    const latest = (kind: FetchRequest['kind']) => pending.find((one) => one.kind === kind)
    for (const one of pending)
      if (one.kind === 'detail')
        this.offer(requestedDetail(reads, one, isForCurrentScreen(one.askedAt, pending)))
    this.offerScreenSearch(latest('search'))
    if (!isOpen) return null
    if (this.due && this.round && this.hasOwnFailure(this.round.name)) this.giveUp()
    if (this.due && !this.round) this.beginRound(latest('refresh'))
    if (this.round) this.offerRoundSearch(this.round)
    if (!this.isReadingWindow())
      this.dueDetails = await offerDueDetails(reads, this.dueDetails, this.refreshedAt)
    return null
  }

  /** @param fetchRequest the user's 更新; the round answers it by reading the whole window */
  private beginRound(fetchRequest: FetchRequest | undefined): void {
    const now = this.reads.clock.now()
    const cause = fetchRequest ? 'user' : (this.due ?? 'regular')
    const range = (this.range = rangeOf(cause, this.windowRead, now, this.stuck))
    this.reads.memory.beginRound()
    this.dueDetails = []
    this.removals.again()
    this.due = null
    const days = { ...NO_FILTER, ...rangeDays(range, now) }
    const mark = markNow(this.reads.clock)
    this.round = newSearch({ name: pagesOf(range), filter: days, range, mark, fetchRequest })
    this.begunAt = performance.now()
  }

  /** Gives up a round whose next page cannot be read: near days must not wait for a page of next week (RULES PL8). */
  private giveUp(): void {
    this.round = null
    this.stuck = this.range
    if (this.range === 'window') this.windowRead = null
    this.windowRead$.next()
  }

  /** Offers the latest search of a screen. Earlier searches are dropped, because no screen shows them any more. */
  private offerScreenSearch(fetchRequest: FetchRequest | undefined): void {
    const { reads, removals } = this
    const name = fetchRequest && fetchRequestName(fetchRequest)
    if (this.screenSearch && this.screenSearch.name !== name) {
      this.drop(this.screenSearch.name)
      this.screenSearch = null
    }
    if (name === undefined) return
    const conditions = fetchRequest?.filter ?? NO_FILTER
    const own = { name, filter: conditions, range: null, mark: markNow(reads.clock), fetchRequest }
    const search = (this.screenSearch ??= newSearch(own))
    const finish = ({ state, total }: SearchEnd) => {
      if (search === this.screenSearch) this.screenSearch = null
      return { state, total }
    }
    this.offer({ ...searchWork(reads, removals.of, search, finish), priority: 'screen' })
  }

  private offerRoundSearch(search: Search): void {
    const finish = (end: SearchEnd) => this.endRound(search, end)
    this.offer({
      ...searchWork(this.reads, this.removals.of, search, finish),
      priority: 'window',
      failed: async (_, tries) => {
        this.begunAt = null
        if (tries === WINDOW_TRIES) this.windowRead$.next()
      },
    })
  }

  /** If removals from the window are doubted, or the window was given up, the next round covers the window (RULES PL6). */
  private endRound(search: Search, end: SearchEnd): Omit<Merged<Doc>, 'docs'> {
    if (search !== this.round) return {}
    const { range, unreadDays, mark } = search
    const isRead = end.state === 'answered'
    this.round = null
    if (isRead && range === 'window') this.windowRead = end.isDoubted ? null : this.reads.clock.now()
    const isWindowNext = range === 'near' && this.stuck === 'window'
    if (isRead && (end.isReadAgain || isWindowNext)) this.due = joined(this.due, 'regular')
    this.stuck = null
    if (range === 'window' && !end.isDoubted && end.isReadToEnd)
      this.reads.memory.windowRead(mark.at, unreadDays)
    if (isRead && this.begunAt !== null) {
      performance.clearMeasures('sync:round')
      performance.measure('sync:round', { start: this.begunAt })
    }
    this.windowRead$.next()
    return { state: end.state, total: end.total }
  }
}

export const ROUND_EVERY_MS = 5 * 60_000
/** Every sixth round reads the whole window. The interval is a minute shorter than six rounds, because timers can be late. */
export const WINDOW_EVERY_MS = 29 * 60_000

/** Why a round begins. `recovered`: the signal or the CRM returned. `regular`: by itself, every five minutes. */
export type Cause = 'user' | 'recovered' | 'regular'

/** When the whole window was last read to its end, epoch ms; null if never. */
export type WindowRead = number | null

const MOST_URGENT_FIRST: readonly Cause[] = ['user', 'recovered', 'regular']

/** The more urgent cause. */
export const joined = (waiting: Cause | null, cause: Cause): Cause =>
  MOST_URGENT_FIRST.find((each) => each === waiting || each === cause) ?? cause

/** The pending cause after an outage. A `recovered` round follows, so a regular one is dropped unless the window is unread. */
export const afterOutage = (waiting: Cause | null, read: WindowRead): Cause | null =>
  waiting === 'regular' && read !== null ? null : waiting

/** The range of a round: after an outage `near`, after a given-up round (`stuck`) the other (RULES PL8). */
export function rangeOf(cause: Cause, read: WindowRead, now: number, stuck: Range | null = null): Range {
  if (stuck && cause !== 'user') return stuck === 'near' ? 'window' : 'near'
  if (cause === 'user' || read === null || tokyoDay(read) !== tokyoDay(now)) return 'window'
  // `now < read`: the clock was set back, so the age of the last read is unknown.
  const isOld = now < read || now - read >= WINDOW_EVERY_MS
  return isOld && cause === 'regular' ? 'window' : 'near'
}

export function rangeDays(range: Range, now: number) {
  const { today, tomorrow, first, last } = daysAt(now)
  return range === 'near' ? { from: today, to: tomorrow } : { from: first, to: last }
}

/** Emits when a round begins (RULES PL5). After an outage a random delay keeps all devices from reading at once. */
export function refetchTriggers(
  back$: Observable<unknown>,
  visible$: Observable<boolean>,
  random: () => number,
): Observable<Cause> {
  const recovered$ = back$.pipe(
    switchMap(() => timer(REFETCH_AFTER_RECONNECT_MS + random() * REFETCH_SPREAD_MS)),
    map((): Cause => 'recovered'),
  )
  const shown$ = visible$.pipe(skip(1), filter(Boolean))
  const whileShown$ = visible$.pipe(switchMap((visible) => (visible ? interval(ROUND_EVERY_MS) : [])))
  return merge(recovered$, merge(shown$, whileShown$).pipe(map((): Cause => 'regular')))
}
