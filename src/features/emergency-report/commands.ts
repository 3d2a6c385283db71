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

/** Creates or edits 緊急報告. @param record null for a new report @param newKey its key, if photos refer to it */
export async function saveEmergencyReport(
  saver: Saver,
  request: Pick<RequestRecord, 'id' | 'workingDate' | 'workingStartTime' | 'workingEndTime'>,
  draft: EmergencyReportDraft,
  record: EmergencyReportRecord | null = null,
  newKey?: string,
): Promise<void> {
  // The form has no working times. It repeats those it was opened with: newer ones would count as edits by the user.
  const unsent = record ? effectiveChanges(record.changes).at(-1)?.fields : undefined
  const { workingStartTime, workingEndTime } = unsent ?? record?.server ?? request
  const content = { ...contentOfDraft(emergencyReport, draft), workingStartTime, workingEndTime }
  await saveOfRequest(saver, 'emergencyReports', request, content, record, newKey)
}
