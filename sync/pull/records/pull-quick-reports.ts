/**
 * The pull of quick reports. The request's row says whether there is a report and when it changed; only then
 * its reasons and content are read (`GET quickReport/{id}`). The engine runs it (`engine.ts`).
 */
import type { Observable } from 'rxjs'
import type { WithDeleted } from 'rxdb'
import type { QuickReportRecord } from '#schemas/resources/quick-report.ts'
import type { RequestRecord } from '#schemas/resources/request.ts'
import { reconcileSummaries, summaryPart, type RequestSummary } from '#sync/merge/quick-report-summaries.ts'
import { dependentsOf } from '#sync/retention/dependents.ts'
import { eachOnce, isExpiredRecord, type EachOnce } from '#sync/retention/expiry.ts'
import type { InFlight } from '#sync/lib/in-flight.ts'
import type { Ticks } from '#sync/lib/ticks.ts'
import type { PullClock } from '#sync/lib/trusted-clock.ts'
import { collectionOf, type SyncDatabase } from '#sync/storage/database.ts'
import type { PullApi } from '#sync/scheduler/api.ts'
import type { PullGate } from '#sync/scheduler/gate.ts'
import { PLACES } from '#sync/scheduler/read-queue.ts'
import { forgetResults, localRecords, withDocument } from './local-records.ts'
import { createPullEngine, type PullEngine } from '#sync/pull/engine/engine.ts'
import type { Question } from '#sync/storage/interests.ts'
import { answering, isForCurrentScreen, openQuestions } from '#sync/pull/engine/open-fetch-requests.ts'
import { requestedReport, reportContent } from './quick-report-reads.ts'
import { requestsByDay } from '#sync/pull/requests/requests-for.ts'
import { fewestTriesFirst } from '#sync/scheduler/read-backoff.ts'

type Doc = WithDeleted<QuickReportRecord>

interface QuickReportPull {
  handler(): Promise<Doc[]>
  /** This request may have news about its report. */
  look(request: WithDeleted<RequestRecord>): void
  /** Starts a new round over all requests. */
  refetch(): void
  /** There may be something else to read. */
  ring(): void
}

interface Parts {
  db: SyncDatabase
  api: PullApi
  gate: PullGate
  clock: PullClock
  report: (problem: string) => void
  random: () => number
  ticks?: Ticks
  inFlight: InFlight
  stop$: Observable<unknown>
  /** Called when something may be tried again: RxDB should call the handler. */
  wake: () => void
}

/** Contents that nobody waits for use the background places of the queue (`read-queue.ts`). */
const LANES = { asked: Infinity, contents: PLACES.background }

/** The pull's state between two calls. */
interface Own {
  parts: Parts
  engine: PullEngine<Doc>
  /** Number of rounds requested, and completed. */
  round: number
  done: number
  /** Requests that were written or removed since the last check. */
  written: Map<string, WithDeleted<RequestRecord>>
  /** Keys of reports whose content was read in this round. */
  contentRead: Set<string>
  evicted: EachOnce
}

export function createQuickReportPull(parts: Parts): QuickReportPull {
  const { db, api, clock } = parts
  const engine = createPullEngine<Doc>(
    { ...parts, accepted: api.accepted, answer: answering(db, clock) },
    { lanes: LANES, plan: (isOpen) => plan(own, isOpen), expired: () => expired(own) },
  )
  const own: Own = {
    parts,
    engine,
    round: 1,
    done: 0,
    written: new Map(),
    contentRead: new Set(),
    evicted: eachOnce(),
  }
  return {
    handler: engine.handler,
    ring: engine.ring,
    look(request) {
      own.written.set(request.key, request)
    },
    refetch() {
      own.round += 1
    },
  }
}

/** Plans the reads: screens' questions, then news from requests, then contents. */
async function plan(own: Own, isOpen: boolean): Promise<Doc[] | null> {
  const { parts, engine } = own
  const isMine = ({ kind, resource }: Question) => kind === 'detail' && resource === 'quickReports'
  const questions = await openQuestions(parts.db, engine, isMine)
  for (const asked of questions)
    engine.offer(requestedReport(parts, asked, isForCurrentScreen(asked.askedAt, questions)))
  if (!isOpen) return null
  if (own.done < own.round || own.written.size > 0) return [...(await news(own)), ...(await expired(own))]
  await offerContents(own)
  return null
}

/** Reports that the requests' rows change: over all requests in a new round, else those that were written. */
async function news(own: Own): Promise<Doc[]> {
  const { parts, round, written } = own
  const latest = [...written.values()]
  const isNewRound = own.done < round
  const requests = isNewRound ? await allRequests(parts.db) : latest.filter(({ _deleted }) => !_deleted)
  const docs = reconcileSummaries(requests, await localReports(parts.db))
  const gone = docs.filter(({ _deleted }) => _deleted)
  for (const { key } of gone)
    await forgetResults(parts.db, 'quickReports', [key], requests.find((one) => one.key === key)?.readStamp)
  own.done = round
  for (const request of latest) if (written.get(request.key) === request) written.delete(request.key)
  own.contentRead.clear()
  own.evicted.again()
  return docs
}

async function offerContents({ parts, engine, contentRead }: Own): Promise<void> {
  if (engine.free('contents') <= 0) return
  const isDue = ({ server, key }: QuickReportRecord) =>
    server?.outTime && !server.detailed && !contentRead.has(key)
  const due = (await localReports(parts.db)).filter((one) => isDue(one) && engine.mayStart(one.key))
  const inTurn = fewestTriesFirst(due, ({ key }) => engine.triesOf(key))
  for (const one of inTurn.slice(0, engine.free('contents')))
    engine.offer(reportContent(parts, one, () => void contentRead.add(one.key)))
}

/** Reports whose request has left the device, a day after they were confirmed (RULES EX1). */
async function expired({ parts: { db, clock }, evicted }: Own): Promise<Doc[]> {
  const old = (await localReports(db)).filter((report) => isExpiredRecord(report, clock))
  if (old.length === 0) return []
  const requests = await db.requests.findByIds(old.map(({ key }) => key)).exec()
  const { onRecord } = await dependentsOf(db)
  const over = old.filter((report) => !requests.has(report.key) && !onRecord('quickReports', report))
  await forgetResults(
    db,
    'quickReports',
    over.map(({ key }) => key),
  )
  const gone = await withDocument(db, 'quickReports', over)
  return evicted.only(gone).map((report) => ({ ...report, _deleted: true }))
}

async function allRequests(db: SyncDatabase): Promise<RequestSummary[]> {
  const requests: RequestSummary[] = []
  for await (const ofDay of requestsByDay(db)) requests.push(...ofDay.map(summaryPart))
  return requests
}

const localReports = (db: SyncDatabase): Promise<QuickReportRecord[]> =>
  localRecords<QuickReportRecord>(
    { db, name: 'quickReports', collection: collectionOf<QuickReportRecord>(db, 'quickReports') },
    {},
    () => true,
  )
