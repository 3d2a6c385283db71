/**
 * Runs telemetry if `config.json` configures it. Each tab collects facts every two minutes, and after the last unsent
 * change was sent:
 *
 *     collect ─→ fold into the state ─→ every 15 minutes a sample ─→ claim ─→ one request ─→ drop the sent items
 *
 * Each step is one transaction, so that all tabs can collect and a suspended tab delays no other tab.
 */
import {
  catchError,
  debounceTime,
  exhaustMap,
  filter,
  from,
  map,
  merge,
  of,
  pairwise,
  switchMap,
  timer,
  type Observable,
} from 'rxjs'
import { versions } from '#schemas/collections/versions.ts'
import type { UserData } from '#data/context/app-context.tsx'
import type { ValueStore } from '#lib/value-store.ts'
import { outbox$, sendableOf, type Outbox } from '#data/outbox/outbox.ts'
import { readStorageFacts } from '#lib/browser/storage-full.ts'
import { summariesOf } from '#lib/field-figures.ts'
import type { TelemetrySettings } from '#app/config/env.ts'
import type { DeviceSettings } from '#app/config/settings.ts'
import type { ErrorLog } from '#app/diagnostics/error-log.ts'
import type { Figures } from '#app/diagnostics/figures.ts'
import type { CallCounts } from '#app/diagnostics/recorder.ts'
import { value$ } from '#app/network/device-signals.ts'
import { isOlder } from '#app/updates/update.ts'
import { errorFact, queueFacts, type Facts } from './facts.ts'
import { COUNTERS } from './metrics.ts'
import { claim, isInSample, isSampleDue, settled, withSample, type Signal } from './schedule.ts'
import {
  fold,
  increase,
  increased,
  newTelemetry,
  openTelemetryStore,
  type TelemetryState,
  type TelemetryStore,
} from './state.ts'

const FIRST_MS = 30_000
const FIRST_SPREAD_MS = 30_000
const EVERY_MS = 2 * 60_000
const AFTER_WORK_MS = 5_000

export interface TelemetrySources {
  settings: Pick<DeviceSettings, 'usable' | 'minimumVersion'>
  userData: ValueStore<UserData | null>
  log: ErrorLog
  figures: () => Promise<{ read: Figures['read'] }>
  network: Promise<{
    calls: { take(): CallCounts; restore(taken: CallCounts): void }
    connectivity: { isOnline(): boolean }
  }>
  now: () => number
  /** Called at most once per page, because a storage failure would repeat every two minutes. */
  report: (problem: unknown) => void
}

export async function runTelemetry(settings: TelemetrySettings, sources: TelemetrySources) {
  const { now, userData } = sources
  const network = await sources.network
  const newId = () => crypto.randomUUID()
  const store = openTelemetryStore(now, newId)
  let outbox: Outbox | null = null
  const open$ = openOutbox$(userData)
  const outboxSubscription = open$.subscribe((next) => (outbox = next))
  const round: TelemetryRound = {
    ...settings,
    store,
    collect: () => collect(sources, network.calls.take(), outbox),
    lost: ({ calls }) => network.calls.restore(calls),
    online: () => network.connectivity.isOnline(),
    agent: navigator.userAgent,
    fetch: globalThis.fetch.bind(globalThis),
    random: Math.random,
  }
  let isReported = false
  const report = (problem: unknown) => {
    if (!isReported) sources.report(problem)
    isReported = true
    return of(undefined)
  }
  const rounds = merge(timer(FIRST_MS + Math.random() * FIRST_SPREAD_MS, EVERY_MS), workDone$(open$))
    .pipe(exhaustMap(() => from(telemetryRound(round)).pipe(catchError(report))))
    .subscribe()
  return {
    async about() {
      const { id, sentAt, samples, events } = await store.update((state) => state)
      const to = new URL(settings.endpoint, location.origin).host
      const time = sentAt === null ? null : new Date(sentAt).toISOString()
      return { to, id, sample: settings.sample, sentAt: time, waiting: samples.length + events.length }
    },
    async reset() {
      // `counted` stays, so that changes and errors that were counted under the old id are not counted again.
      await store.update(({ counted, triedAt }) => ({ ...newTelemetry(newId(), now()), counted, triedAt }))
    },
    stop() {
      outboxSubscription.unsubscribe()
      rounds.unsubscribe()
    },
  }
}

const openOutbox$ = (userData: ValueStore<UserData | null>): Observable<Outbox | null> =>
  value$(userData).pipe(
    switchMap((data) => (data ? outbox$(data.db).pipe(catchError(() => of(null))) : of(null))),
  )

const workDone$ = (open$: Observable<Outbox | null>) =>
  open$.pipe(
    map((outbox) => (outbox ? sendableOf(outbox).length : 0)),
    pairwise(),
    filter(([before, now]) => before > 0 && now === 0),
    debounceTime(AFTER_WORK_MS),
  )

async function collect(
  { settings, log, figures, now }: TelemetrySources,
  calls: Facts['calls'],
  outbox: Outbox | null,
): Promise<Facts> {
  const [errors, measured, storage] = await Promise.all([
    log.read(),
    figures().then(
      (opened) => opened.read(),
      () => [],
    ),
    readStorageFacts(navigator.storage),
  ])
  const at = now()
  return {
    at,
    version: __APP_VERSION__,
    isBelowMinimum: isOlder(__APP_VERSION__, settings.minimumVersion.get()),
    layout: outbox && Object.values(versions).reduce((sum, each) => sum + each, 0),
    queue: outbox && queueFacts(outbox),
    storage,
    errors: errors.map(errorFact),
    figures: summariesOf(measured, at),
    calls,
  }
}

export interface TelemetryRound {
  store: Pick<TelemetryStore, 'update'>
  collect(): Promise<Facts>
  lost(facts: Facts): void
  online(): boolean
  endpoint: string
  sample: number
  agent: string
  fetch: typeof globalThis.fetch
  random: () => number
}

export async function telemetryRound(round: TelemetryRound): Promise<void> {
  const facts = await round.collect()
  const folded = round.store.update((state) => fold(state, facts, isInSample(state.id, round.sample)))
  const state = await folded.catch((error: unknown) => {
    round.lost(facts)
    throw error
  })
  if (isSampleDue(state, facts.at)) await takeSample(state, facts, round)
  await send(facts, round)
}

async function takeSample(state: TelemetryState, facts: Facts, { store, sample, agent }: TelemetryRound) {
  const { resourceOf, sampleText } = await import('./otlp.ts')
  const counted = (before: TelemetryState) => increased(before, [increase(COUNTERS.samples, {})])
  const resource = resourceOf(state.id, facts.version, agent)
  const text = sampleText(counted(state), facts, resource, isInSample(state.id, sample))
  // The sample is dropped if another tab has stored one meanwhile, or if the user has replaced the device's id.
  await store.update((now) =>
    isSampleDue(now, facts.at) && now.id === state.id ? withSample(counted(now), facts.at, text) : now,
  )
}

async function send(facts: Facts, { store, online, endpoint, agent, fetch, random }: TelemetryRound) {
  const { at: now, queue, version } = facts
  // The function given to `update` can return only the state, so the function stores the signal in this object.
  const claimed: { signal: Signal | null } = { signal: null }
  const state = await store.update((before) => {
    const next = claim(before, { now, online: online(), queue })
    claimed.signal = next.signal
    return next.state
  })
  const { signal } = claimed
  if (signal === null) return
  const { logsBody, metricsBody, post, resourceOf } = await import('./otlp.ts')
  const { id, samples, events } = state
  const isMetrics = signal === 'metrics'
  const body = isMetrics ? metricsBody(samples) : logsBody(events, resourceOf(id, version, agent), version)
  const sent = isMetrics ? { samples: samples.map(({ at }) => at), events: [] } : { samples: [], events }
  const posted = await post({ fetch, endpoint, signal, body, now })
  await store.update((after) => (after.id === id ? settled(after, sent, posted, now, random()) : after))
}
