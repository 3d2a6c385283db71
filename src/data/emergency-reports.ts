/**
 * 緊急報告 of a request as a person sees them: what the CRM confirmed, and over it what was saved here and still travels.
 * An edit that was refused or expired does not count (sync RULES ST1); a report that was not made at all is shown with its
 * state, because nothing but this device knows of it, and is not counted.
 */
import { combineLatest, map, type Observable } from 'rxjs'
import type { MangoQuerySelector } from 'rxdb/plugins/core'
import { effectiveChanges, type SendState } from '#schemas/change-queue.ts'
import type { EmergencyReportContent, EmergencyReportRecord } from '#schemas/emergency-report.ts'
import { counting, isTaken } from './counting.ts'
import type { Database } from './database.ts'
import { outbox$, type Outbox } from './outbox.ts'
import { unsentOf } from './unsent.ts'

const RESOURCE = 'emergencyReports'

export interface EmergencyReport {
  record: EmergencyReportRecord
  /** For links: the CRM's id, else the local key; both are found. */
  id: string
  content: EmergencyReportContent
  /** What was saved here last and has not reached the CRM: the form opens with it (内容を開く). */
  unsentContent: EmergencyReportContent | undefined
  /** ISO 8601; of one that the CRM does not have yet, when it was saved. */
  createdAt: string | null
  /** The CRM has taken it over: no more edits (ec00008). */
  taken: boolean
  /** Where the report and its photos stand; null when all is sent. */
  unsent: SendState | null
  /** In the CRM, or on its way there. */
  registered: boolean
}

/** @returns null where nothing is known of it but a row that was given up */
function toEmergencyReport(record: EmergencyReportRecord, outbox: Outbox): EmergencyReport | null {
  const { key, serverId, server } = record
  const changes = effectiveChanges(record.changes)
  const alive = counting(changes, outbox.ledger)
  const content = alive.at(-1)?.fields ?? server ?? changes.at(-1)?.fields
  if (!content) return null
  return {
    record,
    id: serverId || key,
    content,
    unsentContent: changes.at(-1)?.fields,
    createdAt: server?.createdAt ?? record.changes[0]?.savedAt ?? null,
    taken: isTaken(server),
    unsent: unsentOf(outbox, RESOURCE, key)?.state ?? null,
    registered: server !== undefined || alive.length > 0,
  }
}

const at = ({ createdAt }: EmergencyReport) => Date.parse(createdAt ?? '') || 0

function reports$(
  db: Database,
  selector: MangoQuerySelector<EmergencyReportRecord>,
): Observable<EmergencyReport[]> {
  return combineLatest([db.emergencyReports.find({ selector }).$, outbox$(db)]).pipe(
    map(([docs, outbox]) =>
      docs
        .map((doc) => toEmergencyReport(doc.toMutableJSON() as EmergencyReportRecord, outbox))
        .filter((report) => report !== null)
        .toSorted((a, b) => at(b) - at(a)),
    ),
  )
}

/** All of one request, newest first. */
export const emergencyReportsOf$ = (db: Database, requestId: string) => reports$(db, { requestId })

/** The report of an id: the CRM's, or the local key; null where none is on the device. */
export const emergencyReport$ = (db: Database, id: string): Observable<EmergencyReport | null> =>
  reports$(db, { $or: [{ key: id }, { serverId: id }] }).pipe(map(([report = null]) => report))
