/** A quick report as a person sees it: what the CRM confirmed, and over it what was saved here and still travels. */
import { effectiveChanges, likeIn, queueOf, type SendState } from '#schemas/changes/change-queue.ts'
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
import { counting } from '#data/database/counting.ts'
import { pressing, type Unsent } from '#data/outbox/unsent.ts'

export interface QuickReportView extends QuickReportContent {
  /** For links: the CRM's id, else the local key; both are found (`findQuickReport`). */
  id: string
  key: string
  requestId: string
  workingDate: string
  editStatus: string | null
  /** Whether reasons and content are known on this device. */
  detailed: boolean
  /** What of the report itself is unsent. */
  unsent: Unsent | null
  /** Where each time stands; null where the CRM has it, or there is none. */
  inState: SendState | null
  outState: SendState | null
  /** Somebody else's word stands in it (sync RULES MG5). */
  changedByOthers: boolean
}

const EMPTY = emptyContent(quickReport)

/**
 * A refused entry does not count as entered: nothing shows more than the CRM answered (sync RULES ST1). A refused or
 * expired exit does not count as left either; its content waits in 送信状況.
 */
export function quickReportView(
  record: QuickReportRecord,
  ledger: ReadonlyMap<string, SendFacts>,
): QuickReportView {
  const stateOf = ({ id }: { id: string }) => ledger.get(id)?.state
  const changes = effectiveChanges(record.changes)
  const counts = counting(changes, ledger)
  const server = record.server
  const content = contentOf(record, counts)
  // what the CRM has said yes to is there, also before the record says so
  const there = contentOf(
    record,
    changes.filter((change) => stateOf(change) === 'accepted'),
  )
  const items = changes.length === 0 ? [] : queueOf([{ resource: 'quickReports', ...record }], ledger)
  const pending = (name: 'inTime' | 'outTime') =>
    content[name] === there[name]
      ? null
      : (items.findLast(({ change }) => (change.kind === 'entry') === (name === 'inTime'))?.state ?? null)
  return {
    ...content,
    id: record.serverId || record.key,
    key: record.key,
    requestId: record.requestId,
    workingDate: record.workingDate,
    editStatus: server?.editStatus ?? null,
    // before the exit there is nothing but the entry time, which the request's row says
    detailed: !server?.outTime || server.detailed || counts.some(({ kind }) => kind !== 'entry'),
    unsent: pressing(items),
    inState: pending('inTime'),
    outState: pending('outTime'),
    changedByOthers: currentEdits(record.history, content).length > 0,
  }
}

/**
 * The report as the request's row tells of it, for as long as its own record is not on the device yet: a visit that
 * somebody has entered or left must not look like one that is still to be done. null where the row tells of none.
 */
export function summaryReport({ key, id, workingDate, quickReport }: Telling): QuickReportRecord | null {
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

type Telling = Pick<RequestRecord, 'key' | 'id' | 'workingDate' | 'quickReport'>

/** What the CRM confirmed, and over it these changes. */
const contentOf = ({ server }: QuickReportRecord, changes: readonly QuickReportChange[]) =>
  changes.reduce<QuickReportContent>(
    (view, { kind, fields }) =>
      kind === 'entry'
        ? { ...view, inTime: fields.inTime }
        : { ...fields, inTime: fields.inTime ?? view.inTime },
    server ? pick(server) : EMPTY,
  )

/** The content alone. */
const pick = (server: QuickReportContent) => likeIn(server, EMPTY) as object as QuickReportContent
