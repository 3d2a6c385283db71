/**
 * The send state of changes and photos, as a pure function of the current state and an event. The table in sync RULES
 * (OC1) is the same, checked by a test. An event that does not apply in the current state changes nothing. An accepted
 * item stays accepted. A 失敗 or 期限切れ item changes only when a person decides, or when the CRM turns out to have it.
 */
import type { StoredState } from './change.ts'

export type StateEvent =
  /** A call is about to begin. */
  | 'began'
  /** An answer or a read-back showed that the CRM has the item. */
  | 'accepted'
  | 'refused'
  /** The item was not sent within a day. */
  | 'expired'
  /** A call got no answer: the CRM may or may not have the item. */
  | 'lost'
  /** A call was not sent, or certainly did not arrive. */
  | 'held'
  /** The item was in state `sending` when the app started. */
  | 'crashed'
  /** The item waits again: the user pressed 再送, or the item did not cause the failure. */
  | 'resent'
  /** Like `resent`, for an item that a second call could create twice: it is read back before it is sent. */
  | 'resentInDoubt'
  | 'discarded'

type Row = Partial<Record<StateEvent, StoredState>>

/** The transitions of an item that failed and waits for a person's decision. */
const PARKED: Row = {
  accepted: 'accepted',
  resent: 'waiting',
  resentInDoubt: 'unknown',
  discarded: 'discarded',
}

const IN_DOUBT: Row = {
  began: 'sending',
  accepted: 'accepted',
  refused: 'refused',
  expired: 'expired',
  lost: 'unknown',
  held: 'unknown',
  crashed: 'unknown',
  resent: 'unknown',
  resentInDoubt: 'unknown',
  discarded: 'discarded',
}

export const STATE_TABLE: Record<StoredState, Row> = {
  waiting: {
    began: 'sending',
    accepted: 'accepted',
    refused: 'refused',
    expired: 'expired',
    lost: 'unknown',
    held: 'waiting',
    resent: 'waiting',
    resentInDoubt: 'unknown',
    discarded: 'discarded',
  },
  // `held` is reported by the tab that began the call: only that tab knows that the call did not arrive.
  sending: { ...IN_DOUBT, held: 'waiting' },
  unknown: IN_DOUBT,
  accepted: { accepted: 'accepted' },
  // `refused` and `expired` may be reported again by another tab.
  refused: { ...PARKED, refused: 'refused' },
  expired: { ...PARKED, expired: 'expired' },
  // `accepted`: a call made before the item was discarded has arrived.
  discarded: { discarded: 'discarded', accepted: 'accepted' },
}

/** The next state; null if the event does not apply in this state. */
export const afterEvent = (state: StoredState, event: StateEvent): StoredState | null =>
  STATE_TABLE[state][event] ?? null
