/**
 * The pull of requests (RULES PL1, PL4, PL5). The CRM has no change feed, so each round searches page by page and
 * compares the rows with the device. The engine runs the reads (`engine.ts`):
 *
 *     fetch request of a screen ─→ read one whole request, or search beyond the window
 *     trigger (start, reconnect, visible, 5 min, 更新) ─→ round: search near days or the window ─→ removals
 *     otherwise ─→ read due details; those that only confirm local data go at their pace (PL10)
 */
import type { WithDeleted } from 'rxdb'
import { filter, Subject } from 'rxjs'
import { isoOf } from '#schemas/instant.ts'
import type { RequestRecord } from '#schemas/resources/request.ts'
import { createPullEngine } from '#sync/pull/engine/engine.ts'
import type { Merged, PullServices } from '#sync/pull/engine/work.ts'
import {
  fetchRequestName,
  isForCurrentScreen,
  pendingFetchRequests,
  type FetchRequest,
} from '#sync/storage/fetch-requests.ts'
import { requestedDetail, createRequestDetails } from './request-details.ts'
import { createRequestMemory, type RequestReads } from './request-memory.ts'
import { createRequestRemovals } from './request-removals.ts'
import { afterOutage, joined, rangeDays, rangeOf, type Cause, type Range, type WindowRead } from './rounds.ts'
import { newSearch, NO_FILTER, readPage, type Search, type SearchEnd } from './search.ts'

type Doc = WithDeleted<RequestRecord>

/** The steps of rounds. `failed` comes for each failed try of a page. */
export type RoundStep = 'begun' | 'failed' | 'given-up' | 'read'

/** Name of the reads of a round's pages; each range has its own back-off. */
const pagesOf = (range: Range) => `request/search ${range}`
/** After this many failures of a page of the window, other records no longer wait for the window (RULES PL8). */
const WINDOW_TRIES = 2

interface State extends RequestReads {
  removals: ReturnType<typeof createRequestRemovals>
  details: ReturnType<typeof createRequestDetails>
  /** Why the next round is due; null if no round is due. */
  due: Cause | null
  /** The search of the current round. */
  round: Search | null
  screenSearch: Search | null
  /** Range of the current round, or of the last one. */
  range: Range
  windowRead: WindowRead
  /** Range of the last round if that round was given up. */
  stuck: Range | null
  /** When the user last requested everything, ISO 8601; '' if never. */
  refreshedAt: string
  round$: Subject<RoundStep>
}

function initialState(services: PullServices, supplierStaffId: string): State {
  const memory = createRequestMemory(services.db, services.report)
  const removals = createRequestRemovals({ ...services, isBeingWritten: memory.isBeingWritten })
  const engine = createPullEngine<Doc>(services, {
    plan: (isOpen) => plan(state, isOpen),
    expired: removals.expired,
  })
  const reads: RequestReads = { ...services, supplierStaffId, memory, engine }
  const state: State = {
    ...reads,
    removals,
    details: createRequestDetails(reads),
    // At the start the whole window is read.
    due: 'regular',
    round: null,
    screenSearch: null,
    range: 'window',
    windowRead: null,
    stuck: null,
    refreshedAt: '',
    round$: new Subject(),
  }
  return state
}

export function createRequestPull(services: PullServices, supplierStaffId: string) {
  const state = initialState(services, supplierStaffId)
  const { clock, engine, memory, removals } = state
  return {
    handler: engine.handler,
    recheck: engine.recheck,
    /** Starts a new round. At the user's request it takes the place of the current round. */
    refetch(cause: Cause) {
      state.due = joined(state.due, cause)
      if (cause === 'user') {
        state.refreshedAt = isoOf(clock.now())
        engine.clear()
        engine.drop(pagesOf(state.range))
        state.round = null
      }
      engine.recheck()
    },
    /** Cancels a pending regular round, because another round follows the end of an outage. */
    recovered() {
      state.due = afterOutage(state.due, state.windowRead)
    },
    /** Forgets the documents that a full device has refused. A round over the window follows (RULES ST4). */
    refused() {
      memory.refused()
      removals.again()
    },
    wrote: memory.wrote,
    /** True while pages of the window are still to come: less urgent reads wait for them. */
    isReadingWindow: () => isReadingWindow(state),
    /** Emits when other records may be read: the round was read or given up. */
    windowRead$: state.round$.pipe(filter((step) => step === 'read' || step === 'given-up')),
    round$: state.round$,
  }
}

const isReadingWindow = ({ due, round, range, engine }: State) =>
  (due !== null || round !== null) && engine.triesOf(pagesOf(range)) < WINDOW_TRIES

const isRelevant = ({ kind, resource }: FetchRequest) =>
  kind === 'refresh' || ((kind === 'detail' || kind === 'search') && resource === undefined)

/** Plans the reads: screens' fetch requests, then the round, then details. */
async function plan(state: State, isOpen: boolean): Promise<null> {
  const { engine, db, details } = state
  const pending = await pendingFetchRequests(db, engine, isRelevant)
  const latest = (kind: FetchRequest['kind']) => pending.find((one) => one.kind === kind)
  for (const one of pending)
    if (one.kind === 'detail')
      engine.offer(requestedDetail(state, one, isForCurrentScreen(one.askedAt, pending)))
  offerScreenSearch(state, latest('search'))
  if (!isOpen) return null
  if (state.due && state.round && engine.hasOwnFailure(state.round.name)) giveUp(state)
  if (state.due && !state.round) beginRound(state, latest('refresh'))
  if (state.round) offerRoundSearch(state, state.round)
  if (!isReadingWindow(state)) await details.offerDue(state.refreshedAt)
  return null
}

const markOf = ({ clock }: State) => ({ stamp: clock.stamp(), at: isoOf(clock.now()) })

/** @param refresh the user's 更新; the round answers it by reading the whole window */
function beginRound(state: State, refresh: FetchRequest | undefined) {
  const { clock, memory, details, removals, round$, stuck, windowRead } = state
  const cause = refresh ? 'user' : (state.due ?? 'regular')
  const range = rangeOf(cause, windowRead, clock.now(), stuck)
  memory.beginRound()
  details.beginRound()
  removals.again()
  const days = { ...NO_FILTER, ...rangeDays(range, clock.now()) }
  const search = { name: pagesOf(range), filter: days, range, mark: markOf(state), fetchRequest: refresh }
  Object.assign(state, { due: null, range, round: newSearch(search) })
  round$.next('begun')
}

/** Gives up a round whose next page cannot be read: near days must not wait for a page of next week (RULES PL8). */
function giveUp(state: State) {
  state.round = null
  state.stuck = state.range
  if (state.range === 'window') state.windowRead = null
  state.round$.next('given-up')
}

/** Offers the latest search of a screen. Earlier searches are dropped, because no screen shows them any more. */
function offerScreenSearch(state: State, fetchRequest: FetchRequest | undefined) {
  const { engine } = state
  if (!fetchRequest) {
    state.screenSearch = null
    return
  }
  const name = fetchRequestName(fetchRequest)
  if (state.screenSearch?.name !== name) {
    if (state.screenSearch) engine.drop(state.screenSearch.name)
    const { filter: conditions = NO_FILTER } = fetchRequest
    const search = { name, filter: conditions, range: null, mark: markOf(state), fetchRequest }
    state.screenSearch = newSearch(search)
  }
  const search = state.screenSearch
  const finish = ({ state: outcome, total }: SearchEnd) => {
    if (search === state.screenSearch) state.screenSearch = null
    return { state: outcome, total }
  }
  engine.offer({
    name,
    priority: 'screen',
    fetchRequest,
    read: (options) => readPage(state, search, options, finish),
  })
}

function offerRoundSearch(state: State, search: Search) {
  state.engine.offer({
    name: search.name,
    priority: 'window',
    fetchRequest: search.fetchRequest,
    read: (options) => readPage(state, search, options, (end) => endRound(state, search, end)),
    failed: async (_, tries) => state.round$.next(tries === WINDOW_TRIES ? 'given-up' : 'failed'),
  })
}

/** If removals from the window are doubted, or the window was given up, the next round covers the window (RULES PL6). */
function endRound(state: State, search: Search, end: SearchEnd): Omit<Merged<Doc>, 'docs'> {
  if (search !== state.round) return {}
  const { range, unreadDays, mark } = search
  const isRead = end.state === 'answered'
  state.round = null
  if (isRead && range === 'window') state.windowRead = end.isDoubted ? null : state.clock.now()
  if (isRead && end.isReadAgain) state.due = joined(state.due, 'regular')
  if (isRead && range === 'near' && state.stuck === 'window') state.due = joined(state.due, 'regular')
  state.stuck = null
  if (range === 'window' && !end.isDoubted && end.isReadToEnd) state.memory.windowRead(mark.at, unreadDays)
  state.round$.next(isRead ? 'read' : 'given-up')
  return { state: end.state, total: end.total }
}
