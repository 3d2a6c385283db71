/** A quick report as screens show it: the CRM's content with the local changes applied. */
import {
  effectiveChanges,
  pickSameKeys,
  queueOf,
  type QueueItem,
  type SendState,
} from '#schemas/changes/change-queue.ts'
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
import { mostUrgent, type Unsent } from '#data/outbox/unsent.ts'

export interface QuickReportView extends QuickReportContent {
  /** Id for links: the CRM's id, else the local key. A report is found by either. */
  id: string
  key: string
  requestId: string
  workingDate: string
  editStatus: string | null
  /** True if the report's reasons and content are on this device. */
  detailed: boolean
  /** The most urgent send state of the report itself; null if all is sent. */
  unsent: Unsent | null
  /** Send states of the entry and exit times; null if the CRM has the time, or if the report has none. */
  inState: SendState | null
  outState: SendState | null
  /** True if the report shows a change that somebody else has made (sync RULES MG5). */
  changedByOthers: boolean
}

const EMPTY = emptyContent(quickReport)

/**
 * Builds the view. A saved entry or exit counts at once, while it is still to be sent. A refused, expired or discarded
 * change does not count: the visit is then not shown as entered or left (sync RULES ST1). The content of a refused or
 * expired change stays in 送信状況.
 */
export function quickReportView(
  record: QuickReportRecord,
  progress: ReadonlyMap<string, SendFacts>,
): QuickReportView {
  const stateOf = ({ id }: { id: string }) => progress.get(id)?.state
  const changes = effectiveChanges(record.changes)
  const shown = shownChanges(changes, progress)
  const server = record.server
  const content = contentOf(record, shown)
  // Accepted changes count as in the CRM, even before a pull has read them.
  const confirmed = contentOf(
    record,
    changes.filter((change) => stateOf(change) === 'accepted'),
  )
  const items = changes.length === 0 ? [] : queueOf([{ resource: 'quickReports', ...record }], progress)
  const pending = (name: 'inTime' | 'outTime') => {
    if (content[name] === confirmed[name]) return null
    const isItsChange = ({ change }: QueueItem) => (change.kind === 'entry') === (name === 'inTime')
    return items.findLast(isItsChange)?.state ?? null
  }
  return {
    ...content,
    id: record.serverId || record.key,
    key: record.key,
    requestId: record.requestId,
    workingDate: record.workingDate,
    editStatus: server?.editStatus ?? null,
    // Before the exit there is only the entry time, which the request's row contains.
    detailed: !server?.outTime || server.detailed || shown.some(({ kind }) => kind !== 'entry'),
    unsent: mostUrgent(items),
    inState: pending('inTime'),
    outState: pending('outTime'),
    changedByOthers: currentEdits(record.history, content).length > 0,
  }
}

/**
 * The report as the request's row describes it; null if the row has no report. Used until the report's own record is on
 * the device, so that an entered or left visit is not shown as open.
 */
export function summaryReport({ key, id, workingDate, quickReport }: WithReport): QuickReportRecord | null {
  if (!quickReport) return null
  const server = { ...EMPTY, ...quickReport, detailed: false, stamp: '' }
  const serverId = quickReport.id
  return {
    key,
    requestId: id,
    workingDate,
    workingDateType: null,
    serverId,
    server,
    changes: [],
    unsent: 'no',
  }
}

type WithReport = Pick<RequestRecord, 'key' | 'id' | 'workingDate' | 'quickReport'>

/** The CRM's content with these changes applied. */
const contentOf = ({ server }: QuickReportRecord, changes: readonly QuickReportChange[]) =>
  changes.reduce<QuickReportContent>(
    (view, { kind, fields }) =>
      kind === 'entry'
        ? { ...view, inTime: fields.inTime }
        : { ...fields, inTime: fields.inTime ?? view.inTime },
    server ? pick(server) : EMPTY,
  )

const pick = (server: QuickReportContent) => pickSameKeys(server, EMPTY) as object as QuickReportContent
