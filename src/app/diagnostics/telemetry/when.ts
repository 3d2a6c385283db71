/**
 * When a request may leave, and what becomes of what was sent: pure. One in 15 minutes over all tabs, after the work and
 * never before it, and seldomer while nobody takes it.
 */
import type { QueueFacts } from './facts.ts'
import { increased, up } from './fold.ts'
import type { KeptTelemetry, TelemetryEvent } from './kept.ts'
import { COUNTERS } from './metrics.ts'

export const EVERY_MS = 15 * 60_000
const LONGEST_WAIT_MS = 4 * 3_600_000
/** A fleet that started at the same minute does not stay together. */
const SPREAD_MS = 3 * 60_000
/** What should have gone by itself, and has not for so long, is what the figures are to tell of. */
const STUCK_MS = 60 * 60_000
export const MOST_SAMPLES = 16
/** Of all samples together, in characters. */
export const MOST_TEXT = 300_000

export type Signal = KeptTelemetry['lastSignal']

export const isSampleDue = ({ sampledAt }: KeptTelemetry, now: number): boolean => now - sampledAt >= EVERY_MS

/** Bounded: the oldest goes, and is counted. The totals in a later one say all that it said of them. */
export function withSample(kept: KeptTelemetry, at: number, text: string): KeptTelemetry {
  const samples = [...kept.samples, { at, text }]
  let over = Math.max(0, samples.length - MOST_SAMPLES)
  const room = (from: number) => samples.slice(from).reduce((sum, each) => sum + each.text.length, 0)
  while (room(over) > MOST_TEXT) over += 1
  const next = over > 0 ? increased(kept, [up(COUNTERS.dropped, { signal: 'metrics' }, over)]) : kept
  return { ...next, sampledAt: at, samples: samples.slice(over) }
}

/** Unsent work that is on its way, or will be at once, goes first. */
function isAtWork(queue: QueueFacts | null, now: number): boolean {
  if (!queue || queue.waits || queue.oldestSendable === null) return false
  return now - queue.oldestSendable < STUCK_MS
}

interface SendingMoment {
  /** Epoch ms. */
  now: number
  online: boolean
  queue: QueueFacts | null
}

interface Claim {
  kept: KeptTelemetry
  /** What is to be sent now; null: nothing. */
  signal: Signal | null
}

/** Takes the turn to send: whoever has it is the only one, in any tab, for 15 minutes. */
export function claim(kept: KeptTelemetry, { now, online, queue }: SendingMoment): Claim {
  const signal = nextSignal(kept)
  const isDue = now - kept.triedAt >= EVERY_MS && now >= kept.notBefore
  if (!signal || !online || !isDue || isAtWork(queue, now)) return { kept, signal: null }
  return { kept: { ...kept, triedAt: now, lastSignal: signal }, signal }
}

/** By turns where both wait. */
function nextSignal({ lastSignal, samples, events }: KeptTelemetry): Signal | null {
  if (events.length > 0 && (lastSignal === 'metrics' || samples.length === 0)) return 'logs'
  return samples.length > 0 ? 'metrics' : null
}

/** What came of a request. */
export type Posted =
  | { kind: 'sent' }
  /** It will never be taken. */
  | { kind: 'rejected' }
  | { kind: 'failed'; retryAfterMs: number }

export interface Sent {
  samples: readonly number[]
  events: readonly TelemetryEvent[]
}

/** @param random in [0, 1) */
export function settled(
  before: KeptTelemetry,
  sent: Sent,
  posted: Posted,
  now: number,
  random: number,
): KeptTelemetry {
  if (posted.kind === 'failed') {
    const wait = Math.min(EVERY_MS * 2 ** before.failures, LONGEST_WAIT_MS)
    const longest = Math.max(wait, Math.min(posted.retryAfterMs, 24 * 3_600_000))
    return { ...before, failures: before.failures + 1, notBefore: now + longest + random * SPREAD_MS }
  }
  const lost = posted.kind === 'rejected'
  const kept = lost
    ? increased(before, [
        up(COUNTERS.dropped, { signal: 'metrics' }, sent.samples.length),
        up(COUNTERS.dropped, { signal: 'logs' }, sent.events.length),
      ])
    : { ...before, sentAt: now }
  const gone = new Set(sent.events.map((event) => JSON.stringify(event)))
  return {
    ...kept,
    samples: kept.samples.filter(({ at }) => !sent.samples.includes(at)),
    events: kept.events.filter((event) => !gone.has(JSON.stringify(event))),
    failures: 0,
    notBefore: now + EVERY_MS + random * SPREAD_MS,
  }
}

/** The same devices each time, whoever asks. @param id of the device */
export function isInSample(id: string, sample: number): boolean {
  const hex = id.replaceAll('-', '').slice(0, 8)
  return Number.parseInt(hex, 16) / 2 ** 32 < sample
}
