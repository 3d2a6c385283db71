/**
 * The send state of changes and photos, as a pure function of the current state and an event. The table in sync RULES
 * (OC1) is the same, checked by a test. An event that does not apply in the current state changes nothing. An accepted
 * item stays accepted. A 失敗 or 期限切れ item changes only when a person decides, or when the CRM turns out to have it.
 */
import type { StoredState } from './change.ts'

export type StateEvent =
  /** A call is about to begin. */
  | 'began'
  /** The CRM has it, as its answer or a read-back showed. */
  | 'accepted'
  | 'refused'
  /** It was not sent within a day. */
  | 'expired'
  /** A call got no answer, so the CRM may or may not have it. */
  | 'lost'
  /** A call was not sent, or certainly did not arrive. */
  | 'held'
  /** Found in state `sending` at a start. */
  | 'crashed'
  /** The user pressed 再送, or the failure was not the item's own fault: it waits again. */
  | 'resent'
  /** The same for an item that a second call could create twice: it is read back before it is sent. */
  | 'resentInDoubt'
  | 'discarded'

type Row = Partial<Record<StateEvent, StoredState>>

/** Items that failed and wait for a person's decision. */
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
  // Another tab may report the same event again.
  refused: { ...PARKED, refused: 'refused' },
  expired: { ...PARKED, expired: 'expired' },
  // A call of the discarded item had arrived, so the CRM has it.
  discarded: { discarded: 'discarded', accepted: 'accepted' },
}

/** The next state; null if the state does not know the event. */
export const afterEvent = (state: StoredState, event: StateEvent): StoredState | null =>
  STATE_TABLE[state][event] ?? null
