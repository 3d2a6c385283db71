/**
 * Saving what belongs to a quick report: the change is added to the record on the device, in one write, and that is
 * the save (sync RULES SV1). Sending is the replication's affair.
 */
import { visitKey, type ChangeBase } from '#schemas/change.ts'
import type { QuickReportChange, QuickReportContent, QuickReportRecord } from '#schemas/quick-report.ts'
import type { RequestRecord } from '#schemas/request.ts'
import type { Clock } from '#lib/stamp.ts'
import type { Database } from './database.ts'

export interface Saver {
  db: Database
  clock: Clock
  newId: () => string
  userId: string
  offline: boolean
}

const NO_CONTENT: QuickReportContent = {
  inTime: null,
  outTime: null,
  type: null,
  reason1: null,
  reason2: null,
  reportContent: null,
}

/**
 * 入館登録 of one or several requests.
 * @param inTime ISO 8601 with offset
 */
export async function saveEntry(
  saver: Saver,
  requests: readonly RequestRecord[],
  inTime: string,
): Promise<void> {
  for (const request of requests) {
    const change = newChange(saver, 'entry', { ...NO_CONTENT, inTime })
    await addChange(saver.db, blankRecord(request), change)
  }
}

/** A change as it is saved: who, when, in which order. */
export function newChange(
  { clock, newId, userId, offline }: Saver,
  kind: QuickReportChange['kind'],
  fields: QuickReportContent,
): QuickReportChange {
  const base: ChangeBase = {
    id: newId(),
    stamp: clock.stamp(),
    savedAt: new Date(clock.now()).toISOString(),
    userId,
    offline,
  }
  return { ...base, kind, fields }
}

const blankRecord = ({ id, workingDate, workingDateType }: RequestRecord): QuickReportRecord => ({
  key: visitKey(id, workingDate),
  requestId: id,
  workingDate,
  workingDateType,
  serverId: '',
  changes: [],
  unsent: 'no',
})

/** Adds a change to its record, which is made where the device has none. */
export async function addChange(
  db: Database,
  blank: QuickReportRecord,
  change: QuickReportChange,
): Promise<void> {
  const doc = await db.quickReports.insertIfNotExists({ ...blank, changes: [change], unsent: 'yes' })
  if (doc.changes.some(({ id }) => id === change.id)) return
  const written = await doc.incrementalModify((record) => ({
    ...record,
    changes: [...record.changes, change],
    unsent: 'yes',
  }))
  // 破棄 or a pull took the record away between the two writes: it is made anew (sync RULES SV3)
  if (written.deleted) await addChange(db, blank, change)
}
