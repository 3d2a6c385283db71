/**
 * The pull of requests: there is no change feed, so each round reads the window page by page and reconciles it; then
 * answers what screens asked for beyond it; then reads details (RULES PL1, PL4, PL5). RxDB calls `handler` again as long
 * as it gives documents, and stops at an empty list; work that is left when a call fails is still there at the retry.
 *
 *     trigger (start, reconnect, visible, 5 min, 更新) ─→ round: pages of today and tomorrow, or of all → removals
 *     interest asked ─→ one request whole │ search pages
 *     idle ─→ details that are due, 4 at once; those only to be confirmed at their pace (PL10)
 */
import type { WithDeleted } from 'rxdb'
import { Subject, type Observable } from 'rxjs'
import { type } from 'arktype'
import { visitKey } from '#schemas/visit-key.ts'
import type { Interest } from '#schemas/interest.ts'
import { PAGE_SIZE, READS_AT_ONCE } from '#schemas/limits.ts'
import { requestWire, type RequestRecord } from '#schemas/request.ts'
import type { SyncDatabase } from './database.ts'
import { eachOnce, expiredBefore, passedOr } from './expiry.ts'
import { daysAt, laterDueBefore } from './freshness.ts'
import type { Gate } from './gate.ts'
import { hanging } from './hanging.ts'
import type { Outcome } from './outcome.ts'
import type { Pacer } from './pacer.ts'
import { readOnce } from './read-once.ts'
import { changedRecords, detailsDue, missingKeys, parseRequestPage } from './reconcile.ts'
import { afterOutage, joined, rangeDays, rangeOf, type Cause, type Range, type WindowRead } from './rounds.ts'
import {
  newPaging,
  NO_CONDITIONS,
  NO_FILTER,
  pagingOf,
  readNextPage,
  searchQuery,
  type Paging,
} from './search-paging.ts'
import type { Api } from './transport/api.ts'
import { toRequestRecord } from './wire/request.ts'

type Docs = WithDeleted<RequestRecord>[]

export interface RequestPull {
  handler(): Promise<Docs>
  /** A new round; where the user asks, of the whole window, and of the details of what is near. */
  refetch(cause: Cause): void
  /** The CRM answers again, and a round will follow. */
  recovered(): void
  /** The pages of the window are still to come: what is not as urgent waits for them. */
  isReadingWindow(): boolean
  windowRead$: Observable<unknown>
}

const DUE_KEPT = 100

interface Parts {
  db: SyncDatabase
  api: Api
  gate: Gate
  clock: { now(): number; stamp(): string }
  supplierStaffId: string
  /** Told of what could not be read: the error log. */
  report: (problem: string) => void
  pacer: Pick<Pacer, 'grant' | 'pausedSince'>
}

interface DetailRead {
  docs: Docs
  state: 'answered' | 'missing' | 'failed'
}

export class PullAgain extends Error {}

/**
 * What several reads gave. What came is not lost because another one failed: that one is still due at the next call.
 * @throws the first failure, where nothing came
 */
export async function allOrSome<T>(reads: Promise<T>[]): Promise<T[]> {
  const ends = await Promise.allSettled(reads)
  const came = ends.flatMap((end) => (end.status === 'fulfilled' ? [end.value] : []))
  return came.length > 0 ? came : Promise.all(reads)
}

export function createRequestPull(parts: Parts): RequestPull {
  const { db, api, gate, clock, supplierStaffId, report, pacer } = parts
  let roundDue: Cause | null = 'usual'
  let range: Range = 'window'
  let windowRead: WindowRead = null
  let paging: Paging | null = null
  let refreshedAt = ''
  /** Whose details were read in this round: what RxDB has not written yet would be read again. */
  const detailsRead = new Set<string>()
  /** Whose details are still to be read, most urgent first; looked for anew when none is left. */
  let due: { due: RequestRecord[]; paced: RequestRecord[] } = { due: [], paced: [] }
  /** What was read of single requests while pages come: a page knows less, and RxDB may not have written it yet. */
  const detailed = new Map<string, RequestRecord>()
  const windowRead$ = new Subject<void>()
  const evicted = eachOnce()

  const mark = () => ({ stamp: clock.stamp(), at: isoOf(clock.now()) })
  const asked = (kind: Interest['kind']) =>
    db.interests
      .findOne({
        selector: { state: 'asked', kind, resource: { $exists: false } },
        sort: [{ askedAt: 'desc' }],
      })
      .exec()

  async function next(): Promise<Docs | null> {
    const detail = await asked('detail')
    if (detail) return answerDetail(detail.toMutableJSON())
    if (paging) return readPage(paging)
    if (roundDue) return startRound(roundDue)
    const search = await asked('search')
    if (search) return readPage((paging = pagingOf(search.toMutableJSON())))
    const gone = await expired()
    return gone.length > 0 ? gone : readDetails()
  }

  function startRound(cause: Cause) {
    roundDue = null
    range = rangeOf(cause, windowRead, clock.now())
    detailsRead.clear()
    evicted.again()
    paging = newPaging({ ...NO_FILTER, ...rangeDays(range, clock.now()) }, null)
    return readPage(paging)
  }

  /** Reads one search page and gives the records it changes; after the last page, the removals too. */
  async function readPage(current: Paging): Promise<Docs> {
    const query = { supplierStaffId, ...searchQuery(current.filter), limit: PAGE_SIZE }
    const { read, outcome } = await readNextPage(current, async (offset) => {
      const asOf = mark()
      return { read: asOf, outcome: await api.read('request/search', { ...query, offset }) }
    })
    if (outcome.kind === 'refused' || outcome.kind === 'missing') {
      report(`request/search: ${outcome.status} ${outcome.reasons.join(' ')}`)
      await finish(current, 'failed')
      return []
    }
    const page = parseRequestPage(usable(outcome).body)
    page.problems.forEach(report)
    const total = outcome.kind === 'accepted' ? outcome.total : null
    const size = page.rows.length + page.problems.length
    const local = await localRecords(page.rows.map((row) => visitKey(row.id, row.workingDate)))
    for (const row of page.rows) current.seen.add(visitKey(row.id, row.workingDate))
    for (const key of page.skippedKeys) current.seen.add(key)
    current.counted += size
    current.totals.push(total)
    current.unreadable ||= page.unreadable
    current.offset += PAGE_SIZE
    const changed: Docs = changedRecords(page.rows, local, read).map((record) => ({
      ...record,
      _deleted: false,
    }))
    const isLast = size < PAGE_SIZE || (total !== null && current.offset > total)
    if (!isLast) return changed
    const removed = await removedRecords(current)
    await finish(current, 'answered')
    return [...changed, ...removed]
  }

  /** Only a search by days says what is gone: how the CRM compares texts is its own affair. */
  async function removedRecords(current: Paging): Promise<Docs> {
    const { from, to, ...others } = current.filter
    if (JSON.stringify(others) !== JSON.stringify(NO_CONDITIONS)) return []
    const selector = { workingDate: { $gte: from || '0', $lte: to || '9' } }
    const docs = await db.requests.find({ selector }).exec()
    const { onRequest } = await hanging(db)
    const gone = missingKeys(
      current,
      docs.map((doc) => doc.key),
      new Set(docs.filter(onRequest).map((doc) => doc.key)),
    )
    return docs.filter((doc) => gone.includes(doc.key)).map(removed)
  }

  /** What nobody confirmed for a day (RULES EX1). */
  async function expired(): Promise<Docs> {
    const selector = { confirmedAt: { $lt: expiredBefore(clock.now()) } }
    const docs = await db.requests.find({ selector }).exec()
    if (docs.length === 0) return []
    const { onRequest } = await hanging(db)
    return evicted.only(docs.filter((doc) => !onRequest(doc))).map(removed)
  }

  async function finish(current: Paging, state: 'answered' | 'failed') {
    paging = null
    detailed.clear()
    if (!current.interest) windowRead$.next()
    if (!current.interest && range === 'window' && state === 'answered') windowRead = clock.now()
    const interest = current.interest ?? (await asked('refresh'))?.toMutableJSON()
    if (interest) await answer(interest, state, current.totals.at(-1) ?? current.counted)
  }

  async function answerDetail(interest: Interest): Promise<Docs> {
    const { requestId = '', workingDate = '' } = interest
    const { docs, state } = await readDetail(requestId, workingDate)
    await answer(interest, state, docs.length)
    return docs
  }

  async function readDetails(): Promise<Docs | null> {
    // while some wait for their pace, others may have become urgent
    if (due.due.length === 0) due = await findDue()
    const batch = due.due.splice(0, READS_AT_ONCE)
    if (batch.length === 0)
      batch.push(...due.paced.splice(0, pacer.grant(Math.min(READS_AT_ONCE, due.paced.length))))
    if (batch.length === 0) return null
    const read = await allOrSome(batch.map(({ id, workingDate }) => readDetail(id, workingDate)))
    return read.flatMap(({ docs }) => docs)
  }

  /** By index: of thousands of requests few are due; without a signal thousands would only wait in memory. */
  async function findDue() {
    const now = clock.now()
    const days = daysAt(now)
    // '' where they were never read
    const old = { detailConfirmedAt: { $lte: isoOf(laterDueBefore(now)) } }
    const near = { workingDate: { $gte: days.today, $lte: days.soon } }
    const read = await Promise.all([old, near].map((selector) => readOnce(db.requests, { selector })))
    const records = new Map(read.flat().map((request) => [request.key, request]))
    const unread = [...records.values()].filter(({ key }) => !detailsRead.has(key))
    const found = detailsDue(unread, { now, days, refreshedAt, pausedSince: pacer.pausedSince() })
    return { due: found.due.slice(0, DUE_KEPT), paced: found.paced.slice(0, DUE_KEPT) }
  }

  /** One request whole. One that cannot be had is not asked for again in this round. */
  async function readDetail(id: string, workingDate: string): Promise<DetailRead> {
    const key = visitKey(id, workingDate)
    const read = mark()
    const query = { supplierStaffId, workingDate: workingDate || undefined }
    const outcome = await api.read(`request/${encodeURIComponent(id)}`, query)
    if (outcome.kind === 'refused' || outcome.kind === 'missing') {
      detailsRead.add(key)
      return { docs: [], state: outcome.kind === 'missing' ? 'missing' : 'failed' }
    }
    const row = requestWire(usable(outcome).body)
    detailsRead.add(key)
    if (row instanceof type.errors) {
      report(`request/${id}: ${row.summary}`)
      return { docs: [], state: 'failed' }
    }
    const found = visitKey(row.id, row.workingDate)
    const previous = (await localRecords([found])).get(found)
    const record = { ...toRequestRecord(row, previous, read, 'single'), detailConfirmedAt: read.at }
    // the search row's digest stays: the single read may differ from it in what it leaves out
    const rowDigest = previous?.rowDigest ?? record.rowDigest
    const doc = { ...record, rowDigest, _deleted: false }
    if (paging) detailed.set(found, doc)
    return { docs: [doc], state: 'answered' }
  }

  /** @throws PullAgain when the CRM could not be asked; RxDB then calls the handler again */
  function usable(outcome: Outcome) {
    if (outcome.kind === 'accepted') {
      gate.succeeded()
      return outcome
    }
    gate.failed(outcome.kind === 'throttled' ? outcome.retryAfterMs : 0)
    throw new PullAgain(outcome.kind)
  }

  const localRecords = async (keys: string[]) => {
    const docs = await db.requests.findByIds(keys).exec()
    const unwritten = keys.flatMap((key) => detailed.get(key) ?? [])
    return new Map(
      [...[...docs.values()].map((doc) => doc.toMutableJSON()), ...unwritten].map((one) => [one.key, one]),
    )
  }

  const answer = async (interest: Interest, state: Interest['state'], total: number) => {
    const doc = await db.interests.findOne(interest.key).exec()
    // asked again meanwhile (another filter under the same key): that one is still to be answered
    if (doc?.askedAt === interest.askedAt)
      await doc.incrementalPatch({ state, total, answeredAt: isoOf(clock.now()) })
  }

  return {
    async handler() {
      for (;;) {
        const gone = await passedOr(gate, expired)
        const docs = gone.length > 0 ? gone : await next()
        if (docs === null) return []
        if (docs.length > 0) return docs
      }
    },
    refetch(cause) {
      roundDue = joined(roundDue, cause)
      if (cause === 'asked') refreshedAt = isoOf(clock.now())
    },
    recovered: () => (roundDue = afterOutage(roundDue, windowRead)),
    isReadingWindow: () => roundDue !== null || (paging !== null && !paging.interest),
    windowRead$,
  }
}

const removed = (doc: { toMutableJSON(): RequestRecord }) => ({ ...doc.toMutableJSON(), _deleted: true })

const isoOf = (ms: number) => new Date(ms).toISOString()
