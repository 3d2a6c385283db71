/** Change requests about the contacts for entry (02) and exit (03): at most one each for a request (ec00026; crm-contract 4). */
import { type } from 'arktype'
import { changeBase, confirmed, savedKind, travelling } from './change.ts'
import { kanaText, optionalEmail, optionalText, phoneText, requiredText } from './draft-fields.ts'
import { CONTACT_MEANS_MAX, CONTACT_TEL_MAX, CONTACT_TEXT_MAX } from './limits.ts'
import { wireId, wireText } from './wire.ts'

const textOrNull = type('string | null')

export const contactContent = type({
  name: textOrNull,
  kana: textOrNull,
  section: textOrNull,
  class: textOrNull,
  staffName: textOrNull,
  means: textOrNull,
  email: textOrNull,
  tel1: textOrNull,
})
export type ContactContent = typeof contactContent.infer

const serverState = contactContent.merge(confirmed).merge({ editStatus: textOrNull })
export type ContactChangeServer = typeof serverState.infer

/** `type` on the wire: `ContactType`. */
const contactType = type("'02' | '03'")
export type ContactTypeCode = typeof contactType.infer

export const contactChangeRecord = travelling.merge({
  contactType,
  'server?': serverState,
  changes: changeBase.merge({ kind: savedKind, fields: contactContent }).array(),
})
export type ContactChangeRecord = typeof contactChangeRecord.infer

/** Key: request, type. */
export const contactChangeKey = (requestId: string, code: ContactTypeCode) => `${requestId}_${code}`

/** `GET locationContactChangeRequest/{id}`. */
export const contactChangeWire = type({
  id: wireId,
  'requestId?': wireText,
  'type?': wireText,
  'name?': wireText,
  'kana?': wireText,
  'section?': wireText,
  'class?': wireText,
  'staffName?': wireText,
  'means?': wireText,
  'email?': wireText,
  'tel1?': wireText,
  'editStatus?': wireText,
})
export type ContactChangeWire = typeof contactChangeWire.infer

/** The form 入館連絡先変更依頼 or 退館連絡先変更依頼. */
export const contactChangeDraft = type({
  name: requiredText(CONTACT_TEXT_MAX),
  kana: kanaText(CONTACT_TEXT_MAX),
  section: optionalText(CONTACT_TEXT_MAX),
  class: optionalText(CONTACT_TEXT_MAX),
  staffName: optionalText(CONTACT_TEXT_MAX),
  means: optionalText(CONTACT_MEANS_MAX),
  email: optionalEmail(CONTACT_TEXT_MAX),
  tel1: phoneText(CONTACT_TEL_MAX),
})
export type ContactChangeDraft = typeof contactChangeDraft.infer
