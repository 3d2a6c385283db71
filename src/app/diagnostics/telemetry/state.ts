/** The stored state of telemetry (decisions/telemetry). Any tab changes it; `fold` counts each fact once. */
import { type } from 'arktype'
import { update } from 'idb-keyval'
import { diagnosticsDatabase, TELEMETRY_KEY } from '#app/diagnostics/store.ts'
import type { Facts, SettledFact } from './facts.ts'
import { COUNTERS, EVENTS, isSameSeries, type Attributes, type Total } from './metrics.ts'

const attributes = type({ '[string]': 'string | number' })
const telemetryEvent = type({ at: 'number', name: 'string <= 40', attributes })
export type TelemetryEvent = typeof telemetryEvent.infer

export const telemetryState = type({
  id: '1 <= string <= 40',
  since: 'number',
  /** Totals only grow, so that a lost or repeated sample does no harm. */
  totals: type({ name: 'string', attributes, value: 'number' })
    .array()
    .default(() => []),
  /** Ids of changes and errors that are in the totals, with the time at which each was last found. */
  counted: type({ '[string]': 'number' }).default(() => ({})),
  version: type('string <= 40').default(''),
  layout: type('number | null').default(null),
  /** Elements of OTLP's `resourceMetrics` as JSON text, oldest first. */
  samples: type({ at: 'number', text: 'string <= 200000' })
    .array()
    .default(() => []),
  events: telemetryEvent.array().default(() => []),
  sampledAt: 'number = 0',
  triedAt: 'number = 0',
  lastSignal: "'metrics' | 'logs' = 'logs'",
  notBefore: 'number = 0',
  failures: 'number = 0',
  sentAt: type('number | null').default(null),
})
export type TelemetryState = typeof telemetryState.infer

export const newTelemetry = (id: string, now: number) => telemetryState.assert({ id, since: now })

export type TelemetryStore = ReturnType<typeof openTelemetryStore>

/** @param newId returns the id for a new state, which replaces a missing or invalid one */
export function openTelemetryStore(now: () => number, newId: () => string) {
  const database = diagnosticsDatabase('')
  const parsed = (stored: unknown): TelemetryState => {
    const state = telemetryState(stored)
    return state instanceof type.errors ? newTelemetry(newId(), now()) : state
  }
  return {
    async update(next: (state: TelemetryState) => TelemetryState): Promise<TelemetryState> {
      let written: TelemetryState | undefined
      await update<unknown>(TELEMETRY_KEY, (stored) => (written = next(parsed(stored))), database)
      if (!written) throw new Error('nothing was updated')
      return written
    },
  }
}

export const MOST_TOTALS = 300
export const MOST_EVENTS = 100
const MOST_COUNTED = 3_000
/** If a change or error was not collected for this time, the device has deleted it, and its id is forgotten. */
const COUNTED_FOR_MS = 3 * 24 * 3_600_000

/** Adds the collected facts to the state. @param isSampled true if this device also sends errors as events */
export function fold(before: TelemetryState, facts: Facts, isSampled: boolean): TelemetryState {
  const state = withinClock(before, facts.at)
  const isNew = ({ id }: { id: string }) => !(id in state.counted)
  const settled = (facts.queue?.settled ?? []).filter(isNew)
  const errors = facts.errors.filter(isNew)
  const { at, version, layout } = facts
  const isUpdated = state.version !== '' && state.version !== version
  const isMigrated = state.layout !== null && layout !== null && state.layout !== layout
  const events = [
    ...(isUpdated ? [versionEvent(at, EVENTS.updated, state.version, version)] : []),
    ...(isMigrated ? [versionEvent(at, EVENTS.migrated, state.layout ?? 0, layout)] : []),
    ...(isSampled ? errorEvents(errors, at) : []),
  ]
  const failed = errors.filter(({ type: name }) => name === 'MigrationFailed').length
  const counters = [
    ...settled.flatMap(increasesOf),
    ...errors.map(({ type: name, fingerprint }) => increase(COUNTERS.errors, { type: name, fingerprint })),
    ...Object.entries(facts.calls).map(([outcome, by]) => increase(COUNTERS.calls, { outcome }, by)),
    increase(COUNTERS.migrations, { outcome: 'migrated' }, isMigrated ? 1 : 0),
    increase(COUNTERS.migrations, { outcome: 'failed' }, failed),
  ]
  const next = { ...increased(state, counters), counted: countedIn(state, facts), version }
  return withEvents({ ...next, layout: layout ?? state.layout }, events)
}

/** Limits stored times to the present, because a clock that was set back would stop the sending. */
function withinClock(state: TelemetryState, now: number): TelemetryState {
  const { triedAt, sampledAt } = state
  if (triedAt <= now && sampledAt <= now) return state
  return { ...state, triedAt: Math.min(triedAt, now), sampledAt: Math.min(sampledAt, now), notBefore: 0 }
}

export const increase = (name: string, labels: Attributes, by = 1): Total => ({
  name,
  attributes: labels,
  value: by,
})

/** Increases the totals. If there are MOST_TOTALS totals, a new set of attributes is counted as `other`. */
export function increased(state: TelemetryState, increases: readonly Total[]): TelemetryState {
  const totals = [...state.totals]
  const find = (series: Total) => totals.findIndex((total) => isSameSeries(total, series))
  for (const added of increases.filter(({ value }) => value > 0)) {
    const isRoom = totals.length < MOST_TOTALS || find(added) >= 0
    const series = isRoom ? added : { ...added, attributes: asOther(added.attributes) }
    const index = find(series)
    const before = totals[index]
    if (before) totals[index] = { ...before, value: before.value + series.value }
    else totals.push(series)
  }
  return { ...state, totals }
}

const asOther = (labels: Attributes): Attributes =>
  Object.fromEntries(Object.keys(labels).map((name) => [name, 'other']))

function increasesOf({ outcome, status, resource }: SettledFact): Total[] {
  const settled = increase(COUNTERS.settled, { outcome })
  return outcome === 'refused'
    ? [settled, increase(COUNTERS.refused, { code: String(status), resource })]
    : [settled]
}

const versionEvent = <T extends string | number>(at: number, { name }: { name: string }, from: T, to: T) => ({
  at,
  name,
  attributes: { from, to },
})

function errorEvents(errors: Facts['errors'], now: number): TelemetryEvent[] {
  const last = new Map(errors.map((error) => [error.fingerprint, error]))
  return [...last.values()].map(({ at, type: name, fingerprint, frames }) => {
    const count = errors.filter((each) => each.fingerprint === fingerprint).length
    const facts = { 'exception.type': name, fingerprint, frames: frames.join(' '), count }
    return { at: Number.isFinite(at) ? at : now, name: EVENTS.error.name, attributes: facts }
  })
}

function withEvents(state: TelemetryState, events: readonly TelemetryEvent[]): TelemetryState {
  const all = [...state.events, ...events]
  const over = Math.max(0, all.length - MOST_EVENTS)
  const dropped = increase(COUNTERS.dropped, { signal: 'logs' }, over)
  return { ...increased(state, [dropped]), events: all.slice(over) }
}

function countedIn({ counted }: TelemetryState, { at, queue, errors }: Facts): Record<string, number> {
  const found = [...(queue?.settled ?? []), ...errors].map(({ id }) => [id, at] as const)
  const all = Object.entries({ ...counted, ...Object.fromEntries(found) })
  const recent = all.filter(([, time]) => at - time < COUNTED_FOR_MS)
  return Object.fromEntries(recent.toSorted(([, one], [, other]) => other - one).slice(0, MOST_COUNTED))
}
