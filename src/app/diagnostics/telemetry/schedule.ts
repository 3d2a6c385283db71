/** When telemetry is sent: by all tabs together once in 15 minutes, after the user's unsent work. Pure. */
import type { QueueFacts } from './facts.ts'
import { COUNTERS } from './metrics.ts'
import { increase, increased, type TelemetryEvent, type TelemetryState } from './state.ts'

export const EVERY_MS = 15 * 60_000
const WAIT_MAX_MS = 4 * 3_600_000
const RETRY_AFTER_MAX_MS = 24 * 3_600_000
/** Maximum random delay, so that devices that start together do not all send together. */
const SPREAD_MS = 3 * 60_000
/** Older unsent work does not delay telemetry, because telemetry must report work that is stuck. */
const STUCK_MS = 60 * 60_000
export const MOST_SAMPLES = 16
export const MOST_TEXT = 300_000

export type Signal = TelemetryState['lastSignal']

export const isSampleDue = ({ sampledAt }: TelemetryState, now: number): boolean =>
  now - sampledAt >= EVERY_MS

/** Adds a sample and drops the oldest over the limit. Later samples have the same counters, with more. */
export function withSample(state: TelemetryState, at: number, text: string): TelemetryState {
  const samples = [...state.samples, { at, text }]
  let over = Math.max(0, samples.length - MOST_SAMPLES)
  const lengthFrom = (start: number) => samples.slice(start).reduce((sum, each) => sum + each.text.length, 0)
  while (lengthFrom(over) > MOST_TEXT) over += 1
  const counted = increased(state, [increase(COUNTERS.dropped, { signal: 'metrics' }, over)])
  return { ...counted, sampledAt: at, samples: samples.slice(over) }
}

/** True if unsent work is being sent or will be sent soon. Telemetry waits until that work is sent. */
function isSendingWork(queue: QueueFacts | null, now: number): boolean {
  if (!queue || queue.waits || queue.oldestSendable === null) return false
  return now - queue.oldestSendable < STUCK_MS
}

/** Reserves the next request for this tab. @returns the new state, and the signal to send; null for none */
export function claim(
  state: TelemetryState,
  { now, online, queue }: { now: number; online: boolean; queue: QueueFacts | null },
): { state: TelemetryState; signal: Signal | null } {
  const signal = nextSignal(state)
  const isDue = now - state.triedAt >= EVERY_MS && now >= state.notBefore
  if (!signal || !online || !isDue || isSendingWork(queue, now)) return { state, signal: null }
  return { state: { ...state, triedAt: now, lastSignal: signal }, signal }
}

function nextSignal({ lastSignal, samples, events }: TelemetryState): Signal | null {
  if (events.length > 0 && (lastSignal === 'metrics' || samples.length === 0)) return 'logs'
  return samples.length > 0 ? 'metrics' : null
}

/** Result of a request. Rejected content is not sent again. */
export type Posted = { kind: 'sent' } | { kind: 'rejected' } | { kind: 'failed'; retryAfterMs: number }

/** Returns the state after a request. @param random from 0 to below 1 */
export function settled(
  before: TelemetryState,
  sent: { samples: readonly number[]; events: readonly TelemetryEvent[] },
  posted: Posted,
  now: number,
  random: number,
): TelemetryState {
  if (posted.kind === 'failed') {
    const backoff = Math.min(EVERY_MS * 2 ** before.failures, WAIT_MAX_MS)
    const wait = Math.max(backoff, Math.min(posted.retryAfterMs, RETRY_AFTER_MAX_MS))
    return { ...before, failures: before.failures + 1, notBefore: now + wait + random * SPREAD_MS }
  }
  const dropped = [
    increase(COUNTERS.dropped, { signal: 'metrics' }, sent.samples.length),
    increase(COUNTERS.dropped, { signal: 'logs' }, sent.events.length),
  ]
  const state = posted.kind === 'rejected' ? increased(before, dropped) : { ...before, sentAt: now }
  const texts = new Set(sent.events.map((event) => JSON.stringify(event)))
  return {
    ...state,
    samples: state.samples.filter(({ at }) => !sent.samples.includes(at)),
    events: state.events.filter((event) => !texts.has(JSON.stringify(event))),
    failures: 0,
    notBefore: now + EVERY_MS + random * SPREAD_MS,
  }
}

/** True if the id belongs to the given share of devices. The result for an id is always the same. */
export const isInSample = (id: string, sample: number): boolean =>
  Number.parseInt(id.replaceAll('-', '').slice(0, 8), 16) / 2 ** 32 < sample
