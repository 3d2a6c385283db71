/**
 * The reads of quick reports by id (`GET quickReport/{id}`): one that a screen needs, and the contents of
 * reports of which only the summary is known.
 */
import type { WithDeleted } from 'rxdb'
import { wireOf } from '#schemas/declare/derive.ts'
import { quickReport, type QuickReportRecord, type QuickReportWire } from '#schemas/resources/quick-report.ts'
import { visitKey } from '#schemas/resources/visit-key.ts'
import { withOthersEdits } from '#sync/merge/others-edits.ts'
import type { PullClock } from '#sync/lib/trusted-clock.ts'
import { collectionOf, type SyncDatabase } from '#sync/storage/database.ts'
import type { PullApi } from '#sync/scheduler/api.ts'
import type { PullGate } from '#sync/scheduler/scheduler.ts'
import { localRecords } from './local-records.ts'
import { attempt } from '#sync/lib/attempt.ts'
import { serverFromWire } from '#sync/wire/declared.ts'
import type { Merged, Work } from '#sync/pull/engine/engine-work.ts'
import type { Question } from '#sync/storage/interests.ts'
import { questionName } from '#sync/pull/engine/open-fetch-requests.ts'
import { readable } from '#sync/scheduler/read-backoff.ts'
import type { ReadOptions } from '#sync/scheduler/scheduler.ts'

type Doc = WithDeleted<QuickReportRecord>

const quickReportWire = wireOf(quickReport)

interface ReportParts {
  db: SyncDatabase
  api: PullApi
  gate: PullGate
  clock: PullClock
  report: (problem: string) => void
}

/** The read of a report that a screen names by id. Its request need not be on the device. */
export function requestedReport(parts: ReportParts, asked: Question, forCurrentScreen: boolean): Work<Doc> {
  return {
    name: questionName(asked),
    lane: 'asked',
    isForScreen: true,
    asked,
    async read(signal) {
      const id = asked.recordKey ?? ''
      const stamp = parts.clock.stamp()
      const outcome = await readReport(parts, id, {
        priority: forCurrentScreen ? 'screen' : 'window',
        signal,
      })
      return {
        async merge(): Promise<Merged<Doc>> {
          const wire = outcome.kind === 'accepted' ? parsed(parts, id, outcome.body) : null
          const docs = wire === null ? [] : await mergeRequested(parts, wire, stamp)
          const state = outcome.kind === 'missing' ? 'missing' : docs.length > 0 ? 'answered' : 'failed'
          return { docs, answer: { asked, state, total: docs.length } }
        },
      }
    },
  }
}

/**
 * The read of the content of a report whose summary is known.
 * @param isRead called when the CRM has answered
 */
export const reportContent = (
  parts: ReportParts,
  { key, serverId }: QuickReportRecord,
  isRead: () => void,
): Work<Doc> => ({
  name: key,
  lane: 'contents',
  async read(signal) {
    const stamp = parts.clock.stamp()
    const outcome = await readReport(parts, serverId, { priority: 'background', signal })
    isRead()
    return {
      async merge() {
        const wire = outcome.kind === 'accepted' ? parsed(parts, serverId, outcome.body) : null
        return { docs: wire === null ? [] : await mergeContent(parts, key, { wire, stamp }) }
      },
    }
  },
})

/** @throws PullAgain if the CRM could not be read */
const readReport = async ({ api, gate }: ReportParts, id: string, way: ReadOptions) =>
  readable(gate, await api.read(`quickReport/${encodeURIComponent(id)}`, {}, way))

/** Parses a report; null, and reported, if it cannot be read (RULES PL2). */
function parsed({ report }: ReportParts, id: string, body: unknown): QuickReportWire | null {
  const parsedRow = attempt(() => quickReportWire(body))
  if (parsedRow.kind === 'unreadable') report(`quickReport/${id}: ${parsedRow.problem}`)
  return parsedRow.kind === 'read' ? parsedRow.value : null
}

/**
 * The local report, read now: what was saved, sent or refused during the read must not be overwritten (PL3,
 * SV3).
 */
const localReport = async ({ db }: ReportParts, key: string): Promise<QuickReportRecord | undefined> => {
  const named = { db, name: 'quickReports', collection: collectionOf<QuickReportRecord>(db, 'quickReports') }
  const [report] = await localRecords<QuickReportRecord>(named, { key }, (each) => each.key === key)
  return report
}

async function mergeRequested(parts: ReportParts, wire: QuickReportWire, stamp: string): Promise<Doc[]> {
  const { id: serverId, requestId, workingDate, workingDateType = null } = wire
  const key = visitKey(requestId, workingDate)
  const local = await localReport(parts, key)
  if (local?.server && local.server.stamp > stamp) return []
  const blank = { key, requestId, workingDate, workingDateType, changes: [], unsent: 'no' as const }
  const now = {
    ...(local ?? blank),
    serverId,
    server: { ...serverFromWire(quickReport, wire), stamp },
    _deleted: false,
  }
  return [withOthersEdits('quickReports', local, now)]
}

async function mergeContent(
  parts: ReportParts,
  key: string,
  { wire, stamp }: { wire: QuickReportWire; stamp: string },
): Promise<Doc[]> {
  const now = await localReport(parts, key)
  if (!now?.server || now.server.stamp > stamp) return []
  const doc = { ...now, server: { ...serverFromWire(quickReport, wire), stamp }, _deleted: false }
  return [withOthersEdits('quickReports', now, doc)]
}
