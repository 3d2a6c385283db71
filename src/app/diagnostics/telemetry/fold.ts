/**
 * Takes what one look has found into what is kept: pure, and every change and error counts once, whichever tab has looked,
 * and however often.
 */
import type { Facts, SettledFact } from './facts.ts'
import { totalKey, type Attributes, type KeptTelemetry, type TelemetryEvent } from './kept.ts'
import { COUNTERS, EVENTS } from './metrics.ts'

export const MOST_TOTALS = 300
export const MOST_EVENTS = 100
const MOST_COUNTED = 3_000
/** What was not seen for so long has left the ledger and the log. */
const COUNTED_FOR_MS = 3 * 24 * 3_600_000

/** @param isSampled whether this device tells errors as events */
export function fold(before: KeptTelemetry, facts: Facts, isSampled: boolean): KeptTelemetry {
  const kept = heldToClock(before, facts.at)
  const settled = (facts.queue?.settled ?? []).filter(({ id }) => !(id in kept.counted))
  const errors = facts.errors.filter(({ id }) => !(id in kept.counted))
  const migrated = migratedIn(kept, facts)
  const failed = errors.filter(({ type }) => type === 'MigrationFailed').length
  const events = [...updatedIn(kept, facts), ...migrated, ...(isSampled ? errorEvents(errors, facts.at) : [])]
  const counters: Increase[] = [
    ...settled.flatMap(ofSettled),
    ...errors.map(({ type, fingerprint }) => up(COUNTERS.errors, { type, fingerprint })),
    ...Object.entries(facts.calls).map(([outcome, by]) => up(COUNTERS.calls, { outcome }, by)),
    up(COUNTERS.migrations, { outcome: 'migrated' }, migrated.length),
    up(COUNTERS.migrations, { outcome: 'failed' }, failed),
  ]
  return withEvents(
    {
      ...increased(kept, counters),
      counted: countedIn(kept, facts),
      version: facts.version,
      layout: facts.layout ?? kept.layout,
    },
    events,
  )
}

/** A clock that was set back must not silence the device until it has caught up. */
function heldToClock(kept: KeptTelemetry, now: number): KeptTelemetry {
  if (kept.triedAt <= now && kept.sampledAt <= now) return kept
  return {
    ...kept,
    triedAt: Math.min(kept.triedAt, now),
    sampledAt: Math.min(kept.sampledAt, now),
    notBefore: 0,
  }
}

interface Increase {
  name: string
  attributes: Attributes
  by: number
}

export const up = (name: string, attributes: Attributes, by = 1): Increase => ({ name, attributes, by })

export function increased(kept: KeptTelemetry, increases: readonly Increase[]): KeptTelemetry {
  const totals = { ...kept.totals }
  for (const { name, attributes, by } of increases) {
    if (by <= 0) continue
    const own = totalKey(name, attributes)
    const isRoom = own in totals || Object.keys(totals).length < MOST_TOTALS
    const key = isRoom ? own : totalKey(name, asOther(attributes))
    totals[key] = (totals[key] ?? 0) + by
  }
  return { ...kept, totals }
}

const asOther = (attributes: Attributes): Attributes =>
  Object.fromEntries(Object.keys(attributes).map((name) => [name, 'other']))

function ofSettled({ outcome, status, resource }: SettledFact): Increase[] {
  const settled = up(COUNTERS.settled, { outcome })
  return outcome === 'refused'
    ? [settled, up(COUNTERS.refused, { code: String(status), resource })]
    : [settled]
}

const updatedIn = ({ version: from }: KeptTelemetry, { at, version: to }: Facts): TelemetryEvent[] =>
  from === '' || from === to ? [] : [{ at, name: EVENTS.updated.name, attributes: { from, to } }]

const migratedIn = ({ layout: from }: KeptTelemetry, { at, layout: to }: Facts): TelemetryEvent[] =>
  from === null || to === null || from === to
    ? []
    : [{ at, name: EVENTS.migrated.name, attributes: { from, to } }]

/** One for each fingerprint: an error that comes again and again is one event with its number. */
function errorEvents(errors: Facts['errors'], now: number): TelemetryEvent[] {
  const last = new Map(errors.map((error) => [error.fingerprint, error]))
  return [...last.values()].map(({ at, type, fingerprint, frames }) => {
    const count = errors.filter((each) => each.fingerprint === fingerprint).length
    const attributes = { 'exception.type': type, fingerprint, frames: frames.join(' '), count }
    return { at: Number.isFinite(at) ? at : now, name: EVENTS.error.name, attributes }
  })
}

/** Bounded: the oldest goes, and is counted. */
function withEvents(kept: KeptTelemetry, events: readonly TelemetryEvent[]): KeptTelemetry {
  const all = [...kept.events, ...events]
  const over = Math.max(0, all.length - MOST_EVENTS)
  const next = over > 0 ? increased(kept, [up(COUNTERS.dropped, { signal: 'logs' }, over)]) : kept
  return { ...next, events: all.slice(over) }
}

function countedIn({ counted }: KeptTelemetry, { at, queue, errors }: Facts): Record<string, number> {
  const seen = [...(queue?.settled ?? []), ...errors].map(({ id }) => [id, at] as const)
  const all = Object.entries({ ...counted, ...Object.fromEntries(seen) })
  const recent = all.filter(([, time]) => at - time < COUNTED_FOR_MS)
  return Object.fromEntries(recent.toSorted(([, one], [, other]) => other - one).slice(0, MOST_COUNTED))
}
