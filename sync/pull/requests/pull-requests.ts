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
import { createPullEngine, type PullServices } from '#sync/pull/engine/engine.ts'
import { PLACES } from '#sync/scheduler/schedule.ts'
import {
  fetchRequestName,
  isForCurrentScreen,
  pendingFetchRequests,
  type FetchAnswer,
  type FetchRequest,
} from '#sync/storage/fetch-requests.ts'
import { requestedDetail, createRequestDetails } from './request-details.ts'
import { createRequestMemory, type RequestReads } from './request-memory.ts'
import { createRequestRemovals } from './request-removals.ts'
import {
  afterOutage,
  begunRound,
  endedRound,
  FIRST_ROUND,
  joined,
  rangeDays,
  stuckRound,
  type Cause,
  type Rounds,
} from './rounds.ts'
import { newSearch, NO_FILTER, readPage, type Search, type SearchEnd } from './search.ts'

type Doc = WithDeleted<RequestRecord>

/** The steps of rounds. `failed` comes for each failed try of a page. */
export type RoundStep = 'begun' | 'failed' | 'given-up' | 'read'

/** Name of the reads of a round's pages; each range has its own back-off. */
const pagesOf = ({ range }: Rounds) => `request/search ${range}`
/** After this many failures of a page of the window, other records no longer wait for the window (RULES PL8). */
const WINDOW_TRIES = 2

/** Details that nobody waits for use the background places of the queue (`schedule.ts`). */
const LANES = { screen: Infinity, pages: Infinity, details: PLACES.background }

/** The pull's state between two calls of RxDB. */
interface State extends RequestReads {
  removals: ReturnType<typeof createRequestRemovals>
  details: ReturnType<typeof createRequestDetails>
  rounds: Rounds
  /** When the current round began, ISO 8601. */
  roundBegunAt: string
  /** The search of the current round, and the search of a screen; null while there is none. */
  roundSearch: Search | null
  screenSearch: Search | null
  /** When the user last requested everything, ISO 8601; '' if never. */
  refreshedAt: string
  round$: Subject<RoundStep>
}

function initialState(services: PullServices, supplierStaffId: string): State {
  const memory = createRequestMemory(services.db, services.report)
  const removals = createRequestRemovals({ ...services, isBeingWritten: memory.isBeingWritten })
  const engine = createPullEngine<Doc>(services, {
    lanes: LANES,
    plan: (isOpen) => plan(state, isOpen),
    expired: removals.expired,
  })
  const reads: RequestReads = { ...services, supplierStaffId, memory, engine }
  const state: State = {
    ...reads,
    removals,
    details: createRequestDetails(reads),
    rounds: FIRST_ROUND,
    roundBegunAt: '',
    roundSearch: null,
    screenSearch: null,
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
    /** Starts a new round. At the user's request it covers the whole window and the details of near days. */
    refetch(cause: Cause) {
      state.rounds = { ...state.rounds, due: joined(state.rounds.due, cause) }
      if (cause === 'user') {
        state.refreshedAt = isoOf(clock.now())
        memory.forgetDetails()
        engine.clear()
      }
      engine.recheck()
    },
    /** The signal or the CRM returned, and a round will follow. */
    recovered() {
      const { due, windowRead } = state.rounds
      state.rounds = { ...state.rounds, due: afterOutage(due, windowRead) }
    },
    /** The device's storage refused documents (RULES ST4): a round over the window will follow. */
    refused() {
      memory.refused()
      removals.again()
    },
    /** RxDB has written this request. */
    wrote: memory.wrote,
    /** True while pages of the window are still to come: less urgent reads wait for them. */
    isReadingWindow: () => isReadingWindow(state),
    /** Emits when other records may be read: the round was read or given up. */
    windowRead$: state.round$.pipe(filter((step) => step === 'read' || step === 'given-up')),
    round$: state.round$,
  }
}

const isReadingWindow = ({ rounds, engine }: State) =>
  (rounds.due !== null || rounds.isUnderWay) && engine.triesOf(pagesOf(rounds)) < WINDOW_TRIES

const isRelevant = ({ kind, resource }: FetchRequest) =>
  kind === 'refresh' || ((kind === 'detail' || kind === 'search') && resource === undefined)

/** Plans the reads: screens' fetch requests, then the round, then expired requests, then details. */
async function plan(state: State, isOpen: boolean): Promise<Doc[] | null> {
  const { engine, db, removals, details } = state
  const pending = await pendingFetchRequests(db, engine, isRelevant)
  const latest = (kind: FetchRequest['kind']) => pending.find((one) => one.kind === kind)
  for (const one of pending)
    if (one.kind === 'detail')
      engine.offer(requestedDetail(state, one, isForCurrentScreen(one.askedAt, pending)))
  offerScreenSearch(state, latest('search'))
  if (!isOpen) return null
  if (state.rounds.due && state.roundSearch && engine.hasOwnFailure(state.roundSearch.name))
    giveUp(state, state.roundSearch)
  if (state.rounds.due && !state.roundSearch) beginRound(state, latest('refresh'))
  if (state.roundSearch) offerRoundSearch(state, state.roundSearch)
  if (isReadingWindow(state)) return null
  // While something is being read, expired requests are checked again at its end.
  const removed = engine.isBusy() ? [] : await removals.expired()
  if (removed.length > 0) return removed
  await details.offerDue(state.refreshedAt)
  return null
}

/** @param refresh the user's 更新 that the round answers */
function beginRound(state: State, refresh: FetchRequest | undefined) {
  const { clock, memory, details, removals, round$ } = state
  const now = clock.now()
  state.rounds = begunRound(state.rounds, refresh, now)
  const { range } = state.rounds
  state.roundBegunAt = isoOf(now)
  memory.beginRound(range)
  details.beginRound()
  removals.again()
  const days = { ...NO_FILTER, ...rangeDays(range, now) }
  state.roundSearch = newSearch({ name: pagesOf(state.rounds), filter: days, range, stamp: clock.stamp() })
  round$.next('begun')
}

/** Gives up a round whose next page cannot be read, so that the other range can be read first. */
function giveUp(state: State, search: Search) {
  state.engine.drop(search.name)
  state.roundSearch = null
  state.rounds = stuckRound(state.rounds)
  state.round$.next('given-up')
}

/** Offers the latest search of a screen. Earlier searches are dropped, because no screen shows them any more. */
function offerScreenSearch(state: State, fetchRequest: FetchRequest | undefined) {
  const { engine, clock } = state
  if (!fetchRequest) {
    state.screenSearch = null
    return
  }
  const name = fetchRequestName(fetchRequest)
  if (state.screenSearch?.name !== name) {
    if (state.screenSearch) engine.drop(state.screenSearch.name)
    const { filter: conditions = NO_FILTER } = fetchRequest
    state.screenSearch = newSearch({ name, filter: conditions, range: null, stamp: clock.stamp() })
  }
  const search = state.screenSearch
  const finish = ({ state: outcome, total }: SearchEnd): FetchAnswer => {
    if (search === state.screenSearch) state.screenSearch = null
    return { fetchRequest, state: outcome, total }
  }
  engine.offer({
    name,
    lane: 'pages',
    isForScreen: true,
    fetchRequest,
    read: (signal) => readPage(state, search, { priority: 'screen', signal }, finish),
  })
}

function offerRoundSearch(state: State, search: Search) {
  const { db, engine, answer, round$ } = state
  engine.offer({
    name: search.name,
    lane: 'pages',
    read: (signal) =>
      readPage(state, search, { priority: 'window', signal }, (end) => endRound(state, search, end)),
    async failed({ kind }, tries) {
      round$.next(tries === WINDOW_TRIES ? 'given-up' : 'failed')
      if (tries < WINDOW_TRIES || kind !== 'unknown') return
      // The CRM's answer was unusable: the screen can say so, and the read is retried.
      const [fetchRequest] = await pendingFetchRequests(db, engine, (one) => one.kind === 'refresh')
      if (fetchRequest) await answer({ fetchRequest, state: 'failed', total: 0 })
    },
  })
}

/**
 * Ends a round.
 * @returns the answer to the user's 更新
 */
function endRound(state: State, search: Search, end: SearchEnd): FetchAnswer | undefined {
  const { answers: fetchRequest } = state.rounds
  if (search === state.roundSearch) state.roundSearch = null
  state.rounds = endedRound(state.rounds, end, state.clock.now())
  if (search.range === 'window' && !end.isDoubted && end.isReadToEnd)
    state.memory.windowRead(state.roundBegunAt, search.unreadDays)
  state.round$.next(end.state === 'answered' ? 'read' : 'given-up')
  return fetchRequest && { fetchRequest, state: end.state, total: end.total }
}
