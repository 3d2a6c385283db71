/**
 * The pull of requests: there is no change feed, so each round reads the window page by page and reconciles it; then
 * answers what screens asked for beyond it; then reads details (RULES PL1, PL4, PL5). RxDB calls `handler` again as long
 * as it gives documents, and stops at an empty list; work that is left when a call fails is still there at the retry.
 *
 *     interest asked ─→ one request whole │ search pages
 *     trigger (start, reconnect, visible, 5 min, 更新) ─→ round: pages of today and tomorrow, or of all → removals
 *     idle ─→ details that are due; those only to be confirmed at their pace (PL10)
 *
 * What a screen asks for is read beside the rest (`pull-loop.ts`, RULES PL9).
 */
import type { WithDeleted } from 'rxdb'
import { Subject, type Observable } from 'rxjs'
import { visitKey } from '#schemas/visit-key.ts'
import type { Interest } from '#schemas/interest.ts'
import { PAGE_SIZE } from '#schemas/limits.ts'
import { requestWire, type RequestRecord } from '#schemas/request.ts'
import type { SyncDatabase } from '../storage/database.ts'
import type { PullGate } from '../transport/gate.ts'
import { attempt, tellProblems } from '../wire/attempt.ts'
import type { InFlight } from '../runtime/in-flight.ts'
import { isOnGlass } from './list-reads.ts'
import type { Outcome } from '../transport/outcome.ts'
import { PullAgain } from './read-backoff.ts'
import type { Pacer } from './pacer.ts'
import { createPullLoop } from './pull-loop.ts'
import { answerQuestion, openQuestions, questionName } from './questions.ts'
import type { Way } from '../transport/read-queue.ts'
import { createRequestDetails, type DetailRead } from './request-details.ts'
import { createRequestRemovals } from '../retention/request-removals.ts'
import { changedRecords, parseRequestPage } from '../merge/reconcile.ts'
import { afterOutage, joined, rangeDays, rangeOf, type Cause, type Range, type WindowRead } from './rounds.ts'
import {
  addPage,
  newPaging,
  NO_FILTER,
  pagingOf,
  readNextPage,
  searchQuery,
  type Paging,
} from './search-paging.ts'
import type { Ticks } from '../runtime/ticks.ts'
import type { PullClock } from '../runtime/time-keeper.ts'
import type { PullApi } from '../transport/api.ts'
import { toRequestRecord } from '../wire/request.ts'

type Docs = WithDeleted<RequestRecord>[]

export interface RequestPull {
  handler(): Promise<Docs>
  /** A new round; where the user asks, of the whole window, and of the details of what is near. */
  refetch(cause: Cause): void
  /** The signal or the CRM came back, and a round will follow. */
  recovered(): void
  /** The pages of a round are still to come: what is not as urgent waits for them. */
  isReadingWindow(): boolean
  windowRead$: Observable<unknown>
  /** There may be something else to read. */
  ring(): void
}

const WINDOW = 'request/search window'
/** After so many failures of the window what hangs on requests no longer waits for it (RULES PL8). */
const WINDOW_TRIES = 2

interface Parts {
  db: SyncDatabase
  api: PullApi
  gate: PullGate
  clock: PullClock
  supplierStaffId: string
  /** Told of what could not be read: the error log. */
  report: (problem: string) => void
  random: () => number
  ticks?: Ticks
  inFlight: InFlight
  pacer: Pick<Pacer, 'grant' | 'pausedSince'>
  stop$: Observable<unknown>
  /** Something may be tried again: the handler is to be called. */
  wake: () => void
}

export function createRequestPull(parts: Parts): RequestPull {
  const { db, api, gate, clock, supplierStaffId, report, pacer } = parts
  let roundDue: Cause | null = 'usual'
  let range: Range = 'window'
  let windowRead: WindowRead = null
  /** What the round was begun for: 更新 that comes during it is for the next. */
  let roundFor: Interest | undefined
  /** The pages of the round, and those of what a screen searches for. */
  let paging: Paging | null = null
  let search: Paging | null = null
  let refreshedAt = ''
  /** Whose details were read in this round, and the stamps: what RxDB has not written yet would be read again. */
  const detailsRead = new Map<string, string>()
  /** What was read of single requests while pages come: a page knows less, and RxDB may not have written it yet. */
  const detailed = new Map<string, RequestRecord>()
  const windowRead$ = new Subject<void>()
  const removals = createRequestRemovals(parts)

  const mark = () => ({ stamp: clock.stamp(), at: isoOf(clock.now()) })
  const loop = createPullLoop({ ...parts, accepted: api.accepted, expired: removals.expired, begin })
  const details = createRequestDetails({
    db,
    clock,
    loop,
    read: readDetail,
    answer: (...told) => answer(...told),
    failedFor: (...told) => failedFor(...told),
    refreshedAt: () => refreshedAt,
    pacer,
    isRead: (key) => detailsRead.has(key),
  })

  async function begin(isOpen: boolean): Promise<Docs | null> {
    const isMine = ({ kind, resource }: Interest) =>
      kind === 'refresh' || ((kind === 'detail' || kind === 'search') && resource === undefined)
    const questions = await openQuestions(db, loop.backoffs, isMine)
    for (const asked of questions)
      if (asked.kind === 'detail') details.beginAsked(asked, isOpen, isOnGlass(asked.askedAt, questions))
    beginSearch(
      questions.find(({ kind }) => kind === 'search'),
      isOpen,
    )
    if (!isOpen) return null
    if (roundDue && !paging)
      startRound(
        roundDue,
        questions.find(({ kind }) => kind === 'refresh'),
      )
    if (paging && loop.mayStart(WINDOW)) beginPage(WINDOW, paging, 'window')
    if (isReadingWindow()) return null
    const gone = await removals.expired()
    if (gone.length > 0) return gone
    await details.beginDue()
    return null
  }

  function beginSearch(asked: Interest | undefined, isOpen: boolean) {
    if (!asked) {
      search = null
      return
    }
    const name = questionName(asked)
    if (search?.interest?.askedAt !== asked.askedAt) {
      if (search?.interest) loop.drop(questionName(search.interest))
      search = pagingOf(asked)
    }
    if (loop.mayAsk(name, isOpen)) beginPage(name, search, 'screen')
  }

  function beginPage(name: string, current: Paging, priority: Way['priority']) {
    loop.start(
      name,
      (signal) => readPage(current, { priority, signal }),
      async (outcome) => {
        const tries = loop.backoffs.triesOf(WINDOW)
        if (!current.interest && tries === WINDOW_TRIES) windowRead$.next()
        const asked = current.interest ?? (tries < WINDOW_TRIES ? undefined : await refreshAsked())
        if (asked) await failedFor(asked, outcome)
      },
    )
  }

  /** The CRM said something of no use: the screen can say so, and it is tried again. */
  const failedFor = async (asked: Interest, { kind }: Outcome) =>
    kind === 'unknown' && answer(asked, 'failed', 0)

  const isReadingWindow = () =>
    (roundDue !== null || paging !== null) && loop.backoffs.triesOf(WINDOW) < WINDOW_TRIES

  /** @param asked the user's 更新, which this round answers: it reads the whole window */
  function startRound(cause: Cause, asked: Interest | undefined) {
    roundDue = null
    roundFor = asked
    range = rangeOf(asked ? 'asked' : cause, windowRead, clock.now())
    detailsRead.clear()
    details.again()
    removals.again()
    paging = newPaging({ ...NO_FILTER, ...rangeDays(range, clock.now()) }, null)
  }

  /** Reads one search page and gives the records it changes; after the last page, the removals too. */
  async function readPage(current: Paging, way: Way): Promise<Docs> {
    const query = { supplierStaffId, ...searchQuery(current.filter), limit: PAGE_SIZE }
    const { read, outcome } = await readNextPage(current, async (offset) => {
      const asOf = mark()
      return { read: asOf, outcome: await api.read('request/search', { ...query, offset }, way) }
    })
    if (outcome.kind === 'refused' || outcome.kind === 'missing') {
      report(`request/search: ${outcome.status}`)
      await finish(current, 'failed')
      return []
    }
    const page = parseRequestPage(usable(outcome).body)
    tellProblems(report, 'request/search', page.problems)
    const total = outcome.kind === 'accepted' ? outcome.total : null
    const size = page.rows.length + page.problems.length
    const local = await localRecords(page.rows.map((row) => visitKey(row.id, row.workingDate)))
    const isEndless = addPage(current, page, size, total)
    if (isEndless) report('request/search: pages without an end')
    const skipped = (problem: string) => report(`request/search: ${problem}`)
    const changed: Docs = changedRecords(page.rows, local, read, skipped).map((record) => ({
      ...record,
      _deleted: false,
    }))
    const isLast = isEndless || size < PAGE_SIZE || (total !== null && current.offset > total)
    if (!isLast) return changed
    const removed = await removals.of(current, range)
    await finish(current, 'answered')
    return [...changed, ...removed]
  }

  async function finish(current: Paging, state: 'answered' | 'failed') {
    if (current === search) search = null
    if (current === paging) paging = null
    if (!paging && !search) detailed.clear()
    if (!current.interest) windowRead$.next()
    // a doubted one is read again with the next round (PL6)
    if (!current.interest && range === 'window' && state === 'answered')
      windowRead = current.isDoubted ? null : clock.now()
    const interest = current.interest ?? roundFor
    if (interest) await answer(interest, state, current.totals.at(-1) ?? current.counted)
  }

  const refreshAsked = async () =>
    (await openQuestions(db, loop.backoffs, ({ kind }) => kind === 'refresh'))[0]

  /** One request whole. One that cannot be had is not asked for again in this round. */
  async function readDetail(id: string, workingDate: string, way: Way): Promise<DetailRead> {
    const key = visitKey(id, workingDate)
    const read = mark()
    const query = { supplierStaffId, workingDate: workingDate || undefined }
    const outcome = await api.read(`request/${encodeURIComponent(id)}`, query, way)
    // it was read anew beside this, for a screen
    if ((detailsRead.get(key) ?? '') > read.stamp) return { docs: [], state: 'answered' }
    if (outcome.kind === 'refused' || outcome.kind === 'missing') {
      detailsRead.set(key, read.stamp)
      return { docs: [], state: outcome.kind === 'missing' ? 'missing' : 'failed' }
    }
    const { body } = usable(outcome)
    const tried = attempt(() => requestWire(body))
    detailsRead.set(key, read.stamp)
    if (tried.kind === 'unreadable') {
      report(`request/${id}: ${tried.problem}`)
      return { docs: [], state: 'failed' }
    }
    const row = tried.value
    const found = visitKey(row.id, row.workingDate)
    const previous = (await localRecords([found])).get(found)
    const record = { ...toRequestRecord(row, previous, read, 'single'), detailConfirmedAt: read.at }
    // the search row's digest stays: the single read may differ from it in what it leaves out
    const rowDigest = previous?.rowDigest ?? record.rowDigest
    const doc = { ...record, rowDigest, _deleted: false }
    if (paging || search) detailed.set(found, doc)
    return { docs: [doc], state: 'answered' }
  }

  /** @throws PullAgain when it could not be asked */
  function usable(outcome: Outcome) {
    if (outcome.kind === 'accepted') {
      gate.succeeded()
      return outcome
    }
    throw new PullAgain(outcome)
  }

  const localRecords = async (keys: string[]) => {
    const docs = await db.requests.findByIds(keys).exec()
    const unwritten = keys.flatMap((key) => detailed.get(key) ?? [])
    return new Map(
      [...[...docs.values()].map((doc) => doc.toMutableJSON()), ...unwritten].map((one) => [one.key, one]),
    )
  }

  const answer = (interest: Interest, state: Interest['state'], total: number) =>
    answerQuestion(db, interest, { state, total, answeredAt: isoOf(clock.now()) })

  return {
    handler: loop.handler,
    refetch(cause) {
      roundDue = joined(roundDue, cause)
      if (cause === 'asked') {
        refreshedAt = isoOf(clock.now())
        loop.backoffs.clear()
      }
      loop.ring()
    },
    recovered: () => (roundDue = afterOutage(roundDue, windowRead)),
    ring: loop.ring,
    isReadingWindow,
    windowRead$,
  }
}

const isoOf = (ms: number) => new Date(ms).toISOString()
