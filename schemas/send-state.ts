/**
 * The send states of changes and photos as a table of state and event. sync RULES (OC1) has the same table, and a
 * test compares the two. An accepted item stays accepted. An item that is 失敗 or 期限切れ stays so until the user decides,
 * or until a read shows that the CRM has it after all.
 */
import type { StoredState } from './change.ts'

export type StateEvent =
  /** A call is about to leave. */
  | 'began'
  /** An answer or a read-back shows that the CRM has the item. */
  | 'accepted'
  | 'refused'
  /** The item was not sent within a day. */
  | 'expired'
  /** A call had no answer, so the CRM may have the item. */
  | 'lost'
  /** A call was not sent, or certainly did not arrive. */
  | 'held'
  /** The app found the item in the state `sending` at its start. */
  | 'crashed'
  /** The user pressed 再送, or the failure was not the item's fault, so the item waits again. */
  | 'resent'
  /** Like `resent`, but the item is read back before it is sent, because the CRM could create it twice. */
  | 'resentInDoubt'
  | 'discarded'

type Row = Partial<Record<StateEvent, StoredState>>

/** Transitions of a 失敗 or 期限切れ item, which waits for the user's decision. */
const PARKED: Row = {
  accepted: 'accepted',
  resent: 'waiting',
  resentInDoubt: 'unknown',
  discarded: 'discarded',
}

const OPEN: Row = {
  began: 'sending',
  accepted: 'accepted',
  refused: 'refused',
  expired: 'expired',
  lost: 'unknown',
  resentInDoubt: 'unknown',
  discarded: 'discarded',
}

const IN_DOUBT: Row = { ...OPEN, held: 'unknown', crashed: 'unknown', resent: 'unknown' }

export const STATE_TABLE: Record<StoredState, Row> = {
  waiting: { ...OPEN, held: 'waiting', resent: 'waiting' },
  // Only the tab that began the call reports `held`, and it knows that the call did not arrive.
  sending: { ...IN_DOUBT, held: 'waiting' },
  unknown: IN_DOUBT,
  accepted: { accepted: 'accepted' },
  // Two tabs may report the same refusal.
  refused: { ...PARKED, refused: 'refused' },
  expired: { ...PARKED, expired: 'expired' },
  // A call that was sent before the user discarded the item may have arrived.
  discarded: { discarded: 'discarded', accepted: 'accepted' },
}

/** @returns the next state; null if the event changes nothing in this state */
export const afterEvent = (state: StoredState, event: StateEvent): StoredState | null =>
  STATE_TABLE[state][event] ?? null
