/** Notes about a location area: every request there, of any partner company, shows them (spec 3, crm-contract 4). */
import { type } from 'arktype'
import { changeBase, confirmed, savedKind, travelling } from './change.ts'
import { requiredText } from './draft-fields.ts'
import { ID_MAX, NOTE_MAX } from './limits.ts'
import { wireCode, wireDateTime, wireId, wireText } from './wire.ts'

const textOrNull = type('string | null')

export const noteContent = type({ note: textOrNull })
export type NoteContent = typeof noteContent.infer

const serverState = noteContent.merge(confirmed).merge({
  openFlag: textOrNull,
  createdAt: textOrNull,
  createdDisplayName: textOrNull,
  /** Who wrote it: only one's own may be edited. */
  loginUserId: textOrNull,
  /** Where its photos lie (crm-contract 5). */
  filePath: textOrNull,
  name: textOrNull,
  noteLocationFolderId: textOrNull,
})
export type NoteServer = typeof serverState.infer

/** Key: the creating change's id for one made here, the CRM's id for one that was pulled. */
export const noteRecord = travelling.merge({
  /** The area whose note it is; '' while the request does not say where it is. */
  locationAreaId: `string <= ${ID_MAX}`,
  /** 1 依頼 (made here), 2 現場. */
  noteType: 'string <= 8',
  'server?': serverState,
  changes: changeBase.merge({ kind: savedKind, fields: noteContent }).array(),
})
export type NoteRecord = typeof noteRecord.infer

/** A row of `GET noteLocationArea/request/{id}`. */
export const noteWire = type({
  id: wireId,
  'requestId?': wireText,
  'locationAreaId?': wireText,
  'type?': wireCode,
  'openFlag?': wireCode,
  'note?': wireText,
  'createdAt?': wireDateTime,
  'createdDisplayName?': wireText,
  'name?': wireText,
  'filePath?': wireText,
  'noteLocationFolderId?': wireText,
  'loginUserId?': wireText,
})
export type NoteWire = typeof noteWire.infer

/** The form 現場メモ. */
export const noteDraft = type({ note: requiredText(NOTE_MAX) })
export type NoteDraft = typeof noteDraft.infer
