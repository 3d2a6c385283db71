/**
 * What the device keeps for the figures of the fleet: totals since it began, and what waits to be sent, bounded. It holds no
 * personal data, and belongs to the device and not to a user (decisions/telemetry).
 */
import { type } from 'arktype'

const values = type({ '[string]': 'string | number' })

const telemetryEvent = type({
  /** Epoch ms. */
  at: 'number',
  name: 'string <= 40',
  attributes: values,
})
export type TelemetryEvent = typeof telemetryEvent.infer

const counts = type({ '[string]': 'number' })

export const keptTelemetry = type({
  /** Random, of this device alone; made anew when its user says so. */
  id: '1 <= string <= 40',
  /** Epoch ms from when the totals count. */
  since: 'number',
  /** By `totalKey`: they only grow, so that what is sent twice, or never, does no harm. */
  totals: counts,
  /** What was counted already (changes and errors), and when. */
  counted: counts,
  /** The app's version and the stores' layout at the last look. */
  version: 'string <= 40',
  layout: 'number | null',
  /** Elements of OTLP's `resourceMetrics` as JSON text, oldest first. */
  samples: type({ at: 'number', text: 'string <= 200000' }).array(),
  events: telemetryEvent.array(),
  sampledAt: 'number',
  /** When a request last left, by any tab, and of what kind it was. */
  triedAt: 'number',
  lastSignal: "'metrics' | 'logs'",
  /** Before that no request leaves. */
  notBefore: 'number',
  /** Requests without success since the last success. */
  failures: 'number',
  /** Null: never yet. */
  sentAt: 'number | null',
})
export type KeptTelemetry = typeof keptTelemetry.infer

/** @param now epoch ms */
export const newTelemetry = (id: string, now: number): KeptTelemetry => ({
  id,
  since: now,
  totals: {},
  counted: {},
  version: '',
  layout: null,
  samples: [],
  events: [],
  sampledAt: 0,
  triedAt: 0,
  lastSignal: 'logs',
  notBefore: 0,
  failures: 0,
  sentAt: null,
})

export type Attributes = Readonly<Record<string, string | number>>

/** One total of a counter: its name and attributes, always in the same order. */
export const totalKey = (name: string, attributes: Attributes): string =>
  JSON.stringify([name, Object.entries(attributes).toSorted(([one], [other]) => (one < other ? -1 : 1))])

const key = type(['string', type(['string', 'string | number']).array()])

/** @returns null for what is no such key */
export function ofTotalKey(text: string): { name: string; attributes: Attributes } | null {
  const parsed = type('string.json.parse').pipe(key)(text)
  if (parsed instanceof type.errors) return null
  const [name, entries] = parsed
  return { name, attributes: Object.fromEntries(entries) }
}
