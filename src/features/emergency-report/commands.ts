import {
  emergencyReport,
  type EmergencyReportDraft,
  type EmergencyReportRecord,
} from '#schemas/emergency-report.ts'
import { isSameContent } from '#schemas/change-history.ts'
import { effectiveChanges } from '#schemas/change-queue.ts'
import { contentOfDraft } from '#schemas/form-values.ts'
import type { RequestRecord } from '#schemas/request.ts'
import type { Saver } from '#data/changes.ts'
import { saveOfRequest } from '#data/records-of-request.ts'

/** The text is as the CRM has it: of such a save the photos alone are to be sent. */
export const isAsInCrm = ({ server, changes }: EmergencyReportRecord, draft: EmergencyReportDraft): boolean =>
  server !== undefined &&
  changes.length === 0 &&
  Object.entries(contentOfDraft(emergencyReport, draft)).every(([name, value]) =>
    isSameContent(Reflect.get(server, name), value),
  )

/**
 * 緊急報告: a new one of a visit, or what is on the device changed.
 * @param record the report that is edited; null for a new one
 * @param newKey the key that a new one gets, where it has to be known before
 */
export async function saveEmergencyReport(
  saver: Saver,
  request: Pick<RequestRecord, 'id' | 'workingDate' | 'workingStartTime' | 'workingEndTime'>,
  draft: EmergencyReportDraft,
  record: EmergencyReportRecord | null = null,
  newKey?: string,
): Promise<void> {
  // with the rest of what the form showed: times that were read since would pass for this user's own
  const unsent = record ? effectiveChanges(record.changes).at(-1)?.fields : undefined
  const { workingStartTime, workingEndTime } = unsent ?? record?.server ?? request
  const content = { ...contentOfDraft(emergencyReport, draft), workingStartTime, workingEndTime }
  await saveOfRequest(saver, 'emergencyReports', request, content, record, newKey)
}
