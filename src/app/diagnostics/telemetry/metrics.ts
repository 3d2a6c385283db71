/** All metrics and events. tests/observe checks that `deploy/observe` and docs/telemetry.md use these names. */
import { OUTCOMES, type Facts } from './facts.ts'

export type Attributes = Readonly<Record<string, string | number>>

type Point = { value: number; attributes: Attributes }

export type Total = Point & { name: string }

interface Metric {
  name: string
  kind: 'gauge' | 'counter'
  /** Unit in UCUM notation, as in OpenTelemetry. Counted things are in braces: `{call}`. */
  unit: string
  description: string
  attributes: readonly string[]
  /** True if only some devices send the metric; `config.json` sets their share. Default: all devices send it. */
  sampled?: boolean
  points(facts: Facts, totals: readonly Total[]): Point[]
}

export const COUNTERS = {
  settled: 'genba.changes.settled',
  refused: 'genba.changes.refused',
  calls: 'genba.calls',
  errors: 'genba.errors',
  migrations: 'genba.migrations',
  samples: 'genba.telemetry.samples',
  dropped: 'genba.telemetry.dropped',
} as const

export const EVENTS = {
  error: { name: 'genba.error', attributes: ['exception.type', 'fingerprint', 'frames', 'count'] },
  updated: { name: 'genba.updated', attributes: ['from', 'to'] },
  migrated: { name: 'genba.migrated', attributes: ['from', 'to'] },
} as const

export const isSameSeries = (one: Omit<Total, 'value'>, other: Omit<Total, 'value'>): boolean =>
  one.name === other.name && JSON.stringify(one.attributes) === JSON.stringify(other.attributes)

type Heading = readonly [name: string, unit: string, description: string]

/** @param value returns null if the value is unknown; the metric is then not sent */
const gauge = (
  [name, unit, description]: Heading,
  value: (facts: Facts) => number | boolean | null,
): Metric => ({
  name,
  kind: 'gauge',
  unit,
  description,
  attributes: [],
  points(facts) {
    const found = value(facts)
    return found === null ? [] : [{ value: Number(found), attributes: {} }]
  },
})

/** @param fromZero sets sent as 0 at first, because Prometheus does not count a new series' first value */
const counter = (
  [name, unit, description]: Heading,
  attributes: readonly string[],
  fromZero: readonly Attributes[] = [],
): Metric => ({
  name,
  kind: 'counter',
  unit,
  description,
  attributes,
  points(_, totals) {
    const own = totals.filter((total) => total.name === name)
    const zeros = fromZero.map((set) => ({ name, attributes: set, value: 0 }))
    return [...own, ...zeros.filter((zero) => !own.some((total) => isSameSeries(total, zero)))]
  },
})

const each = (attribute: string, values: readonly string[]): Attributes[] =>
  values.map((value) => ({ [attribute]: value }))

export const METRICS: readonly Metric[] = [
  {
    name: 'genba.unsent',
    kind: 'gauge',
    unit: '{change}',
    attributes: ['state'],
    description: 'Changes that the CRM does not have',
    points: ({ queue }) =>
      Object.entries(queue?.unsent ?? {}).map(([state, value]) => ({ value, attributes: { state } })),
  },
  gauge(
    ['genba.unsent.photos', '{photo}', 'Photos that the file store does not have'],
    ({ queue }) => queue?.photos ?? null,
  ),
  gauge(
    [
      'genba.unsent.oldest_age',
      's',
      'Age of the oldest unsent save at the sample; 0 where nothing is unsent',
    ],
    ({ queue, at }) =>
      queue && (queue.oldest === null ? 0 : Math.max(1, Math.round((at - queue.oldest) / 1000))),
  ),
  counter(
    [COUNTERS.settled, '{change}', 'Changes and photos by what became of them'],
    ['outcome'],
    each('outcome', OUTCOMES),
  ),
  counter(
    [COUNTERS.refused, '{change}', 'Refused changes by HTTP status and collection'],
    ['code', 'resource'],
  ),
  {
    ...counter(
      [COUNTERS.calls, '{call}', 'Calls to the CRM and the file store by outcome'],
      ['outcome'],
      each('outcome', ['2xx', '5xx', 'none']),
    ),
    sampled: true,
  },
  {
    name: 'genba.figure.duration',
    kind: 'gauge',
    unit: 'ms',
    sampled: true,
    description: 'How long users and the sync wait on this device, over seven days: INP, LCP, User Timing',
    attributes: ['figure', 'quantile'],
    points: ({ figures }) =>
      figures
        .filter(({ unit }) => unit === 'ms')
        .flatMap(({ name: figure, median, p75, p98 }) => [
          { value: median, attributes: { figure, quantile: '0.5' } },
          { value: p75, attributes: { figure, quantile: '0.75' } },
          { value: p98, attributes: { figure, quantile: '0.98' } },
        ]),
  },
  gauge(['genba.storage.used', 'By', 'What the app takes on the device'], ({ storage }) => storage.used),
  gauge(['genba.storage.free', 'By', 'What the browser would still give'], ({ storage }) => storage.free),
  gauge(
    ['genba.storage.persisted', '{flag}', '1 where the browser has promised not to clear the storage'],
    ({ storage }) => storage.persisted,
  ),
  gauge(
    ['genba.app.version', '{version}', '1.2.3 as 1.00020003: one series per device, also after an update'],
    ({ version }) => versionNumber(version),
  ),
  gauge(
    ['genba.app.below_minimum', '{flag}', '1 where the version is older than minimumVersion of config.json'],
    ({ isBelowMinimum }) => isBelowMinimum,
  ),
  {
    ...counter(
      [COUNTERS.errors, '{error}', 'Errors of the local log by kind and fingerprint'],
      ['type', 'fingerprint'],
    ),
    sampled: true,
  },
  counter(
    [COUNTERS.migrations, '{migration}', 'Migrations of the stores on this device'],
    ['outcome'],
    each('outcome', ['migrated', 'failed']),
  ),
  counter([COUNTERS.samples, '{sample}', 'Samples of this device: constant while it is silent'], [], [{}]),
  counter(
    [COUNTERS.dropped, '{item}', 'Samples and events that were never sent: no room, or refused'],
    ['signal'],
    each('signal', ['metrics', 'logs']),
  ),
]

const VERSION = /^(\d{1,4})\.(\d{1,4})\.(\d{1,4})$/

/** @returns null if the text is not a version number */
export function versionNumber(version: string): number | null {
  const [, major, minor, patch] = VERSION.exec(version) ?? []
  if (major === undefined || minor === undefined || patch === undefined) return null
  return Number(`${major}.${minor.padStart(4, '0')}${patch.padStart(4, '0')}`)
}
