/** How the CRM and the way to it fare, by time: all that a device can notice of it. */
import type { Random } from '../random.ts'

export type Trouble =
  | { kind: 'none' }
  /** Every call of the API is cut off; the probe is answered by what stands before it. */
  | { kind: 'resets' }
  | { kind: 'status'; status: 429 | 503; retryAfterMs: number }
  /** Of all calls this share is refused, half with 429 and half with 503. */
  | { kind: 'refusals'; share: number }
  /** No device has a network; they have it back one after another, for so long. */
  | { kind: 'no-network'; backWithinMs: number }

export interface Weather {
  trouble: Trouble
  /** Epoch ms. */
  from: number
  to: number
}

export type Answer = { kind: 'ok' } | { kind: 'reset' } | { kind: 'throttled'; retryAfterMs: number }

const OK: Answer = { kind: 'ok' }
const FASTEST_MS = 150
const SLOWER_BY_MS = 300

export const latency = (random: Random): number => FASTEST_MS + random() * SLOWER_BY_MS

export function answerAt(
  { trouble, from, to }: Weather,
  now: number,
  random: Random,
  probe: boolean,
): Answer {
  if (now < from || now >= to) return OK
  switch (trouble.kind) {
    case 'resets':
      return probe ? OK : { kind: 'reset' }
    case 'status':
      return { kind: 'throttled', retryAfterMs: trouble.retryAfterMs }
    case 'refusals':
      return random() < trouble.share ? { kind: 'throttled', retryAfterMs: 0 } : OK
    case 'none':
    case 'no-network':
      return OK
  }
}
