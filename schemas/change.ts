/**
 * A change: what a person saved, one document for each record that it affects. The save writes the document
 * once; from then on the document has its own send state (sync RULES OC1). Records are separate documents
 * that only the pull writes. A screen combines both (`record-view.ts`, decisions/records).
 */
import { type } from 'arktype'
import { ID_MAX } from '#schemas/limits.ts'

export const CHANGE_STAMP_MAX = 40

const changeBase = type({
  /** UUID; also the Idempotency-Key of a creating call. */
  id: `string <= ${ID_MAX}`,
  /** Hybrid logical time of the save. Sorts as text and never decreases on one device. */
  stamp: `string <= ${CHANGE_STAMP_MAX}`,
  /** The device's wall clock at the save, ISO 8601. */
  savedAt: 'string',
  /** Id of the user who saved the change. Only this user's session sends it (sync RULES SV4). */
  userId: 'string',
  /** True if the app was offline at the save. */
  offline: 'boolean',
  /** Shared by the changes of one save of several records (bulk exit), so that one call sends all of them. */
  'group?': 'string',
  /**
   * The content that the edit was based on, and its stamp. Fields that differ from it were edited here; other
   * fields may have been changed by somebody else (sync RULES MG2).
   */
  'madeOn?': { stamp: 'string', fields: 'object' },
})

export type ChangeBase = typeof changeBase.infer

/** Flag of a photo: `yes` if a part of its work is unsent. It is indexed. */
export const unsentFlag = type("'yes' | 'no'")

/** Maximum length of a visit's key (visit-key.ts). */
export const VISIT_KEY_MAX = ID_MAX + 11

/** Maximum length of a record's key: a visit's key and a type (safety measures). */
export const RECORD_KEY_MAX = VISIT_KEY_MAX + 9

/** A value of somebody else that a local edit has replaced (sync RULES MG2). */
const replacedValue = type({
  field: 'string',
  value: 'string | number | boolean | null | string[]',
  stamp: 'string',
})
export type ReplacedValue = typeof replacedValue.infer

/** The fields that all records of pushed collections have, besides `server`. */
export const recordFields = type({
  /**
   * A natural key if the CRM allows only one such record; else the id of its creating change, or the CRM's
   * id.
   */
  key: `string <= ${RECORD_KEY_MAX}`,
  requestId: `string <= ${ID_MAX}`,
  /** '' if the record belongs to no day. */
  workingDate: 'string <= 10',
  /** The CRM's id; '' until it is known. */
  serverId: `string <= ${ID_MAX}`,
  /** Changes by others, newest first. */
  'history?': replacedValue.array(),
})

/** The fields that every `server` has, besides the content. */
export const serverFields = type({
  id: `string <= ${ID_MAX}`,
  /** True if the whole record was read from the CRM; false if the CRM only accepted what was sent. */
  detailed: 'boolean',
  /** Stamp from before the read or call that confirmed this state. An older read never overwrites it. */
  stamp: 'string',
})

const sendState = type("'waiting' | 'sending' | 'unknown' | 'accepted' | 'refused' | 'expired' | 'discarded'")

/** The send state of a change or photo, and what the CRM or the file store answered to its calls. */
export const progress = type({
  state: sendState,
  /** ISO 8601 time from which the 24 hours for sending count: the save, or the last 再送. */
  waitingSince: 'string',
  /** The reasons for a refusal: message keys or texts. */
  reasons: 'string[]',
  /** HTTP status of the last response; 0 if there was none. */
  status: 'number',
  /** Number of 5xx answers. */
  serverErrors: 'number',
  /**
   * The body that was sent last, as JSON. '' means that no call has begun, so the item has never left the device (sync
   * RULES OC2, SV2).
   */
  payload: 'string',
  settledAt: 'string',
  /** What the user has requested. The sender applies the request and resets the field to `none`. */
  wish: "'none' | 'resend' | 'discard'",
})
export type Progress = typeof progress.infer

/** The progress of a change, and which record it belongs to. */
export const sending = progress.merge({
  /** Id of the change; also the Idempotency-Key of a creating call. */
  id: `string <= ${ID_MAX}`,
  /** Collection and key of the record. (The name `collection` is reserved by RxDB.) */
  resource: 'string <= 40',
  recordKey: `string <= ${RECORD_KEY_MAX}`,
  kind: 'string',
  requestId: `string <= ${ID_MAX}`,
  workingDate: 'string <= 10',
  stamp: `string <= ${CHANGE_STAMP_MAX}`,
  savedAt: 'string',
  serverId: 'string',
})
export type SendFacts = typeof sending.infer
export type StoredState = SendFacts['state']

/** A change as it is stored. */
export const changeDocument = changeBase.merge(sending).merge({
  kind: 'string',
  /** The saved content. */
  fields: 'object',
  /** The record's own fields besides the content: `contactType`, `locationAreaId`. */
  own: 'object',
  /**
   * The record as the CRM has it since it accepted this change; absent once a read showed that the CRM no
   * longer has it.
   */
  'result?': 'object',
  /** Values of others that this edit has replaced. */
  'replaced?': replacedValue.array(),
  /** True if one of its calls never got an answer: the CRM may have applied the change, whatever its state is now. */
  'mayBeThere?': 'boolean',
})

/** A stored change. */
export interface Change extends ChangeBase, SendFacts {
  // Both parents declare these fields; TypeScript needs one type for each.
  id: string
  stamp: string
  savedAt: string
  fields: object
  own: object
  result?: object | undefined
  replaced?: ReplacedValue[] | undefined
  mayBeThere?: boolean | undefined
}

/** A record's document: the record as it was read from the CRM. */
export interface StoredRecord {
  key: string
  requestId: string
  workingDate: string
  /** The CRM's id. */
  serverId: string
  server?: { stamp: string } | undefined
  history?: ReplacedValue[]
}

/**
 * A record of any resource with its local changes, as screens and the engine use it (`record-view.ts`). `changes` has
 * the changes that the CRM has not accepted, in the order of saving.
 */
export interface PushableRecord extends StoredRecord {
  changes: AnyChange[]
  unsent: 'yes' | 'no'
}

/** A change as a save creates it, before the fields of sending are added. */
export interface AnyChange extends ChangeBase {
  kind: string
  fields: object
}
