/** Emergency reports of a request: as many as were written (spec 3, crm-contract 4). */
import { type } from 'arktype'
import { changeBase, confirmed, savedKind, travelling } from './change.ts'
import { codeSchema } from './code-schema.ts'
import { CorrespondenceDate, EmergencyContents, Risk, StaffContact } from './codes.ts'
import { requiredText } from './draft-fields.ts'
import { EMERGENCY_DETAILS_MAX } from './limits.ts'
import { wireCode, wireDate, wireDateTime, wireId, wireText } from './wire.ts'

const textOrNull = type('string | null')

export const emergencyReportContent = type({
  workingStartTime: textOrNull,
  workingEndTime: textOrNull,
  /** Codes; the CRM has them joined by commas. */
  emergencyContents: 'string[]',
  risk: 'string[]',
  correspondenceDate: textOrNull,
  ttsStaffContact: textOrNull,
  emergencyContentsDetails: textOrNull,
})
export type EmergencyReportContent = typeof emergencyReportContent.infer

const serverState = emergencyReportContent.merge(confirmed).merge({
  editStatus: textOrNull,
  createdAt: textOrNull,
  /** Where its photos lie: the folder itself, else one of this name under the parent (crm-contract 5). */
  filePath: textOrNull,
  name: textOrNull,
  emergencyReportFolderId: textOrNull,
})
export type EmergencyReportServer = typeof serverState.infer

/** Key: the creating change's id for one made here, the CRM's id for one that was pulled. */
export const emergencyReportRecord = travelling.merge({
  'server?': serverState,
  changes: changeBase.merge({ kind: savedKind, fields: emergencyReportContent }).array(),
})
export type EmergencyReportRecord = typeof emergencyReportRecord.infer

/** A row of `GET emergencyReport/request/{id}`. */
export const emergencyReportWire = type({
  id: wireId,
  requestId: wireId,
  'workingDate?': wireDate,
  'workingStartTime?': wireDateTime,
  'workingEndTime?': wireDateTime,
  'emergencyContents?': wireText,
  'risk?': wireText,
  'correspondenceDate?': wireCode,
  'ttsStaffContact?': wireCode,
  'emergencyContentsDetails?': wireText,
  'createdAt?': wireDateTime,
  'name?': wireText,
  'filePath?': wireText,
  'emergencyReportFolderId?': wireText,
  'editStatus?': wireText,
})
export type EmergencyReportWire = typeof emergencyReportWire.infer

/** The form 緊急報告. */
export const emergencyReportDraft = type({
  emergencyContents: codeSchema(EmergencyContents).array().atLeastLength(1),
  risk: codeSchema(Risk).array().atLeastLength(1),
  correspondenceDate: codeSchema(CorrespondenceDate),
  ttsStaffContact: codeSchema(StaffContact),
  emergencyContentsDetails: requiredText(EMERGENCY_DETAILS_MAX),
})
export type EmergencyReportDraft = typeof emergencyReportDraft.infer
