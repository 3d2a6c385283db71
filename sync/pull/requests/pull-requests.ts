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
import { filter, Subject } from 'rxjs'
import { isoOf } from '#schemas/instant.ts'
import type { RequestRecord } from '#schemas/resources/request.ts'
import { createPullEngine, type PullServices } from '#sync/pull/engine/engine.ts'
import { PLACES } from '#sync/scheduler/schedule.ts'
import {
  isForCurrentScreen,
  openQuestions,
  type Question,
  type QuestionAnswer,
  questionAnswerer,
  questionName,
} from '#sync/storage/interests.ts'
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

/** The steps of rounds; `failed` for each failed try of a page. */
export type RoundStep = 'begun' | 'failed' | 'given-up' | 'read'

/** Name of a round's pages; each range has its own back-off. */
const pagesOf = ({ range }: Rounds) => `request/search ${range}`
/**
 * After this many failures of the window's page, records of requests no longer wait for the window (RULES
 * PL8).
 */
const WINDOW_TRIES = 2

/** Details that nobody waits for use the background places of the queue (`schedule.ts`). */
const LANES = { screen: Infinity, pages: Infinity, details: PLACES.background }

/** The pull's state between two calls. */
interface State extends RequestReads {
  removals: ReturnType<typeof createRequestRemovals>
  details: ReturnType<typeof createRequestDetails>
  rounds: Rounds
  /** When the round began, ISO 8601. */
  begunAt: string
  /** The searches in progress: that of the round, and that of a screen. */
  window: Search | null
  search: Search | null
  /** When the user last requested everything, ISO 8601; '' if never. */
  refreshedAt: string
  round$: Subject<RoundStep>
}

function initialState(services: PullServices, supplierStaffId: string): State {
  const { db, api, clock, report } = services
  const memory = createRequestMemory(db, report)
  const removals = createRequestRemovals({ ...services, isBeingWritten: memory.isBeingWritten })
  const engine = createPullEngine<Doc>(
    { ...services, accepted: api.accepted, answer: questionAnswerer(db, clock) },
    { lanes: LANES, plan: (isOpen) => plan(state, isOpen), expired: removals.expired },
  )
  const reads: RequestReads = { ...services, supplierStaffId, memory, engine }
  const state: State = {
    ...reads,
    removals,
    details: createRequestDetails(reads),
    rounds: FIRST_ROUND,
    begunAt: '',
    window: null,
    search: null,
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
    /** Starts a new round. At the user's request it covers the whole window and the details of near days. */
    refetch(cause: Cause) {
      state.rounds = { ...state.rounds, due: joined(state.rounds.due, cause) }
      if (cause === 'asked') {
        state.refreshedAt = isoOf(clock.now())
        memory.unsettled()
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
    recheck: engine.recheck,
    /** RxDB has written this request. */
    wrote: memory.wrote,
    /** True while pages of the window are still to come: less urgent reads wait for them. */
    isReadingWindow: () => isReadingWindow(state),
    // Dependent records continue after a round that was given up, too.
    windowRead$: state.round$.pipe(filter((step) => step === 'read' || step === 'given-up')),
    round$: state.round$,
  }
}

const isReadingWindow = ({ rounds, engine }: State) =>
  (rounds.due !== null || rounds.isUnderWay) && engine.triesOf(pagesOf(rounds)) < WINDOW_TRIES

const isRelevant = ({ kind, resource }: Question) =>
  kind === 'refresh' || ((kind === 'detail' || kind === 'search') && resource === undefined)

/** Plans the reads: screens' questions, then the round, then expired requests, then details. */
async function plan(state: State, isOpen: boolean): Promise<Doc[] | null> {
  const { engine, db, removals, details } = state
  const questions = await openQuestions(db, engine, isRelevant)
  const latest = (kind: Question['kind']) => questions.find((one) => one.kind === kind)
  for (const question of questions)
    if (question.kind === 'detail')
      engine.offer(requestedDetail(state, question, isForCurrentScreen(question.askedAt, questions)))
  offerSearch(state, latest('search'))
  if (!isOpen) return null
  if (state.rounds.due && state.window && engine.hasOwnFailure(state.window.name)) giveUp(state, state.window)
  if (state.rounds.due && !state.window) beginRound(state, latest('refresh'))
  if (state.window) offerWindow(state, state.window)
  if (isReadingWindow(state)) return null
  // While something is being read, expired requests are checked again at its end.
  const removed = engine.isBusy() ? [] : await removals.expired()
  if (removed.length > 0) return removed
  await details.offerDue(state.refreshedAt)
  return null
}

function beginRound(state: State, question: Question | undefined) {
  const now = state.clock.now()
  state.rounds = begunRound(state.rounds, question, now)
  const { range } = state.rounds
  state.begunAt = isoOf(now)
  state.memory.beginRound(range)
  state.details.beginRound()
  state.removals.again()
  const filter = { ...NO_FILTER, ...rangeDays(range, now) }
  state.window = newSearch({ name: pagesOf(state.rounds), filter, range, stamp: state.clock.stamp() })
  state.round$.next('begun')
}

/** Gives up a round whose next page cannot be read, so that the other range can be read first. */
function giveUp(state: State, window: Search) {
  state.engine.drop(window.name)
  state.window = null
  state.rounds = stuckRound(state.rounds)
  state.round$.next('given-up')
}

/** Only the latest of several searches is still on a screen. */
function offerSearch(state: State, question: Question | undefined) {
  if (!question) {
    state.search = null
    return
  }
  const name = questionName(question)
  if (state.search?.name !== name) {
    if (state.search) state.engine.drop(state.search.name)
    const filter = question.filter ?? NO_FILTER
    state.search = newSearch({ name, filter, range: null, stamp: state.clock.stamp() })
  }
  const search = state.search
  const finish = (end: SearchEnd): QuestionAnswer => {
    if (search === state.search) state.search = null
    return { question, state: end.state, total: end.total }
  }
  state.engine.offer({
    name,
    lane: 'pages',
    isForScreen: true,
    question,
    read: (signal) => readPage(state, search, { priority: 'screen', signal }, finish),
  })
}

function offerWindow(state: State, window: Search) {
  const { db, engine, clock, round$ } = state
  engine.offer({
    name: window.name,
    lane: 'pages',
    read: (signal) =>
      readPage(state, window, { priority: 'window', signal }, (end) => endRound(state, window, end)),
    async failed({ kind }, tries) {
      round$.next(tries === WINDOW_TRIES ? 'given-up' : 'failed')
      if (tries < WINDOW_TRIES || kind !== 'unknown') return
      // The CRM's answer was unusable: the screen can say so, and the read is retried.
      const [question] = await openQuestions(db, engine, (one) => one.kind === 'refresh')
      if (question) await questionAnswerer(db, clock)({ question, state: 'failed', total: 0 })
    },
  })
}

/**
 * Ends a round.
 * @returns the answer to the user's 更新
 */
function endRound(state: State, window: Search, end: SearchEnd): QuestionAnswer | undefined {
  const question = state.rounds.answers
  if (window === state.window) state.window = null
  state.rounds = endedRound(state.rounds, end, state.clock.now())
  if (window.range === 'window' && !end.isDoubted && end.isReadToEnd)
    state.memory.windowRead(state.begunAt, window.unreadDays)
  state.round$.next(end.state === 'answered' ? 'read' : 'given-up')
  return question && { question, state: end.state, total: end.total }
}
