/**
 * Past reports of a machine: read only. The first pages are stored on the phone (spec 3, crm-contract 4:
 * `report/{deviceId}`).
 */
import { type } from 'arktype'
import { ID_MAX } from '#schemas/limits.ts'
import { isoDate, wireDateTime, wireId, wireText } from '#schemas/declare/wire.ts'

const textOrNull = type('string | null')

export const pastReportRecord = type({
  /** Machine id and report id, because one report may concern several machines. */
  key: `string <= ${2 * ID_MAX + 1}`,
  deviceId: `string <= ${ID_MAX}`,
  id: 'string',
  workingDate: 'string',
  workingStartTime: textOrNull,
  workingEndTime: textOrNull,
  reportCatName: textOrNull,
  supplierName: textOrNull,
  supplierStaffName: textOrNull,
  requestDetail: textOrNull,
  specialComment: textOrNull,
  emergencyReports: type({
    id: textOrNull,
    emergencyContentsName: textOrNull,
    emergencyContentsDetails: textOrNull,
    riskName: textOrNull,
    correspondenceDateName: textOrNull,
    ttsStaffContactName: textOrNull,
  }).array(),
})
export type PastReportRecord = typeof pastReportRecord.infer

/** A row of `GET report/{deviceId}`. */
export const pastReportWire = type({
  id: wireId,
  workingDate: isoDate,
  'workingStartTime?': wireDateTime,
  'workingEndTime?': wireDateTime,
  'reportCatName?': wireText,
  'supplierName?': wireText,
  'supplierStaffName?': wireText,
  'requestDetail?': wireText,
  'specialComment?': wireText,
  'emergencyReport?': type({
    'id?': wireText,
    'emergencyContentsName?': wireText,
    'emergencyContentsDetails?': wireText,
    'riskName?': wireText,
    'correspondenceDateName?': wireText,
    'ttsStaffContactName?': wireText,
  })
    .array()
    .or('null | undefined'),
})
export type PastReportWire = typeof pastReportWire.infer
