/** The circuit as text, kept where all tabs and the next load find it; without ArkType, which the first screen does without. */
import { RETRY_AFTER_MAX_MS } from '#sync/lib/backoff.ts'
import { RETRY_MAX_MS } from '#schemas/limits.ts'
import { CALLS_A_MINUTE, CLOSED, type CircuitState } from './circuit-state.ts'

const FAILURES_MAX = 64
/** An upload's time limit, and then some. */
const TRIAL_MAX_MS = 3 * 60_000

/**
 * What another tab or an earlier load wrote. Nothing of it lies further ahead than the longest wait: its clock may have
 * been another one.
 * @param now milliseconds, of the clock by which it was written
 */
export function storedCircuit(text: string | null, now: number): CircuitState {
  const kept = parse(text)
  const until = (name: keyof CircuitState, longestMs: number) =>
    Math.min(numberOf(kept[name]), now + longestMs)
  const begun = Array.isArray(kept['begun']) ? kept['begun'].map(numberOf) : []
  return {
    ...CLOSED,
    failures: Math.min(Math.floor(numberOf(kept['failures'])), FAILURES_MAX),
    notBefore: until('notBefore', RETRY_MAX_MS),
    retryAt: until('retryAt', RETRY_AFTER_MAX_MS * 1.25),
    openedAt: until('openedAt', 0),
    trialUntil: until('trialUntil', TRIAL_MAX_MS),
    wished: kept['wished'] === true,
    begun: begun.filter((at) => at <= now).slice(-CALLS_A_MINUTE),
  }
}

const numberOf = (value: unknown): number =>
  typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : 0

function parse(text: string | null): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text ?? '')
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}
