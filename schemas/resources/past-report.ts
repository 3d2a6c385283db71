/** Past reports of a machine, which nobody edits here. The phone has the first pages (spec 3, crm-contract 4). */
import { type } from 'arktype'
import { ID_MAX } from '#schemas/limits.ts'
import { isoDate, textFields, wireDateTime, wireFields, wireId } from '#schemas/declare/wire.ts'

const TEXTS = 'reportCatName supplierName supplierStaffName requestDetail specialComment'
const EMERGENCY =
  'id emergencyContentsName emergencyContentsDetails riskName correspondenceDateName ttsStaffContactName'

export const pastReportRecord = type({
  /** Ids of machine and report, because a report may belong to several machines. */
  key: `string <= ${2 * ID_MAX + 1}`,
  deviceId: `string <= ${ID_MAX}`,
  id: 'string',
  workingDate: 'string',
  ...textFields(TEXTS),
  ...textFields('workingStartTime workingEndTime'),
  emergencyReports: type(textFields(EMERGENCY)).array(),
})
export type PastReportRecord = typeof pastReportRecord.infer

/** A row of `GET report/{deviceId}`. */
export const pastReportWire = type({
  id: wireId,
  workingDate: isoDate,
  ...wireFields(TEXTS),
  ...wireFields('workingStartTime workingEndTime', wireDateTime),
  'emergencyReport?': type(wireFields(EMERGENCY)).array().or('null | undefined'),
})
export type PastReportWire = typeof pastReportWire.infer
