/**
 * A change is what a save stores for one record. The save writes the document once; later writes only add the send
 * state (sync RULES OC1). The record is a separate document, which only the pull writes; screens combine both
 * (`record-view.ts`).
 */
import { type } from 'arktype'
import { ID_MAX } from '#schemas/limits.ts'

export const CHANGE_STAMP_MAX = 40

const changeBase = type({
  /** UUID. A `POST` sends it as its Idempotency-Key. */
  id: `string <= ${ID_MAX}`,
  /** Hybrid logical time of the save. Sorts as text, and never decreases on a device. */
  stamp: `string <= ${CHANGE_STAMP_MAX}`,
  /** The device's wall clock at the save, ISO 8601. */
  savedAt: 'string',
  /** The user who saved the change. Only this user's session sends it (sync RULES SV4). */
  userId: 'string',
  /** True if the app was offline when the change was saved. */
  offline: 'boolean',
  /** Shared by all changes of one save (bulk exit), so that one call sends them. */
  'group?': 'string',
  /** What the user saw and edited. A field whose saved value differs from it counts as edited here (sync RULES MG2). */
  'madeOn?': { stamp: 'string', fields: 'object' },
})

export type ChangeBase = typeof changeBase.infer

/** Indexed flag of a photo: `yes` if its upload, rename or deletion is unsent. */
export const unsentFlag = type("'yes' | 'no'")
export const VISIT_KEY_MAX = ID_MAX + 11

/** Maximum length of a record's key. The longest keys, those of safety measures, are a visit's key and a type. */
export const RECORD_KEY_MAX = VISIT_KEY_MAX + 9

/** Another person's value that a local edit has replaced (sync RULES MG2). */
const replacedValue = type({
  field: 'string',
  value: 'string | number | boolean | null | string[]',
  stamp: 'string',
})
export type ReplacedValue = typeof replacedValue.infer

/** The fields besides `server` that every record has whose collection is sent to the CRM. */
export const recordFields = type({
  /** A natural key if the CRM allows only one such record. Otherwise the id of the creating change, or the CRM's id. */
  key: `string <= ${RECORD_KEY_MAX}`,
  requestId: `string <= ${ID_MAX}`,
  /** '' if the record belongs to no day. */
  workingDate: 'string <= 10',
  /** The CRM's id; '' while the CRM does not have the record. */
  serverId: `string <= ${ID_MAX}`,
  'history?': replacedValue.array(),
})

/** The fields of every record's `server` besides the content. `server` is the record's last known state in the CRM. */
export const serverFields = type({
  id: `string <= ${ID_MAX}`,
  /** True if the record was read in full; false if the CRM has only accepted what was sent. */
  detailed: 'boolean',
  /** Stamp from before the read or call that confirmed this state. A read with an earlier stamp never replaces it. */
  stamp: 'string',
})

const sendState = type("'waiting' | 'sending' | 'unknown' | 'accepted' | 'refused' | 'expired' | 'discarded'")

/** The send state of a change or photo, with the answer to its last call. */
export const progress = type({
  state: sendState,
  /** ISO 8601 start of the 24 hours for sending: the save, or the last 再送. */
  waitingSince: 'string',
  /** Why the item was refused: message keys or texts. */
  reasons: 'string[]',
  /** HTTP status of the last answer; 0 without one. */
  status: 'number',
  /** Number of server errors caused by the item itself and not by an outage (sync RULES OC8). */
  serverErrors: 'number',
  /** JSON body of the last call. '' means that no call was made: the CRM cannot have the item (sync RULES OC2, SV2). */
  payload: 'string',
  /** ISO 8601 time at which the item was last accepted, refused, expired or discarded; '' if it never was. */
  settledAt: 'string',
  /** What the user wants. The sender carries it out and resets the field to `none`. */
  wish: "'none' | 'resend' | 'discard'",
})
export type Progress = typeof progress.infer

/** The send state of a change, with the change's record. */
export const sending = progress.merge({
  /** Id of the change. A `POST` sends it as its Idempotency-Key. */
  id: `string <= ${ID_MAX}`,
  /** Collection of the record. RxDB reserves the name `collection`. */
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

export const changeDocument = changeBase.merge(sending).merge({
  kind: 'string',
  fields: 'object',
  /** The record's fields besides the content: `contactType`, `locationAreaId`. */
  own: 'object',
  /** The record as the CRM has had it since it accepted this change; absent after a read has shown its deletion. */
  'result?': 'object',
  'replaced?': replacedValue.array(),
  /** True if a call of this change had no answer, so that the CRM may have applied the change. */
  'mayBeThere?': 'boolean',
})

export type Change = typeof changeDocument.infer

export type StoredRecord = typeof recordFields.infer & { server?: { stamp: string } | undefined }

/** A record with its local changes (`record-view.ts`): those that the CRM has not accepted, in the order of saving. */
export type PushableRecord = StoredRecord & { changes: AnyChange[]; unsent: 'yes' | 'no' }

/** A change without the fields of `sending`. */
export type AnyChange = ChangeBase & { kind: string; fields: object }
