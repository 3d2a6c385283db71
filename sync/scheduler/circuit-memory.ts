/**
 * The circuit's state as text, shared by all tabs and reloads. Without ArkType, because the first screen
 * loads this.
 */
import { RETRY_AFTER_MAX_MS } from '#sync/lib/backoff.ts'
import { RETRY_MAX_MS } from '#schemas/limits.ts'
import { CALLS_PER_MINUTE, CLOSED, type CircuitState } from './circuit-state.ts'

const FAILURES_MAX = 64
/** Longest time that a stored trial call may block others: an upload's time limit plus a margin. */
const TRIAL_MAX_MS = 3 * 60_000

/**
 * Parses a state that another tab or an earlier load wrote. Its clock may have been wrong, so each time is
 * limited to now plus the longest possible wait.
 * @param now milliseconds, by the clock that also stamps the stored state
 */
export function storedCircuit(text: string | null, now: number): CircuitState {
  const stored = parse(text)
  const until = (name: keyof CircuitState, longestMs: number) =>
    Math.min(numberOf(stored[name]), now + longestMs)
  const begun = Array.isArray(stored['begun']) ? stored['begun'].map(numberOf) : []
  return {
    ...CLOSED,
    failures: Math.min(Math.floor(numberOf(stored['failures'])), FAILURES_MAX),
    notBefore: until('notBefore', RETRY_MAX_MS),
    retryAt: until('retryAt', RETRY_AFTER_MAX_MS * 1.25),
    openedAt: until('openedAt', 0),
    trialUntil: until('trialUntil', TRIAL_MAX_MS),
    wished: stored['wished'] === true,
    begun: begun.filter((at) => at <= now).slice(-CALLS_PER_MINUTE),
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
