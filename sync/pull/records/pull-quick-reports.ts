/**
 * The pull of quick reports. The request's row has a summary of its report. Only if the summary has changed are
 * the reasons and the content read (`GET quickReport/{id}`). The engine runs it (`engine.ts`).
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
import type { PullGate } from '#sync/scheduler/scheduler.ts'
import { PLACES } from '#sync/scheduler/schedule.ts'
import { forgetResults, localRecords, withDocument } from './local-records.ts'
import { createPullEngine, type PullEngine } from '#sync/pull/engine/engine.ts'
import type { Question } from '#sync/storage/interests.ts'
import { questionAnswerer, isForCurrentScreen, openQuestions } from '#sync/pull/engine/open-fetch-requests.ts'
import { requestedReport, reportContent } from './quick-report-reads.ts'
import { requestsByDay } from '#sync/pull/requests/requests-for.ts'
import { fewestTriesFirst } from '#sync/scheduler/read-backoff.ts'

type Doc = WithDeleted<QuickReportRecord>

interface QuickReportPull {
  handler(): Promise<Doc[]>
  /** The request was written or removed, so its report may have changed. */
  look(request: WithDeleted<RequestRecord>): void
  /** Starts a new round over all requests. */
  refetch(): void
  /** Checks again which reads may begin. */
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

/** Contents that nobody waits for use the background places of the queue (`schedule.ts`). */
const LANES = { asked: Infinity, contents: PLACES.background }

/** The pull's state between two calls. */
interface State {
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
    { ...parts, accepted: api.accepted, answer: questionAnswerer(db, clock) },
    { lanes: LANES, plan: (isOpen) => plan(state, isOpen), expired: () => expired(state) },
  )
  const state: State = {
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
      state.written.set(request.key, request)
    },
    refetch() {
      state.round += 1
    },
  }
}

/** Plans the reads: screens' questions, then reports changed by request rows, then contents. */
async function plan(state: State, isOpen: boolean): Promise<Doc[] | null> {
  const { parts, engine } = state
  const isRelevant = ({ kind, resource }: Question) => kind === 'detail' && resource === 'quickReports'
  const questions = await openQuestions(parts.db, engine, isRelevant)
  for (const asked of questions)
    engine.offer(requestedReport(parts, asked, isForCurrentScreen(asked.askedAt, questions)))
  if (!isOpen) return null
  if (state.done < state.round || state.written.size > 0)
    return [...(await news(state)), ...(await expired(state))]
  await offerContents(state)
  return null
}

/** The reports that request rows change. Compares all requests in a new round, else those just written. */
async function news(state: State): Promise<Doc[]> {
  const { parts, round, written } = state
  const latest = [...written.values()]
  const isNewRound = state.done < round
  const requests = isNewRound ? await allRequests(parts.db) : latest.filter(({ _deleted }) => !_deleted)
  const docs = reconcileSummaries(requests, await localReports(parts.db))
  const removed = docs.filter(({ _deleted }) => _deleted)
  for (const { key } of removed)
    await forgetResults(parts.db, 'quickReports', [key], requests.find((one) => one.key === key)?.readStamp)
  state.done = round
  for (const request of latest) if (written.get(request.key) === request) written.delete(request.key)
  state.contentRead.clear()
  state.evicted.again()
  return docs
}

async function offerContents({ parts, engine, contentRead }: State): Promise<void> {
  if (engine.free('contents') <= 0) return
  const isDue = ({ server, key }: QuickReportRecord) =>
    server?.outTime && !server.detailed && !contentRead.has(key)
  const due = (await localReports(parts.db)).filter((one) => isDue(one) && engine.mayStart(one.key))
  const ordered = fewestTriesFirst(due, ({ key }) => engine.triesOf(key))
  for (const one of ordered.slice(0, engine.free('contents')))
    engine.offer(reportContent(parts, one, () => void contentRead.add(one.key)))
}

/** Reports whose request has left the device, a day after they were confirmed (RULES EX1). */
async function expired({ parts: { db, clock }, evicted }: State): Promise<Doc[]> {
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
  const removed = await withDocument(db, 'quickReports', over)
  return evicted.only(removed).map((report) => ({ ...report, _deleted: true }))
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
