/**
 * Decides whether a PUT carries `If-Match` (RULES MG4). Only a strong ETag identifies the state that a PUT
 * was made for (RFC 9110 13.1.1). On another origin the server must allow the header, otherwise the browser
 * sends nothing and reports a network error. So after two PUTs in a row without an answer, one goes without
 * the header, and after its answer the header is tried again.
 */
import { PRECONDITION_FAILED, type Outcome } from './outcome.ts'

const UNANSWERED_MAX = 2

/** Creates the decision of one tab, in memory. */
export function createIfMatch() {
  let unanswered = 0
  return {
    /** The header to send; none if the header may be the reason why the last PUTs got no answer. */
    headerFor: (tag: string | undefined): { 'If-Match'?: string } =>
      tag !== undefined && unanswered < UNANSWERED_MAX ? { 'If-Match': tag } : {},

    /**
     * Notes the outcome of a PUT for which there was an ETag, and interprets a 412 as `stale`.
     * @param wasSent true if the header was sent with it
     */
    outcomeOfPut(wasSent: boolean, outcome: Outcome): Outcome {
      // A PUT that never left the device proves nothing.
      if (outcome.kind === 'unreachable') return outcome
      const isAnswered = outcome.kind !== 'unknown' || outcome.status > 0
      if (wasSent) unanswered = isAnswered ? 0 : unanswered + 1
      else if (isAnswered) unanswered = Math.min(unanswered, UNANSWERED_MAX - 1)
      const isStale = wasSent && outcome.kind === 'unknown' && outcome.status === PRECONDITION_FAILED
      return isStale ? { kind: 'stale', status: PRECONDITION_FAILED } : outcome
    },
  }
}
