/**
 * The pull of quick reports: a request row says whether there is one and when it changed; only then its reasons and
 * content are read (`GET quickReport/{id}`). What is unsent here is never touched (RULES PL3): `changes` go along as they
 * are, and a document with an unsent write is left alone by RxDB anyway.
 */
import type { Observable } from 'rxjs'
import type { WithDeleted } from 'rxdb'
import { visitKey } from '#schemas/visit-key.ts'
import type { Interest } from '#schemas/interest.ts'
import { quickReportWire, type QuickReportRecord, type QuickReportWire } from '#schemas/quick-report.ts'
import type { RequestRecord } from '#schemas/request.ts'
import type { SyncDatabase } from '../storage/database.ts'
import { attempt } from '../wire/attempt.ts'
import { eachOnce, isExpiredRecord, removeHere } from '../retention/expiry.ts'
import type { PullGate } from '../transport/gate.ts'
import { dependentsOf } from '../retention/dependents.ts'
import type { InFlight } from '../runtime/in-flight.ts'
import { isOnGlass } from './list-reads.ts'
import { PullAgain } from './read-backoff.ts'
import { createPullLoop } from './pull-loop.ts'
import { withOthersEdits } from '../merge/others-edits.ts'
import { answerQuestion, openQuestions, questionName } from './questions.ts'
import { PLACES, type Way } from '../transport/read-queue.ts'
import { requestsByDay } from './requests-for.ts'
import type { Ticks } from '../runtime/ticks.ts'
import type { PullClock } from '../runtime/time-keeper.ts'
import type { PullApi } from '../transport/api.ts'
import { sameSummary, serverFromSummary, serverFromWire } from '../wire/quick-report.ts'

type Doc = WithDeleted<QuickReportRecord>

export interface QuickReportPull {
  handler(): Promise<Doc[]>
  /** This request may say something new. */
  look(request: WithDeleted<RequestRecord>): void
  /** A new round: whatever all of them say. */
  refetch(): void
  /** RxDB let these documents fall: what they held is read again. */
  missed(keys: ReadonlySet<string>): void
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
  /** See `pull-loop.ts`. */
  stays?: boolean
  stop$: Observable<unknown>
  /** Something may be tried again: the handler is to be called. */
  wake: () => void
}

/** Contents that nobody waits for, read at once: the places of the queue for them (`read-queue.ts`). */
const CONTENTS_AT_ONCE = PLACES.background

export function createQuickReportPull(parts: Parts): QuickReportPull {
  const { db, api, gate, clock, report } = parts
  /** Rounds that were asked for, and the one that was gone through. */
  let [round, done] = [1, 0]
  /** Requests that were written, or went, since the last look. */
  const written = new Map<string, WithDeleted<RequestRecord>>()
  const contentRead = new Set<string>()
  const fallen = new Set<string>()
  const evicted = eachOnce()

  const loop = createPullLoop({ ...parts, accepted: api.accepted, expired, begin })
  let contentsUnderWay = 0

  async function begin(isOpen: boolean): Promise<Doc[] | null> {
    const isMine = ({ kind, resource }: Interest) => kind === 'detail' && resource === 'quickReports'
    const questions = await openQuestions(db, loop.backoffs, isMine)
    for (const asked of questions) beginAsked(asked, isOpen, isOnGlass(asked.askedAt, questions))
    if (!isOpen) return null
    const news = [...written.values()]
    if (done < round || news.length > 0) {
      const looked = round
      const requests = done < round ? await allRequests() : news.filter(({ _deleted }) => !_deleted)
      const docs = reconcileSummaries(requests, await localReports())
      done = looked
      for (const request of news) if (written.get(request.key) === request) written.delete(request.key)
      contentRead.clear()
      evicted.again()
      return [...docs, ...(await expired())]
    }
    return beginContents()
  }

  /** One that a screen names by its id; the request need not be on the device. */
  function beginAsked(asked: Interest, isOpen: boolean, onGlass: boolean) {
    const name = questionName(asked)
    const answer = (state: Interest['state'], total: number) =>
      answerQuestion(db, asked, { state, total, answeredAt: new Date(clock.now()).toISOString() })
    const read = async (signal: AbortSignal) => {
      const { docs, isMissing } = await readAsked(asked, { priority: onGlass ? 'screen' : 'window', signal })
      await answer(isMissing ? 'missing' : docs.length > 0 ? 'answered' : 'failed', docs.length)
      return docs
    }
    if (loop.mayAsk(name, isOpen))
      loop.start(name, read, async ({ kind }) => kind === 'unknown' && answer('failed', 0))
  }

  async function readAsked(asked: Interest, way: Way): Promise<{ docs: Doc[]; isMissing: boolean }> {
    const id = asked.recordKey ?? ''
    const stamp = clock.stamp()
    const outcome = await read(id, way)
    const wire = outcome.kind === 'accepted' ? parsed(id, outcome.body) : null
    const docs = wire === null ? [] : await askedDocs(wire, stamp)
    return { docs, isMissing: outcome.kind === 'missing' }
  }

  /** Null, and told, where it cannot be read (RULES PL2). */
  function parsed(id: string, body: unknown): QuickReportWire | null {
    const tried = attempt(() => quickReportWire(body))
    if (tried.kind === 'unreadable') report(`quickReport/${id}: ${tried.problem}`)
    return tried.kind === 'read' ? tried.value : null
  }

  async function askedDocs(wire: QuickReportWire, stamp: string): Promise<Doc[]> {
    const { id: serverId, requestId, workingDate, workingDateType = null } = wire
    const key = visitKey(requestId, workingDate)
    const local = (await db.quickReports.findOne(key).exec())?.toMutableJSON()
    if (local?.server && local.server.stamp > stamp) return []
    const blank = { key, requestId, workingDate, workingDateType, changes: [], unsent: 'no' as const }
    const now = { ...(local ?? blank), serverId, server: serverFromWire(wire, stamp), _deleted: false }
    return [withOthersEdits('quickReports', local, now)]
  }

  /** @throws PullAgain when it could not be asked */
  async function read(id: string, way: Way) {
    const outcome = await api.read(`quickReport/${encodeURIComponent(id)}`, {}, way)
    if (outcome.kind === 'accepted' || outcome.kind === 'refused' || outcome.kind === 'missing') {
      gate.succeeded()
      return outcome
    }
    throw new PullAgain(outcome)
  }

  /** Those that failed before come last. */
  async function beginContents(): Promise<Doc[] | null> {
    const free = CONTENTS_AT_ONCE - contentsUnderWay
    if (free <= 0) return null
    const isDoubtful = ({ key }: QuickReportRecord) => Number(loop.backoffs.isDoubtful(key))
    const batch = (await localReports())
      .filter(({ server, key }) => server?.outTime && isContentDue(server, key) && loop.mayStart(key))
      .toSorted((a, b) => isDoubtful(a) - isDoubtful(b))
      .slice(0, free)
    for (const record of batch) {
      contentsUnderWay += 1
      loop.start(record.key, async (signal) => {
        try {
          const doc = await readContent(record, { priority: 'background', signal })
          return doc ? [doc] : []
        } finally {
          contentsUnderWay -= 1
        }
      })
    }
    return null
  }

  const isContentDue = ({ detailed }: { detailed: boolean }, key: string) =>
    fallen.has(key) || (!detailed && !contentRead.has(key))

  async function readContent(record: QuickReportRecord, way: Way): Promise<Doc | null> {
    const stamp = clock.stamp()
    const outcome = await read(record.serverId, way)
    contentRead.add(record.key)
    fallen.delete(record.key)
    if (outcome.kind !== 'accepted') return null
    const wire = parsed(record.serverId, outcome.body)
    if (wire === null) return null
    // as it is now: what was saved, sent or refused during the read must not be written over (PL3, SV3)
    const now = (await db.quickReports.findOne(record.key).exec())?.toMutableJSON()
    if (!now?.server || now.server.stamp > stamp) return null
    const doc = { ...now, server: serverFromWire(wire, stamp), _deleted: false }
    return withOthersEdits('quickReports', now, doc)
  }

  /** Reports whose request has left the device, a day after they were confirmed (RULES EX1). */
  async function expired(): Promise<Doc[]> {
    const old = (await localReports()).filter((report) => isExpiredRecord(report, clock))
    if (old.length === 0) return []
    const requests = await db.requests.findByIds(old.map(({ key }) => key)).exec()
    const { onRecord } = await dependentsOf(db)
    const over = old.filter((report) => !requests.has(report.key) && !onRecord('quickReports', report))
    await removeHere(db.quickReports, evicted.left(over))
    return evicted.only(over).map((report) => ({ ...report, _deleted: true }))
  }

  async function allRequests(): Promise<Saying[]> {
    const requests: Saying[] = []
    for await (const ofDay of requestsByDay(db)) requests.push(...ofDay.map(said))
    return requests
  }
  const localReports = async () =>
    (await db.quickReports.find().exec()).map((doc) => doc.toJSON() as QuickReportRecord)

  return {
    handler: loop.handler,
    ring: loop.ring,
    look(request) {
      written.set(request.key, request)
    },
    refetch() {
      round += 1
    },
    missed(keys) {
      round += 1
      for (const key of keys) fallen.add(key)
    },
  }
}

/** What a request says of its report: all of thousands of requests that is held. */
type Saying = Pick<
  RequestRecord,
  'key' | 'id' | 'workingDate' | 'workingDateType' | 'quickReport' | 'readStamp'
>

const said = ({ key, id, workingDate, workingDateType, quickReport, readStamp }: RequestRecord): Saying => ({
  key,
  id,
  workingDate,
  workingDateType,
  quickReport,
  readStamp,
})

/**
 * What the request rows say of their reports, against what the device holds. A row read before the report's own last
 * confirmation says nothing: it may be older than what was just sent.
 */
function reconcileSummaries(requests: readonly Saying[], reports: QuickReportRecord[]): Doc[] {
  const byKey = new Map(reports.map((report) => [report.key, report]))
  return requests.flatMap((request) => {
    const report = byKey.get(request.key)
    const newer = !report?.server || request.readStamp > report.server.stamp
    if (!newer) return []
    if (!request.quickReport) return report?.server ? [withoutServer(report)] : []
    if (report?.server && sameSummary(report.server, request.quickReport)) return []
    return [withSummary(request, request.quickReport, report)]
  })
}

function withSummary(
  request: Saying,
  summary: NonNullable<Saying['quickReport']>,
  report: QuickReportRecord | undefined,
): Doc {
  const base = report ?? {
    key: request.key,
    requestId: request.id,
    workingDate: request.workingDate,
    workingDateType: request.workingDateType,
    changes: [],
    unsent: 'no' as const,
  }
  const server = serverFromSummary(summary, report?.server, request.readStamp)
  return withOthersEdits('quickReports', report, { ...base, serverId: summary.id, server, _deleted: false })
}

/** The CRM no longer has the report: it goes, unless something unsent hangs on it. */
function withoutServer(report: QuickReportRecord): Doc {
  const { server: _, ...rest } = report
  return { ...rest, serverId: '', _deleted: report.changes.length === 0 }
}
