/**
 * Which `If-Match` a PUT may carry (RULES MG4). Only a strong ETag says which state a PUT was made for (RFC 9110 13.1.1).
 * From another origin the header has to be allowed; where it is not, the browser sends nothing and says "network error". So
 * after two PUTs in a row without an answer one goes without it, and once that is answered it is tried again.
 */
import type { Outcome } from './outcome.ts'
import { PRECONDITION_FAILED } from './strong-tag.ts'

const UNANSWERED_MAX = 2

/** Of one tab, in memory. */
export function createIfMatch() {
  let unanswered = 0
  return {
    /** @returns the header to send; none where it may be what keeps the call from being answered */
    headerFor: (tag: string | undefined): { 'If-Match'?: string } =>
      tag !== undefined && unanswered < UNANSWERED_MAX ? { 'If-Match': tag } : {},

    /** What came of a PUT that there was a tag for. */
    ended(wasSent: boolean, outcome: Outcome): Outcome {
      // it never left: that says nothing
      if (outcome.kind === 'unreachable') return outcome
      const isAnswered = outcome.kind !== 'unknown' || outcome.status > 0
      if (wasSent) unanswered = isAnswered ? 0 : unanswered + 1
      else if (isAnswered) unanswered = Math.min(unanswered, UNANSWERED_MAX - 1)
      const isStale = wasSent && outcome.kind === 'unknown' && outcome.status === PRECONDITION_FAILED
      return isStale ? { kind: 'stale', status: PRECONDITION_FAILED } : outcome
    },
  }
}
