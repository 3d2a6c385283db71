/** Past reports of a machine, which nobody edits here. The phone has the first pages (spec 3, crm-contract 4). */
import { type } from 'arktype'
import { ID_MAX } from '#schemas/limits.ts'
import { isoDate, textFields, wireDateTime, wireFields, wireId } from '#schemas/declare/wire.ts'

const TEXTS = [
  'reportCatName',
  'supplierName',
  'supplierStaffName',
  'requestDetail',
  'specialComment',
] as const
const EMERGENCY = [
  'id',
  'emergencyContentsName',
  'emergencyContentsDetails',
  'riskName',
  'correspondenceDateName',
  'ttsStaffContactName',
] as const

export const pastReportRecord = type({
  /** Ids of machine and report, because a report may belong to several machines. */
  key: `string <= ${2 * ID_MAX + 1}`,
  deviceId: `string <= ${ID_MAX}`,
  id: 'string',
  workingDate: 'string',
  workingStartTime: 'string | null',
  workingEndTime: 'string | null',
  emergencyReports: textFields(EMERGENCY).array(),
}).merge(textFields(TEXTS))
export type PastReportRecord = typeof pastReportRecord.infer

/** A row of `GET report/{deviceId}`. */
export const pastReportWire = type({
  id: wireId,
  workingDate: isoDate,
  'workingStartTime?': wireDateTime,
  'workingEndTime?': wireDateTime,
  'emergencyReport?': wireFields(EMERGENCY).array().or('null | undefined'),
}).merge(wireFields(TEXTS))
export type PastReportWire = typeof pastReportWire.infer
