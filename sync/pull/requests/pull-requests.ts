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
import type { PullGate } from '#sync/scheduler/gate.ts'
import { PLACES } from '#sync/scheduler/read-queue.ts'
import { createPullEngine, type PullEngine } from '#sync/pull/engine/engine.ts'
import type { QuestionAnswer } from '#sync/pull/engine/engine-state.ts'
import type { Pacer } from '#sync/scheduler/prefetch-rate-limit.ts'
import type { Question } from '#sync/storage/interests.ts'
import {
  answering,
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
  /** Starts a new round. If the user requests it, it covers the whole window and near details. */
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
  /** There may be something else to read. */
  ring(): void
  /** RxDB has written this request. */
  wrote(request: WithDeleted<RequestRecord>): void
}

export type RoundStep = 'begun' | 'failed' | 'given-up' | 'read'

/** Name of a round's pages; each range has its own back-off. */
const pagesOf = ({ range }: Rounds) => `request/search ${range}`
/**
 * After this many failures of the window, records that belong to requests no longer wait for it (RULES PL8).
 */
const WINDOW_TRIES = 2

/** Details that nobody waits for use the background places of the queue (`read-queue.ts`). */
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
interface Own {
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

type Made = 'db' | 'clock' | 'engine' | 'removals' | 'memory' | 'receipt'

const ownOf = (made: Pick<Own, Made>): Own => ({
  ...made,
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
    { ...parts, accepted: api.accepted, answer: answering(db, clock) },
    { lanes: LANES, plan: (isOpen) => plan(isOpen), expired: removals.expired },
  )
  const own = ownOf({ db, clock, engine, removals, memory, receipt: createWindowReceipt(parts) })
  const detailing: DetailParts = {
    ...parts,
    memory,
    engine,
    refreshedAt: () => own.refreshedAt,
  }
  const paging: PageParts = {
    ...parts,
    memory,
    removals,
    range: () => own.rounds.range,
    snapshotOf: engine.snapshotOf,
    gives: (search, keys) => search === own.window && isOfWindow(own) && own.receipt.gives(keys),
    finish: (search, end) => finished(own, search, end),
  }
  const plan = planOf(own, paging, detailing)
  return {
    handler: engine.handler,
    refetch(cause) {
      own.rounds = { ...own.rounds, due: joined(own.rounds.due, cause) }
      if (cause === 'asked') {
        own.refreshedAt = isoOf(clock.now())
        memory.unsettled()
        engine.clear()
      }
      engine.ring()
    },
    recovered() {
      const { due, windowRead } = own.rounds
      own.rounds = { ...own.rounds, due: afterOutage(due, windowRead) }
    },
    refused() {
      memory.refused()
      removals.again()
    },
    ring: engine.ring,
    wrote(request) {
      memory.wrote(request)
      own.receipt.wrote(request.key)
    },
    isReadingWindow: () => isReadingWindow(own),
    // Dependent records wait no longer, whatever became of the round.
    windowRead$: own.round$.pipe(filter((step) => step === 'read' || step === 'given-up')),
    round$: own.round$,
  }
}

const isOfWindow = ({ rounds }: Pick<Own, 'rounds'>) => rounds.range === 'window'

const isReadingWindow = ({ rounds, engine }: Own) =>
  (rounds.due !== null || rounds.isUnderWay) && engine.triesOf(pagesOf(rounds)) < WINDOW_TRIES

const isMine = ({ kind, resource }: Question) =>
  kind === 'refresh' || ((kind === 'detail' || kind === 'search') && resource === undefined)

/** Plans the reads: screens' questions, then the round, then expired requests, then details. */
function planOf(own: Own, paging: PageParts, detailing: DetailParts) {
  const { engine, db, removals } = own
  const details = createRequestDetails(detailing)

  function beginRound(asked: Question | undefined) {
    const now = own.clock.now()
    own.rounds = begunRound(own.rounds, asked, now)
    own.begunAt = isoOf(now)
    if (isOfWindow(own)) own.receipt.begun()
    own.memory.again()
    details.again()
    removals.again()
    const filter = { ...NO_FILTER, ...rangeDays(own.rounds.range, now) }
    own.window = newSearch({ name: pagesOf(own.rounds), filter, stamp: own.clock.stamp() })
    own.round$.next('begun')
  }

  return async (isOpen: boolean): Promise<Doc[] | null> => {
    const questions = await openQuestions(db, engine, isMine)
    for (const asked of questions)
      if (asked.kind === 'detail')
        engine.offer(requestedDetail(detailing, asked, isForCurrentScreen(asked.askedAt, questions)))
    offerSearch(
      own,
      paging,
      questions.find(({ kind }) => kind === 'search'),
    )
    if (!isOpen) return null
    if (own.rounds.due && own.window && engine.isAlone(own.window.name)) giveUp(own, own.window)
    if (own.rounds.due && !own.window) beginRound(questions.find(({ kind }) => kind === 'refresh'))
    if (own.window) offerWindow(own, paging, own.window)
    if (isReadingWindow(own)) return null
    // While something is being read, expired requests are checked again at its end.
    const gone = engine.isBusy() ? [] : await removals.expired()
    if (gone.length > 0) return gone
    await details.offerDue()
    return null
  }
}

/** Gives up a round whose next page cannot be read, so that the other range can be read first. */
function giveUp(own: Own, window: Search) {
  own.engine.drop(window.name)
  own.window = null
  own.rounds = stuckRound(own.rounds)
  own.round$.next('given-up')
}

/** Only the latest of several searches is still on a screen. */
function offerSearch(own: Own, paging: PageParts, asked: Question | undefined) {
  if (!asked) {
    own.search = null
    return
  }
  const name = questionName(asked)
  if (own.search?.name !== name) {
    if (own.search) own.engine.drop(own.search.name)
    const filter = asked.filter ?? NO_FILTER
    own.search = newSearch({ name, filter, stamp: own.clock.stamp() }, asked)
  }
  const search = own.search
  own.engine.offer({
    name,
    lane: 'pages',
    isAsked: true,
    asked,
    read: (signal) => readPage(paging, search, { priority: 'screen', signal }),
  })
}

function offerWindow({ db, engine, clock, round$ }: Own, paging: PageParts, window: Search) {
  engine.offer({
    name: window.name,
    lane: 'pages',
    read: (signal) => readPage(paging, window, { priority: 'window', signal }),
    async failed({ kind }, tries) {
      round$.next(tries === WINDOW_TRIES ? 'given-up' : 'failed')
      if (tries < WINDOW_TRIES || kind !== 'unknown') return
      // The CRM's answer was unusable: the screen can say so, and the read is retried.
      const [asked] = await openQuestions(db, engine, (one) => one.kind === 'refresh')
      if (asked) await answering(db, clock)({ asked, state: 'failed', total: 0 })
    },
  })
}

/**
 * Ends a search.
 * @returns the answer to its question
 */
function finished(own: Own, search: Search, end: SearchEnd): QuestionAnswer | undefined {
  const asked = search.question ?? own.rounds.answers
  if (search === own.search) own.search = null
  if (search === own.window) own.window = null
  if (search.question === null) {
    own.rounds = endedRound(own.rounds, end, own.clock.now())
    if (isOfWindow(own) && !end.isDoubted && end.isToItsEnd) own.receipt.read(own.begunAt, search.unreadDays)
    own.round$.next(end.state === 'answered' ? 'read' : 'given-up')
  }
  return asked && { asked, state: end.state, total: end.total }
}
