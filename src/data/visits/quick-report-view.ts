/** A quick report for screens: the content of the CRM with the local changes applied. */
import { effectiveChanges, pickSameKeys, queueOf, type QueueItem } from '#schemas/changes/change-queue.ts'
import type { SendFacts } from '#schemas/change.ts'
import { emptyContent } from '#schemas/declare/form-values.ts'
import {
  quickReport,
  type QuickReportChange,
  type QuickReportContent,
  type QuickReportRecord,
} from '#schemas/resources/quick-report.ts'
import type { RequestRecord } from '#schemas/resources/request.ts'
import { currentEdits } from '#schemas/change-history.ts'
import { shownChanges } from '#data/database/counting.ts'
import { mostUrgent } from '#data/outbox/outbox.ts'

export type QuickReportView = ReturnType<typeof quickReportView>

const EMPTY = emptyContent(quickReport)

/** Builds the view of a report. A saved entry or exit counts, unless refused, expired or discarded (sync RULES ST1). */
export function quickReportView(record: QuickReportRecord, progress: ReadonlyMap<string, SendFacts>) {
  const stateOf = ({ id }: { id: string }) => progress.get(id)?.state
  const changes = effectiveChanges(record.changes)
  const shown = shownChanges(changes, progress)
  const { server } = record
  const content = contentOf(record, shown)
  // Accepted changes count as content of the CRM, even before they are read from it.
  const confirmed = contentOf(
    record,
    changes.filter((change) => stateOf(change) === 'accepted'),
  )
  const items = changes.length === 0 ? [] : queueOf([{ resource: 'quickReports', ...record }], progress)
  const isEntry = ({ change }: QueueItem) => change.kind === 'entry'
  const isExit = (item: QueueItem) => !isEntry(item)
  const unsentState = (name: 'inTime' | 'outTime') => {
    if (content[name] === confirmed[name]) return null
    return items.findLast(name === 'inTime' ? isEntry : isExit)?.state ?? null
  }
  return {
    ...content,
    /** Id for links: the CRM id, or the local key without one. Both find the report. */
    id: record.serverId || record.key,
    key: record.key,
    requestId: record.requestId,
    workingDate: record.workingDate,
    editStatus: server?.editStatus ?? null,
    /** True if all content is on the device. Before the exit, a report has only its entry time, which is in the row. */
    detailed: !server?.outTime || server.detailed || shown.some(({ kind }) => kind !== 'entry'),
    unsent: mostUrgent(items),
    /** Send states of the entry time and the exit time; null if the time is sent or missing. */
    inState: unsentState('inTime'),
    outState: unsentState('outTime'),
    /** True if somebody else has changed a value of the report (sync RULES MG5). */
    changedByOthers: currentEdits(record.history, content).length > 0,
  }
}

/** Makes a report from the request's row, until the report itself is on the device; null if the row has none. */
export function summaryReport({ key, id, workingDate, quickReport }: WithReport): QuickReportRecord | null {
  if (!quickReport) return null
  const server = { ...EMPTY, ...quickReport, detailed: false, stamp: '' }
  const visit = { key, requestId: id, workingDate, workingDateType: null }
  return { ...visit, serverId: quickReport.id, server, changes: [], unsent: 'no' }
}

type WithReport = Pick<RequestRecord, 'key' | 'id' | 'workingDate' | 'quickReport'>

function contentOf({ server }: QuickReportRecord, changes: readonly QuickReportChange[]): QuickReportContent {
  let content = server ? (pickSameKeys(server, EMPTY) as object as QuickReportContent) : EMPTY
  for (const { kind, fields } of changes)
    content =
      kind === 'entry'
        ? { ...content, inTime: fields.inTime }
        : { ...fields, inTime: fields.inTime ?? content.inTime }
  return content
}
