/** Change requests about entry and parking: at most one for a request (ec00030; spec 3, crm-contract 4). */
import { type } from 'arktype'
import { changeBase, confirmed, savedKind, travelling } from './change.ts'
import { codeSchema } from './code-schema.ts'
import { ParkingType } from './codes.ts'
import { optionalText, requiredText } from './draft-fields.ts'
import { IN_METHOD_MAX, PARKING_METHOD_MAX } from './limits.ts'
import { wireCode, wireId, wireText } from './wire.ts'

const textOrNull = type('string | null')

export const customerLocationContent = type({
  parkingType: textOrNull,
  parkingMethod: textOrNull,
  inMethod: textOrNull,
})
export type CustomerLocationContent = typeof customerLocationContent.infer

const serverState = customerLocationContent.merge(confirmed).merge({ editStatus: textOrNull })
export type CustomerLocationServer = typeof serverState.infer

/** Key: the request's id. */
export const customerLocationRecord = travelling.merge({
  'server?': serverState,
  changes: changeBase.merge({ kind: savedKind, fields: customerLocationContent }).array(),
})
export type CustomerLocationRecord = typeof customerLocationRecord.infer

/** `GET customerLocationChangeRequest/{id}`. */
export const customerLocationWire = type({
  id: wireId,
  'requestId?': wireText,
  'parkingType?': wireCode,
  'parkingMethod?': wireText,
  'inMethod?': wireText,
  'editStatus?': wireText,
})
export type CustomerLocationWire = typeof customerLocationWire.infer

/** The form 入館・駐車場情報変更依頼. */
export const customerLocationDraft = type({
  parkingType: codeSchema(ParkingType).or("''"),
  parkingMethod: optionalText(PARKING_METHOD_MAX),
  inMethod: requiredText(IN_METHOD_MAX),
})
export type CustomerLocationDraft = typeof customerLocationDraft.infer
