/**
 * What becomes of a change, of records and photos alike: one pure function of its state and what happened. The table in
 * sync RULES (OC1) is the same one, held by a test.
 *
 * An event that a state does not know changes nothing: what was accepted stays so, and what is 失敗 or 期限切れ is left only
 * by a person, or by the CRM that has it after all. Whoever wrote it reports it.
 */
import type { LedgerState } from './change.ts'

export type LedgerEvent =
  /** A call is about to leave. */
  | 'began'
  /** The CRM has it: its answer, or what was read back. */
  | 'accepted'
  | 'refused'
  /** Unsent for a day. */
  | 'expired'
  /** A call may have arrived, and nobody knows. */
  | 'lost'
  /** It did not leave, or certainly did not arrive. */
  | 'held'
  /** A `sending` that is found at a start. */
  | 'crashed'
  /** 再送, or what was nobody's fault waits again. */
  | 'resent'
  /** The same of what would be made twice: it is looked for before it leaves. */
  | 'resentInDoubt'
  | 'discarded'

type Row = Partial<Record<LedgerEvent, LedgerState>>

/** What waits for a person. */
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

export const LEDGER_TABLE: Record<LedgerState, Row> = {
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
  // only the sender that wrote it knows that the call did not arrive
  sending: { ...IN_DOUBT, held: 'waiting' },
  unknown: IN_DOUBT,
  accepted: { accepted: 'accepted' },
  // told again by a tab that had not heard of it yet
  refused: { ...PARKED, refused: 'refused' },
  expired: { ...PARKED, expired: 'expired' },
  // the CRM had it all the same
  discarded: { discarded: 'discarded', accepted: 'accepted' },
}

/** @returns null where the state does not know the event */
export const afterEvent = (state: LedgerState, event: LedgerEvent): LedgerState | null =>
  LEDGER_TABLE[state][event] ?? null
