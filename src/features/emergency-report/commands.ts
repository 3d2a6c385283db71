import {
  emergencyReport,
  type EmergencyReportDraft,
  type EmergencyReportRecord,
} from '#schemas/resources/emergency-report.ts'
import { isSameContent } from '#schemas/change-history.ts'
import { effectiveChanges } from '#schemas/changes/change-queue.ts'
import { contentOfDraft } from '#schemas/declare/form-values.ts'
import type { RequestRecord } from '#schemas/resources/request.ts'
import type { Saver } from '#data/changes/changes.ts'
import { saveOfRequest } from '#data/resources/records-of-request.ts'

/** True if the CRM's report equals the draft and no change is unsent. The save then sends only the photos. */
export const isAsInCrm = ({ server, changes }: EmergencyReportRecord, draft: EmergencyReportDraft): boolean =>
  server !== undefined &&
  changes.length === 0 &&
  Object.entries(contentOfDraft(emergencyReport, draft)).every(([name, value]) =>
    isSameContent(Reflect.get(server, name), value),
  )

/**
 * Saves 緊急報告: creates a report for a visit, or changes a stored report.
 * @param record the edited report; null for a new report
 * @param newKey the key of a new report, if its photos already refer to it
 */
export async function saveEmergencyReport(
  saver: Saver,
  request: Pick<RequestRecord, 'id' | 'workingDate' | 'workingStartTime' | 'workingEndTime'>,
  draft: EmergencyReportDraft,
  record: EmergencyReportRecord | null = null,
  newKey?: string,
): Promise<void> {
  // The form has no fields for the working times. The change repeats the times of the record that the form was opened
  // with, because newer times from the CRM would count as edits by the user.
  const unsent = record ? effectiveChanges(record.changes).at(-1)?.fields : undefined
  const { workingStartTime, workingEndTime } = unsent ?? record?.server ?? request
  const content = { ...contentOfDraft(emergencyReport, draft), workingStartTime, workingEndTime }
  await saveOfRequest(saver, 'emergencyReports', request, content, record, newKey)
}
