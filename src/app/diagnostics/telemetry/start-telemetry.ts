/**
 * The figures of the fleet (decisions/telemetry): off unless `config.json` names where they go. Loaded after the first
 * screen; what they are made with comes with the first turn.
 */
import {
  catchError,
  debounceTime,
  exhaustMap,
  filter,
  from,
  map,
  merge,
  Observable,
  of,
  pairwise,
  startWith,
  switchMap,
  timer,
} from 'rxjs'
import { versions } from '#schemas/versions.ts'
import type { TelemetryFacts, UserData, ValueStore } from '#data/app-context.tsx'
import { outbox$, sendableOf, type Outbox } from '#data/outbox.ts'
import { readStorageFacts } from '#lib/browser/storage-facts.ts'
import { summariesOf, type Figure } from '#lib/field-figures.ts'
import type { TelemetrySettings } from '#app/config/env.ts'
import type { ErrorLog } from '#app/diagnostics/error-log.ts'
import type { Network } from '#app/network/network.ts'
import type { DeviceSettings } from '#app/config/settings.ts'
import { isOlder } from '#app/updates/update.ts'
import { errorFact } from './error-facts.ts'
import { queueFacts, type Facts } from './facts.ts'
import type { TelemetryStore } from './kept-store.ts'
import type { TurnParts } from './turn.ts'

/** The screens and the sync come first. */
const FIRST_MS = 30_000
const FIRST_SPREAD_MS = 30_000
const EVERY_MS = 2 * 60_000
/** After the last of what waited was sent. */
const AFTER_WORK_MS = 5_000

export interface TelemetryParts {
  settings: Pick<DeviceSettings, 'usable' | 'minimumVersion'>
  userData: ValueStore<UserData | null>
  log: Pick<ErrorLog, 'read'>
  figures: () => Promise<Figure[]>
  network: Promise<Pick<Network, 'calls'> & { connectivity: Pick<Network['connectivity'], 'isOnline'> }>
  now: () => number
  /** Told once in a run: what cannot be kept now cannot be in two minutes. */
  report: (problem: unknown) => void
}

export interface Telemetry {
  /** Null: off. */
  about(): Promise<TelemetryFacts | null>
  /** Another random id; what was counted and waits goes with the old one. */
  reset(): Promise<void>
  stop(): void
}

/** Of the page. */
interface Page {
  newId: () => string
  random: () => number
  fetch: typeof globalThis.fetch
  storage: StorageManager | undefined
  /** The browser's user agent. */
  agent: string
  /** The app's. */
  version: string
}

const page = (): Page => ({
  newId: () => crypto.randomUUID(),
  random: Math.random,
  fetch: globalThis.fetch.bind(globalThis),
  storage: navigator.storage,
  agent: navigator.userAgent,
  version: __APP_VERSION__,
})

export async function startTelemetry(parts: TelemetryParts): Promise<Telemetry> {
  const { telemetry } = await parts.settings.usable
  return telemetry ? running(telemetry, { ...page(), ...parts }) : off()
}

/** What was kept while it was on goes. */
function off(): Telemetry {
  indexedDB.deleteDatabase('genba-telemetry')
  return { about: async () => null, reset: async () => undefined, stop: () => undefined }
}

async function running(settings: TelemetrySettings, parts: TelemetryParts & Page): Promise<Telemetry> {
  const [network, { openTelemetryStore }] = await Promise.all([parts.network, import('./kept-store.ts')])
  const store = openTelemetryStore(parts)
  let outbox: Outbox | null = null
  const open$ = openOutbox$(parts.userData)
  const followed = open$.subscribe((now) => (outbox = now))
  const turn: TurnParts = {
    ...settings,
    ...parts,
    store,
    look: () => lookAt(parts, network, outbox),
    lost: ({ calls }) => network.calls.giveBack(calls),
    online: () => network.connectivity.isOnline(),
  }
  const first = FIRST_MS + parts.random() * FIRST_SPREAD_MS
  const report = toldOnce(parts.report)
  const taken = merge(timer(first, EVERY_MS), workDone$(open$))
    .pipe(exhaustMap(() => from(takeOne(turn)).pipe(catchError(report))))
    .subscribe()
  return {
    about: async () => aboutIt(settings, await store.read()),
    reset: async () => reset(store, parts),
    stop() {
      followed.unsubscribe()
      taken.unsubscribe()
    },
  }
}

async function takeOne(turn: TurnParts): Promise<void> {
  const { takeTurn } = await import('./turn.ts')
  await takeTurn(turn)
}

async function reset(store: TelemetryStore, { newId, now }: TelemetryParts & Page): Promise<void> {
  const { newTelemetry } = await import('./kept.ts')
  // what happened under the old id is not told again under the new one
  await store.update(({ counted, triedAt }) => ({ ...newTelemetry(newId(), now()), counted, triedAt }))
}

async function aboutIt(
  { endpoint, sample }: TelemetrySettings,
  { id, sentAt, samples, events }: Awaited<ReturnType<TelemetryStore['read']>>,
): Promise<TelemetryFacts> {
  const to = new URL(endpoint, location.origin)
  const time = sentAt === null ? null : new Date(sentAt).toISOString()
  return { to: to.host, id, sample, sentAt: time, waiting: samples.length + events.length }
}

/** What is unsent, of whoever's data is open; null while nobody's is. */
const openOutbox$ = (userData: ValueStore<UserData | null>): Observable<Outbox | null> =>
  new Observable<UserData | null>((subscriber) =>
    userData.subscribe(() => subscriber.next(userData.get())),
  ).pipe(
    startWith(userData.get()),
    switchMap((data) => (data ? outbox$(data.db).pipe(catchError(() => of(null))) : of(null))),
  )

/** The last of what could go has gone. */
const workDone$ = (open$: Observable<Outbox | null>) =>
  open$.pipe(
    map((outbox) => (outbox ? sendableOf(outbox).length : 0)),
    pairwise(),
    filter(([before, now]) => before > 0 && now === 0),
    debounceTime(AFTER_WORK_MS),
  )

async function lookAt(
  { settings, log, figures, now, version, storage }: TelemetryParts & Page,
  { calls }: Pick<Network, 'calls'>,
  outbox: Outbox | null,
): Promise<Facts> {
  const [errors, measured, stored] = await Promise.all([
    log.read().catch(() => []),
    figures().catch(() => []),
    readStorageFacts(storage).catch(() => UNKNOWN),
  ])
  const at = now()
  return {
    at,
    version,
    isBelowMinimum: isOlder(version, settings.minimumVersion.get()),
    layout: outbox && Object.values(versions).reduce((sum, each) => sum + each, 0),
    queue: outbox && queueFacts(outbox),
    storage: stored,
    errors: errors.map(errorFact),
    figures: summariesOf(measured, at),
    calls: calls.take(),
  }
}

const UNKNOWN = { used: null, free: null, persisted: null }

function toldOnce(report: (problem: unknown) => void) {
  let isTold = false
  return (problem: unknown) => {
    if (!isTold) report(problem)
    isTold = true
    return of(undefined)
  }
}
