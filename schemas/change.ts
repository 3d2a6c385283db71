/**
 * What a person saved, as one document for each record that it changes: it is written once by the save, and carries its own
 * send state from then on (sync RULES OC1). Records are documents of their own, which only the pull writes; what a screen
 * shows of one is folded from both (`record-view.ts`, decisions/records).
 */
import { type } from 'arktype'
import { ID_MAX } from '#schemas/limits.ts'

export const CHANGE_STAMP_MAX = 40

const changeBase = type({
  /** uuid; the Idempotency-Key of a creating call. */
  id: `string <= ${ID_MAX}`,
  /** Hybrid logical time of the save; sorts as text, never goes back on one device. */
  stamp: `string <= ${CHANGE_STAMP_MAX}`,
  /** The device's wall clock at the save, ISO 8601. */
  savedAt: 'string',
  /** Who saved it; it is only ever sent as this user (sync RULES SV4). */
  userId: 'string',
  /** Saved while the app knew it was offline. */
  offline: 'boolean',
  /** One save over several records (bulk exit) shares a group, so that one call carries them. */
  'group?': 'string',
  /**
   * The content that an edit was made on, and since when it stood so: what differs from it was changed here, everything
   * else is what somebody else may have changed meanwhile (sync RULES MG2).
   */
  'madeOn?': { stamp: 'string', fields: 'object' },
})

export type ChangeBase = typeof changeBase.infer

/** A photo that has something unsent says so in an index. */
export const unsentFlag = type("'yes' | 'no'")

/** A visit's key (visit-key.ts), at most. */
export const VISIT_KEY_MAX = ID_MAX + 11

/** A record's key: what belongs to one visit, and a type (safety measures), at most. */
export const RECORD_KEY_MAX = VISIT_KEY_MAX + 9

/** A value of somebody else that an edit made here has replaced (sync RULES MG2). */
const replacedValue = type({
  field: 'string',
  value: 'string | number | boolean | null | string[]',
  stamp: 'string',
})
export type ReplacedValue = typeof replacedValue.infer

/** What every record that travels has, beside its own `server`. */
export const travelling = type({
  /** Natural where the CRM allows one record of the kind; else the id of its creating change, or the CRM's id. */
  key: `string <= ${RECORD_KEY_MAX}`,
  requestId: `string <= ${ID_MAX}`,
  /** '' where the record belongs to no day. */
  workingDate: 'string <= 10',
  /** The CRM's id, empty until it is known. */
  serverId: `string <= ${ID_MAX}`,
  /** What others changed in it, newest first. */
  'history?': replacedValue.array(),
})

/** What every `server` of such a record has, beside the content. */
export const confirmed = type({
  id: `string <= ${ID_MAX}`,
  /** Whether the CRM itself was read since (name, folder, author), or only took what was sent. */
  detailed: 'boolean',
  /** Stamp taken before the read or call that confirmed this state: an older read never overwrites it. */
  stamp: 'string',
})

const sendState = type("'waiting' | 'sending' | 'unknown' | 'accepted' | 'refused' | 'expired' | 'discarded'")

/** How far a change or a photo is on its way to the CRM or the file store, and what is known of its calls. */
export const progress = type({
  state: sendState,
  /** ISO 8601: its 24 hours count from here, the save or the last 再送. */
  waitingSince: 'string',
  /** The reasons for a refusal: message keys or texts. */
  reasons: 'string[]',
  /** HTTP status of the last answer, 0 where there was none. */
  status: 'number',
  /** How often a 5xx was answered to it. */
  serverErrors: 'number',
  /** What was sent last, as JSON text; empty until a call begins: then it has never left the device (sync RULES OC2, SV2). */
  payload: 'string',
  settledAt: 'string',
  /** What the user asked for; the sender acts on it and sets it back to none. */
  wish: "'none' | 'resend' | 'discard'",
})
export type Progress = typeof progress.infer

/** What a change of a record says of its way to the CRM. */
export const sending = progress.merge({
  /** The id of the change; the Idempotency-Key of a creating call. */
  id: `string <= ${ID_MAX}`,
  /** Collection (RxDB reserves that word) and key of the record it belongs to. */
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
export type LedgerState = SendFacts['state']

/** A change as it is stored. */
export const changeDocument = changeBase.merge(sending).merge({
  kind: 'string',
  /** The content that it says. */
  fields: 'object',
  /** What the record is beside its content: `contactType`, `locationAreaId`. */
  own: 'object',
  /** The record as the CRM has it since it accepted this; absent once the CRM was seen to have it no more. */
  'result?': 'object',
  /** Values of others that this edit has replaced. */
  'replaced?': replacedValue.array(),
  /** A call of it had no answer once: it may have replaced them, whatever became of it since. */
  'mayBeThere?': 'boolean',
})

export interface Change extends ChangeBase, SendFacts {
  // both say so
  id: string
  stamp: string
  savedAt: string
  fields: object
  own: object
  result?: object | undefined
  replaced?: ReplacedValue[] | undefined
  mayBeThere?: boolean | undefined
}

/** A record as the CRM was read to have it: its document. */
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
 * A record that travels, as screens and the engine see it (`record-view.ts`); neither knows a resource by name. `changes`:
 * those that the CRM has not accepted, in the order of saving.
 */
export interface PushableRecord extends StoredRecord {
  changes: AnyChange[]
  unsent: 'yes' | 'no'
}

/** What a save says. */
export interface AnyChange extends ChangeBase {
  kind: string
  fields: object
}
