/**
 * Every metric that the app sends, and every event: one table. `deploy/observe` and docs/telemetry.md use these names, and
 * tests/observe holds them to each other both ways.
 */
import type { Facts } from './facts.ts'
import { ofTotalKey, totalKey, type Attributes, type KeptTelemetry } from './kept.ts'

export interface Point {
  value: number
  attributes: Attributes
}

interface Metric {
  name: string
  /** A counter only grows, from `KeptTelemetry.since` on. */
  kind: 'gauge' | 'counter'
  /** UCUM, as OpenTelemetry writes it; what is counted in braces. */
  unit: string
  description: string
  /** Names of its attributes. */
  attributes: readonly string[]
  /** Told by the part of the devices that `config.json` says; the others are told by all. */
  sampled?: true
  points(kept: KeptTelemetry, facts: Facts): Point[]
}

const one = (value: number | boolean | null, attributes: Attributes = {}): Point[] =>
  value === null ? [] : [{ value: Number(value), attributes }]

/** Counters' names, for who counts. */
export const COUNTERS = {
  settled: 'genba.changes.settled',
  refused: 'genba.changes.refused',
  calls: 'genba.calls',
  errors: 'genba.errors',
  migrations: 'genba.migrations',
  samples: 'genba.telemetry.samples',
  dropped: 'genba.telemetry.dropped',
} as const

const totalsOf =
  (name: string, always: readonly Attributes[] = []) =>
  ({ totals }: KeptTelemetry): Point[] => {
    const keys = new Set([...always.map((attributes) => totalKey(name, attributes)), ...Object.keys(totals)])
    return [...keys].flatMap((key) => {
      const total = ofTotalKey(key)
      return total?.name === name ? [{ value: totals[key] ?? 0, attributes: total.attributes }] : []
    })
  }

/** A counter that is first seen at 1 has not grown, for Prometheus: what has to be counted from the first one begins at 0. */
const fromZero = (attribute: string, values: readonly string[]): Attributes[] =>
  values.map((value) => ({ [attribute]: value }))

export const METRICS: readonly Metric[] = [
  {
    name: 'genba.unsent',
    kind: 'gauge',
    unit: '{change}',
    description: 'Changes that the CRM does not have',
    attributes: ['state'],
    points: (_, { queue }) =>
      Object.entries(queue?.unsent ?? {}).flatMap(([state, count]) => one(count, { state })),
  },
  {
    name: 'genba.unsent.photos',
    kind: 'gauge',
    unit: '{photo}',
    description: 'Photos that the file store does not have',
    attributes: [],
    points: (_, { queue }) => one(queue?.photos ?? null),
  },
  {
    name: 'genba.unsent.oldest_age',
    kind: 'gauge',
    unit: 's',
    description: 'Age of the oldest unsent save when this was sampled; 0 where nothing is unsent',
    attributes: [],
    points: (_, { queue, at }) =>
      queue ? one(queue.oldest === null ? 0 : Math.max(1, Math.round((at - queue.oldest) / 1000))) : [],
  },
  {
    name: COUNTERS.settled,
    kind: 'counter',
    unit: '{change}',
    description: 'Changes and photos by what became of them',
    attributes: ['outcome'],
    points: totalsOf(COUNTERS.settled, fromZero('outcome', ['accepted', 'refused', 'expired', 'discarded'])),
  },
  {
    name: COUNTERS.refused,
    kind: 'counter',
    unit: '{change}',
    description: 'Refused changes by HTTP status and collection',
    attributes: ['code', 'resource'],
    points: totalsOf(COUNTERS.refused),
  },
  {
    name: COUNTERS.calls,
    kind: 'counter',
    unit: '{call}',
    description: 'Calls to the CRM and the file store by what was answered',
    attributes: ['outcome'],
    sampled: true,
    points: totalsOf(COUNTERS.calls, fromZero('outcome', ['2xx', '5xx', 'none'])),
  },
  {
    name: 'genba.figure.duration',
    kind: 'gauge',
    unit: 'ms',
    description: 'How long users and the sync wait on this device, over seven days: INP, LCP, User Timing',
    attributes: ['figure', 'quantile'],
    sampled: true,
    points: (_, { figures }) =>
      figures
        .filter(({ unit }) => unit === 'ms')
        .flatMap(({ name: figure, median, p75, p98 }) => [
          ...one(median, { figure, quantile: '0.5' }),
          ...one(p75, { figure, quantile: '0.75' }),
          ...one(p98, { figure, quantile: '0.98' }),
        ]),
  },
  {
    name: 'genba.storage.used',
    kind: 'gauge',
    unit: 'By',
    description: 'What the app takes on the device',
    attributes: [],
    points: (_, { storage }) => one(storage.used),
  },
  {
    name: 'genba.storage.free',
    kind: 'gauge',
    unit: 'By',
    description: 'What the browser would still give the app',
    attributes: [],
    points: (_, { storage }) => one(storage.free),
  },
  {
    name: 'genba.storage.persisted',
    kind: 'gauge',
    unit: '{flag}',
    description: '1 where the browser has promised to keep what is stored',
    attributes: [],
    points: (_, { storage }) => one(storage.persisted),
  },
  {
    name: 'genba.app.version',
    kind: 'gauge',
    unit: '{version}',
    description: '1.2.3 as 1.00020003: one series for each device, whatever it is updated to',
    attributes: [],
    points: (_, { version }) => one(versionNumber(version)),
  },
  {
    name: 'genba.app.below_minimum',
    kind: 'gauge',
    unit: '{flag}',
    description: '1 where the version is older than minimumVersion of config.json',
    attributes: [],
    points: (_, { isBelowMinimum }) => one(isBelowMinimum),
  },
  {
    name: COUNTERS.errors,
    kind: 'counter',
    unit: '{error}',
    description: 'Errors of the local log by kind and fingerprint',
    attributes: ['type', 'fingerprint'],
    sampled: true,
    points: totalsOf(COUNTERS.errors),
  },
  {
    name: COUNTERS.migrations,
    kind: 'counter',
    unit: '{migration}',
    description: 'Migrations of the stores on this device',
    attributes: ['outcome'],
    points: totalsOf(COUNTERS.migrations, fromZero('outcome', ['migrated', 'failed'])),
  },
  {
    name: COUNTERS.samples,
    kind: 'counter',
    unit: '{sample}',
    description: 'Samples that this device has made: it stands still where the device is silent',
    attributes: [],
    points: totalsOf(COUNTERS.samples, [{}]),
  },
  {
    name: COUNTERS.dropped,
    kind: 'counter',
    unit: '{item}',
    description: 'Samples and events that were never sent: the bounded store was full, or they were refused',
    attributes: ['signal'],
    points: totalsOf(COUNTERS.dropped, fromZero('signal', ['metrics', 'logs'])),
  },
]

/** Events, sent as OTLP log records, with their attributes. */
export const EVENTS = {
  error: { name: 'genba.error', attributes: ['exception.type', 'fingerprint', 'frames', 'count'] },
  updated: { name: 'genba.updated', attributes: ['from', 'to'] },
  migrated: { name: 'genba.migrated', attributes: ['from', 'to'] },
} as const

const VERSION = /^(\d{1,4})\.(\d{1,4})\.(\d{1,4})$/

/** @returns null for what is no such version */
export function versionNumber(version: string): number | null {
  const [, major, minor, patch] = VERSION.exec(version) ?? []
  if (major === undefined || minor === undefined || patch === undefined) return null
  return Number(`${major}.${minor.padStart(4, '0')}${patch.padStart(4, '0')}`)
}
