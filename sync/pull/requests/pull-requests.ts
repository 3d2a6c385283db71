/**
 * The pull of requests. The CRM has no change feed, so each round reads the window page by page and
 * reconciles it, then answers screens' questions beyond it, then reads details (RULES PL1, PL4, PL5). The
 * engine runs it (`engine.ts`).
 *
 *     question ─→ one whole request │ search pages
 *     trigger (start, reconnect, visible, 5 min, 更新) ─→ round: pages of today and tomorrow, or of all ─→ removals
 *     idle ─→ due details; those only to be confirmed at their pace (PL10)
 */
import type { WithDeleted } from 'rxdb'
import { filter, Subject, type Observable } from 'rxjs'
import { isoOf } from '#schemas/instant.ts'
import type { RequestRecord } from '#schemas/resources/request.ts'
import { createRequestRemovals } from './request-removals.ts'
import type { InFlight } from '#sync/lib/in-flight.ts'
import type { Ticks } from '#sync/lib/ticks.ts'
import type { PullClock } from '#sync/lib/trusted-clock.ts'
import type { SyncDatabase } from '#sync/storage/database.ts'
import type { PullApi } from '#sync/scheduler/api.ts'
import type { PullGate } from '#sync/scheduler/scheduler.ts'
import { PLACES } from '#sync/scheduler/schedule.ts'
import { createPullEngine, type PullEngine } from '#sync/pull/engine/engine.ts'
import type { QuestionAnswer } from '#sync/pull/engine/engine-state.ts'
import type { Pacer } from '#sync/scheduler/prefetch.ts'
import type { Question } from '#sync/storage/interests.ts'
import {
  questionAnswerer,
  isForCurrentScreen,
  openQuestions,
  questionName,
} from '#sync/pull/engine/open-fetch-requests.ts'
import { requestedDetail, createRequestDetails, type DetailParts } from './request-details.ts'
import { createRequestMemory } from './request-memory.ts'
import { readPage, type PageParts, type SearchEnd } from './request-pages.ts'
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
import { newSearch, NO_FILTER, type Search } from './search-paging.ts'
import { createWindowReceipt } from './window-receipt.ts'

type Doc = WithDeleted<RequestRecord>

interface RequestPull {
  handler(): Promise<Doc[]>
  /** Starts a new round. At the user's request it covers the whole window and the details of near days. */
  refetch(cause: Cause): void
  /** The signal or the CRM returned, and a round will follow. */
  recovered(): void
  /** The device's storage refused documents (RULES ST4): a round over the window will follow. */
  refused(): void
  /** True while pages of the window are still to come: less urgent reads wait for them. */
  isReadingWindow(): boolean
  windowRead$: Observable<unknown>
  /** The steps of rounds; `failed` for each failed try of a page. */
  round$: Observable<RoundStep>
  /** Checks again which reads may begin. */
  ring(): void
  /** RxDB has written this request. */
  wrote(request: WithDeleted<RequestRecord>): void
}

export type RoundStep = 'begun' | 'failed' | 'given-up' | 'read'

/** Name of a round's pages; each range has its own back-off. */
const pagesOf = ({ range }: Rounds) => `request/search ${range}`
/**
 * After this many failures of the window's page, records of requests no longer wait for the window (RULES
 * PL8).
 */
const WINDOW_TRIES = 2

/** Details that nobody waits for use the background places of the queue (`schedule.ts`). */
const LANES = { asked: Infinity, pages: Infinity, details: PLACES.background }

interface Parts {
  db: SyncDatabase
  api: PullApi
  gate: PullGate
  clock: PullClock
  supplierStaffId: string
  /** Called with what could not be read, for the error log. */
  report: (problem: string) => void
  random: () => number
  ticks?: Ticks
  inFlight: InFlight
  pacer: Pick<Pacer, 'grant' | 'pausedSince'>
  stop$: Observable<unknown>
  /** Called when something may be tried again: RxDB should call the handler. */
  wake: () => void
}

/** The pull's state between two calls. */
interface State {
  db: SyncDatabase
  clock: PullClock
  engine: PullEngine<Doc>
  removals: ReturnType<typeof createRequestRemovals>
  memory: ReturnType<typeof createRequestMemory>
  receipt: ReturnType<typeof createWindowReceipt>
  rounds: Rounds
  /** When the round began, ISO 8601. */
  begunAt: string
  /** The searches in progress: that of the round, and that of a screen. */
  window: Search | null
  search: Search | null
  refreshedAt: string
  round$: Subject<RoundStep>
}

type Service = 'db' | 'clock' | 'engine' | 'removals' | 'memory' | 'receipt'

const initialState = (services: Pick<State, Service>): State => ({
  ...services,
  rounds: FIRST_ROUND,
  begunAt: '',
  window: null,
  search: null,
  refreshedAt: '',
  round$: new Subject(),
})

export function createRequestPull(parts: Parts): RequestPull {
  const { db, api, clock } = parts
  const memory = createRequestMemory(db)
  const removals = createRequestRemovals({ ...parts, isGiven: memory.isGiven })
  const engine = createPullEngine<Doc>(
    { ...parts, accepted: api.accepted, answer: questionAnswerer(db, clock) },
    { lanes: LANES, plan: (isOpen) => plan(isOpen), expired: removals.expired },
  )
  const state = initialState({ db, clock, engine, removals, memory, receipt: createWindowReceipt(parts) })
  const detailParts: DetailParts = {
    ...parts,
    memory,
    engine,
    refreshedAt: () => state.refreshedAt,
  }
  const paging: PageParts = {
    ...parts,
    memory,
    removals,
    range: () => state.rounds.range,
    snapshotOf: engine.snapshotOf,
    gives: (search, keys) => search === state.window && isOfWindow(state) && state.receipt.gives(keys),
    finish: (search, end) => finishSearch(state, search, end),
  }
  const plan = planOf(state, paging, detailParts)
  return {
    handler: engine.handler,
    refetch(cause) {
      state.rounds = { ...state.rounds, due: joined(state.rounds.due, cause) }
      if (cause === 'asked') {
        state.refreshedAt = isoOf(clock.now())
        memory.unsettled()
        engine.clear()
      }
      engine.ring()
    },
    recovered() {
      const { due, windowRead } = state.rounds
      state.rounds = { ...state.rounds, due: afterOutage(due, windowRead) }
    },
    refused() {
      memory.refused()
      removals.again()
    },
    ring: engine.ring,
    wrote(request) {
      memory.wrote(request)
      state.receipt.wrote(request.key)
    },
    isReadingWindow: () => isReadingWindow(state),
    // Dependent records continue after a round that was given up, too.
    windowRead$: state.round$.pipe(filter((step) => step === 'read' || step === 'given-up')),
    round$: state.round$,
  }
}

const isOfWindow = ({ rounds }: Pick<State, 'rounds'>) => rounds.range === 'window'

const isReadingWindow = ({ rounds, engine }: State) =>
  (rounds.due !== null || rounds.isUnderWay) && engine.triesOf(pagesOf(rounds)) < WINDOW_TRIES

const isRelevant = ({ kind, resource }: Question) =>
  kind === 'refresh' || ((kind === 'detail' || kind === 'search') && resource === undefined)

/** Plans the reads: screens' questions, then the round, then expired requests, then details. */
function planOf(state: State, paging: PageParts, detailParts: DetailParts) {
  const { engine, db, removals } = state
  const details = createRequestDetails(detailParts)

  function beginRound(asked: Question | undefined) {
    const now = state.clock.now()
    state.rounds = begunRound(state.rounds, asked, now)
    state.begunAt = isoOf(now)
    if (isOfWindow(state)) state.receipt.begun()
    state.memory.again()
    details.again()
    removals.again()
    const filter = { ...NO_FILTER, ...rangeDays(state.rounds.range, now) }
    state.window = newSearch({ name: pagesOf(state.rounds), filter, stamp: state.clock.stamp() })
    state.round$.next('begun')
  }

  return async (isOpen: boolean): Promise<Doc[] | null> => {
    const questions = await openQuestions(db, engine, isRelevant)
    for (const asked of questions)
      if (asked.kind === 'detail')
        engine.offer(requestedDetail(detailParts, asked, isForCurrentScreen(asked.askedAt, questions)))
    offerSearch(
      state,
      paging,
      questions.find(({ kind }) => kind === 'search'),
    )
    if (!isOpen) return null
    if (state.rounds.due && state.window && engine.hasOwnFailure(state.window.name))
      giveUp(state, state.window)
    if (state.rounds.due && !state.window) beginRound(questions.find(({ kind }) => kind === 'refresh'))
    if (state.window) offerWindow(state, paging, state.window)
    if (isReadingWindow(state)) return null
    // While something is being read, expired requests are checked again at its end.
    const removed = engine.isBusy() ? [] : await removals.expired()
    if (removed.length > 0) return removed
    await details.offerDue()
    return null
  }
}

/** Gives up a round whose next page cannot be read, so that the other range can be read first. */
function giveUp(state: State, window: Search) {
  state.engine.drop(window.name)
  state.window = null
  state.rounds = stuckRound(state.rounds)
  state.round$.next('given-up')
}

/** Only the latest of several searches is still on a screen. */
function offerSearch(state: State, paging: PageParts, asked: Question | undefined) {
  if (!asked) {
    state.search = null
    return
  }
  const name = questionName(asked)
  if (state.search?.name !== name) {
    if (state.search) state.engine.drop(state.search.name)
    const filter = asked.filter ?? NO_FILTER
    state.search = newSearch({ name, filter, stamp: state.clock.stamp() }, asked)
  }
  const search = state.search
  state.engine.offer({
    name,
    lane: 'pages',
    isForScreen: true,
    asked,
    read: (signal) => readPage(paging, search, { priority: 'screen', signal }),
  })
}

function offerWindow({ db, engine, clock, round$ }: State, paging: PageParts, window: Search) {
  engine.offer({
    name: window.name,
    lane: 'pages',
    read: (signal) => readPage(paging, window, { priority: 'window', signal }),
    async failed({ kind }, tries) {
      round$.next(tries === WINDOW_TRIES ? 'given-up' : 'failed')
      if (tries < WINDOW_TRIES || kind !== 'unknown') return
      // The CRM's answer was unusable: the screen can say so, and the read is retried.
      const [asked] = await openQuestions(db, engine, (one) => one.kind === 'refresh')
      if (asked) await questionAnswerer(db, clock)({ asked, state: 'failed', total: 0 })
    },
  })
}

/**
 * Ends a search.
 * @returns the answer to its question
 */
function finishSearch(state: State, search: Search, end: SearchEnd): QuestionAnswer | undefined {
  const asked = search.question ?? state.rounds.answers
  if (search === state.search) state.search = null
  if (search === state.window) state.window = null
  if (search.question === null) {
    state.rounds = endedRound(state.rounds, end, state.clock.now())
    if (isOfWindow(state) && !end.isDoubted && end.isReadToEnd)
      state.receipt.read(state.begunAt, search.unreadDays)
    state.round$.next(end.state === 'answered' ? 'read' : 'given-up')
  }
  return asked && { asked, state: end.state, total: end.total }
}
