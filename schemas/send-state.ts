/**
 * The send state of changes and photos, as a pure function of the current state and an event. The table in
 * sync RULES (OC1) is the same, checked by a test. An event that a state does not know changes nothing: an
 * accepted item stays accepted, and a 失敗 or 期限切れ item only changes by a person, or if the CRM turns out to
 * have it.
 */
import type { StoredState } from './change.ts'

export type StateEvent =
  /** A call is about to begin. */
  | 'began'
  /** The CRM has it: by its answer, or by a read-back. */
  | 'accepted'
  | 'refused'
  /** Unsent for a day. */
  | 'expired'
  /** A call may have arrived; nobody knows. */
  | 'lost'
  /** A call did not begin, or certainly did not arrive. */
  | 'held'
  /** Found in state `sending` at a start. */
  | 'crashed'
  /** 再送; or a failure that was not its own fault waits again. */
  | 'resent'
  /** The same for an item that could be created twice: it is read back before it is sent. */
  | 'resentInDoubt'
  | 'discarded'

type Row = Partial<Record<StateEvent, StoredState>>

/** Failed items that wait for a person. */
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
  // Only the sender that wrote it knows that its call did not arrive.
  sending: { ...IN_DOUBT, held: 'waiting' },
  unknown: IN_DOUBT,
  accepted: { accepted: 'accepted' },
  // Another tab may report the same event again.
  refused: { ...PARKED, refused: 'refused' },
  expired: { ...PARKED, expired: 'expired' },
  // The CRM had it after all.
  discarded: { discarded: 'discarded', accepted: 'accepted' },
}

/** The next state; null if the state does not know the event. */
export const afterEvent = (state: StoredState, event: StateEvent): StoredState | null =>
  STATE_TABLE[state][event] ?? null
