/** A quick report as a person sees it: what the CRM confirmed, and over it what was saved here and still travels. */
import { effectiveChanges } from '#schemas/change-queue.ts'
import type { LedgerEntry } from '#schemas/ledger-entry.ts'
import type { QuickReportContent, QuickReportRecord } from '#schemas/quick-report.ts'

export interface QuickReportView extends QuickReportContent {
  /** For links: the CRM's id, else the local key; both are found (`findQuickReport`). */
  id: string
  key: string
  requestId: string
  workingDate: string
  editStatus: string | null
  /** Whether reasons and content are known on this device. */
  detailed: boolean
}

const EMPTY = { inTime: null, outTime: null, type: null, reason1: null, reason2: null, reportContent: null }

/**
 * A refused entry does not count as entered: nothing shows more than the CRM answered (sync RULES ST1). A refused or
 * expired exit does not count as left either; its content waits in 送信状況.
 */
export function quickReportView(
  record: QuickReportRecord,
  ledger: ReadonlyMap<string, LedgerEntry>,
): QuickReportView {
  const counts = effectiveChanges(record.changes).filter(({ id }) => {
    const state = ledger.get(id)?.state
    return state !== 'refused' && state !== 'expired' && state !== 'discarded'
  })
  const server = record.server
  const content = counts.reduce<QuickReportContent>(
    (view, { kind, fields }) =>
      kind === 'entry'
        ? { ...view, inTime: fields.inTime }
        : { ...fields, inTime: fields.inTime ?? view.inTime },
    server ? pick(server) : EMPTY,
  )
  return {
    ...content,
    id: record.serverId || record.key,
    key: record.key,
    requestId: record.requestId,
    workingDate: record.workingDate,
    editStatus: server?.editStatus ?? null,
    // before the exit there is nothing but the entry time, which the request's row says
    detailed: !server?.outTime || server.detailed || counts.some(({ kind }) => kind !== 'entry'),
  }
}

const pick = ({ inTime, outTime, type, reason1, reason2, reportContent }: QuickReportContent) => ({
  inTime,
  outTime,
  type,
  reason1,
  reason2,
  reportContent,
})
