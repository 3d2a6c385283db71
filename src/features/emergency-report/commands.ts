import {
  emergencyReport,
  type EmergencyReportDraft,
  type EmergencyReportRecord,
} from '#schemas/emergency-report.ts'
import { contentOfDraft } from '#schemas/form-values.ts'
import type { RequestRecord } from '#schemas/request.ts'
import { addChange, kindOfSave, newChange, NOTHING_SENT, type Saver } from '#data/changes.ts'

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
  newKey: string = saver.newId(),
): Promise<void> {
  const times = record?.server ?? request
  const made = newChange(saver, await kindOfSave(saver.db, record), {
    ...contentOfDraft(emergencyReport, draft),
    workingStartTime: times.workingStartTime,
    workingEndTime: times.workingEndTime,
  })
  const { id: requestId, workingDate } = request
  const change = record ? made : { ...made, id: newKey }
  const blank = { key: newKey, requestId, workingDate, ...NOTHING_SENT }
  await addChange(saver.db.emergencyReports, record ?? blank, change)
}
