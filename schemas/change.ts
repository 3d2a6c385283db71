/**
 * What a person saved and the CRM has not acknowledged. A record that travels to the CRM is
 *
 *     record = server (what the CRM last confirmed) + changes (what was saved here since)
 *
 * A change is only ever added by a save and taken away by an acknowledgement or by 破棄 (sync RULES SV3): the queue is
 * the set of changes, in the order of their stamps (OR1). A pull replaces `server` and never touches `changes` (PL3).
 */
import { type } from 'arktype'
import { ID_MAX } from './limits.ts'

export const CHANGE_STAMP_MAX = 40

export const changeBase = type({
  /** uuid; the ledger's key and the Idempotency-Key of a creating call. */
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

/** A record that has something unsent says so in an index. */
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

/** What every record that travels has, beside its own `server` and `changes`. */
export const travelling = type({
  /** Natural where the CRM allows one record of the kind; else the id of its creating change, or the CRM's id. */
  key: `string <= ${RECORD_KEY_MAX}`,
  requestId: `string <= ${ID_MAX}`,
  /** '' where the record belongs to no day. */
  workingDate: 'string <= 10',
  /** The CRM's id, empty until it is known. */
  serverId: `string <= ${ID_MAX}`,
  unsent: unsentFlag,
  /** What edits made here have replaced, newest first. */
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

/** A record that travels, as the engine sees it: it knows no resource by name. */
export interface PushableRecord {
  key: string
  requestId: string
  workingDate: string
  /** The CRM's id, empty until it is known. */
  serverId: string
  server?: { stamp: string } | undefined
  changes: (ChangeBase & { kind: string; fields: object })[]
  unsent: 'yes' | 'no'
  history?: ReplacedValue[]
}
export type AnyChange = PushableRecord['changes'][number]
