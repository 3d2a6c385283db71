/**
 * The composition root: creates the parts of the app and connects them. Parts that the first paint needs (session, theme,
 * banners) are created at once. Database, sync and the demo CRM load in parallel and reach the screens later.
 */
import { i18n } from '@lingui/core'
import type { Services, UserData } from '#data/context/app-context.tsx'
import { type ValueStore, createValueStore, signal } from '#lib/value-store.ts'
import { createFlashStore, type FlashStore } from '#data/context/flash-store.ts'
import { lastScope } from '#lib/browser/crm-scope.ts'
import { loadUntilThere, loadedOnce } from '#lib/browser/missing-code.ts'
import { createServices } from './create-services.ts'
import { createCrmClock, deviceClock } from '#app/network/crm-clock.ts'
import { createCrms } from '#app/crms/crms.ts'
import type { Suspendable } from '#app/crms/several.ts'
import { deviceStore, openDeviceValues } from '#app/config/device-values.ts'
import type { DemoNetwork } from './demo/demo-network.ts'
import { followConfig, storedSettingsOf, openDeviceSettings } from '#app/session/device-settings.ts'
import { createErrorLog } from '#app/diagnostics/error-log.ts'
import { followUser } from '#app/session/follow-user.ts'
import { firstRowsPainted } from '#lib/time/user-timing.ts'
import type { Diagnostics } from '#app/diagnostics/store.ts'
import { createMemory } from '#app/session/state/tab-memory.ts'
import type { Network } from '#app/network/network.ts'
import type { Device } from '#app/session/state/device.ts'
import { createScreenLock } from '#app/session/screen-lock.ts'
import { openSessions } from '#app/session/state/session-store.ts'
import type { DeviceSettings } from '#app/config/settings.ts'
import type { notifyStores, NotifyStores } from '#app/shell/store-notifications.ts'
import { createUpdateStore } from '#app/updates/update.ts'
import { watchedFetch, watchUncaught } from '#app/diagnostics/watch-errors.ts'

/**
 * `demo`: the demo CRM's network; null outside mode `demo`. `firstPaint`: resolved once the first screen is painted; work
 * that it does not need begins then. `networkIdle`: the service worker and other screens may load. `dataFollowed`: the
 * user's data is open, or stays closed, for example because the screen is locked.
 */
export type Booted = Awaited<ReturnType<typeof boot>>

const IS_DEMO = import.meta.env.MODE === 'demo'

/**
 * Functions for the hidden iframe that sends the unsent work of another CRM (`send-for.ts`). They are exported here, so
 * that the iframe loads no second copy of their code.
 */
export const frameParts = {
  deviceClock,
  openSessions,
  openDeviceValues,
  createErrorLog,
  createValueStore,
  storedSettingsOf,
  watchedFetch,
  watchUncaught,
}
export type FrameParts = typeof frameParts

export async function boot(language: Services['language']) {
  const device = await openDevice()
  const { clock, scope, sessions, log, report, settings } = device
  const { now } = clock
  const flash = createFlashStore()
  const userData = createValueStore<UserData | null>(null)
  watchUnsaved(device, flash, userData)
  const demo = IS_DEMO
    ? import('./demo/demo-network.ts').then((module) => module.openDemoNetwork(settings.get()))
    : null
  const crmClock = createCrmClock(now)
  const lock = createScreenLock(device)
  const firstPaint = signal()
  const networkIdle = navigator.serviceWorker?.controller ? Promise.resolve() : firstRowsPainted()
  const network = loadNetwork({
    // Without a session, the login form comes first, so the code of the network is loaded after the first paint.
    mayLoad: sessions.get() === null ? firstPaint.done : Promise.resolve(),
    settings,
    demo,
    scope,
    diagnostics: log.store,
    watched: (fetch) => watchedFetch(fetch, log, sessions.tokenIsInvalid),
  })
  const storesClosed = createValueStore<string | null>(null)
  const notifyStores = storesNotifier({ flash, i18n, closed: storesClosed }, report)
  const suspend = () => suspendAll(stores, crms)
  const restart = { suspend, report, notify: notifyStores, networkIdle }
  const update = createUpdateStore(settings, __APP_VERSION__, restart)
  const memory = createMemory(sessionStorage)
  const ofPage = { userData, memory, firstPaint: firstPaint.done }
  const crms = createCrms({ settings, sessions, scope, report, ...ofPage })
  void firstPaint.done.then(() => followConfig(settings, now))
  const figures = loadedOnce(async () => (await import('#app/diagnostics/figures.ts')).openFigures(now))
  const shared = { ...device, ...ofPage, network, update, lock }
  const telemetry = firstPaint.done.then(async () =>
    (await import('#app/diagnostics/telemetry/start.ts')).startTelemetry({ ...shared, now, figures }),
  )
  telemetry.catch(report)
  const services = createServices({
    ...shared,
    figures,
    crmClock: crmClock.readings,
    crms,
    flash,
    language,
    telemetry,
    storesClosed,
    isDemo: IS_DEMO,
  })
  const stores = followUser({ ...shared, lock: lock.state, notifyStores, services, crmClock, networkIdle })
  const known = { lockKnown: lock.known, dataFollowed: stores.followed }
  return { ...shared, ...known, firstPaint, networkIdle, services, demo, figures }
}

/** Opens the storage that all users of the device share. */
async function openDevice(): Promise<Device> {
  const clock = deviceClock()
  const { now } = clock
  const scope = lastScope()
  const store = deviceStore()
  const [sessions, values] = await Promise.all([openSessions(scope, store), openDeviceValues({ store })])
  const log = createErrorLog({ now, session: sessions.get, screen: () => location.pathname, scope })
  sessions.subscribe(() => void log.recount())
  const report = (problem: unknown) => void log.add(problem)
  const operator = { publicKey: () => settings.get().recoveryPublicKey, report }
  const keys = loadedOnce(async () =>
    (await import('#app/session/user-data.ts')).openKeys(scope, operator, store),
  )
  /** Reports a problem to the operator, on the console and in the error log. */
  const reportToOperator = (problem: string) => {
    console.error(problem)
    report(problem)
  }
  const device = { store, sessions, values, scope, keys, log, now, report: reportToOperator, isDemo: IS_DEMO }
  const settings = await openDeviceSettings(device)
  return { clock, scope, sessions, values, log, report, keys, settings }
}

/** Logs uncaught errors. A save that failed with an uncaught error also gets a banner. */
function watchUnsaved(
  { log, report }: Pick<Device, 'log' | 'report'>,
  flash: FlashStore,
  userData: ValueStore<UserData | null>,
): void {
  watchUncaught(window, log, (error) => {
    const isNews = flash.watchRemoval('unsaved')
    const parts = { flash, i18n, bytes: userData.get()?.bytes, storage: navigator.storage, isNews }
    void import('#app/shell/notify-unsaved.ts')
      .then(({ notifyUnsaved }) => notifyUnsaved(error, parts))
      .catch(report)
  })
}

/**
 * Returns a function that shows the user why the local database is not open, until it is open. The module
 * `store-notifications.ts` is loaded at the first problem.
 */
function storesNotifier(
  places: Parameters<typeof notifyStores>[1],
  report: (problem: unknown) => void,
): NotifyStores {
  let isProblemShown = false
  return (state) => {
    if (state === 'open' && !isProblemShown) return
    isProblemShown = state !== 'open'
    void import('#app/shell/store-notifications.ts')
      .then((code) => code.notifyStores(state, places))
      .catch(report)
  }
}

/**
 * Closes every database of this page, so that a new version of the app can migrate the databases.
 * @returns a function that opens them again
 */
async function suspendAll(stores: Suspendable, crms: Suspendable): Promise<() => void> {
  const [openAgain, sendAgain] = await Promise.all([stores.suspend(), crms.suspend()])
  return () => {
    openAgain()
    sendAgain()
  }
}

interface NetworkParts {
  mayLoad: Promise<void>
  settings: DeviceSettings
  scope: string
  demo: Promise<DemoNetwork> | null
  diagnostics: Diagnostics
  watched: (fetch: typeof globalThis.fetch) => typeof globalThis.fetch
}

/** Loads the code that calls the CRM (`network.ts`). Resolves once the settings name a CRM. */
async function loadNetwork(parts: NetworkParts): Promise<Network> {
  const { mayLoad, settings, scope, demo, diagnostics, watched } = parts
  await mayLoad
  // A failed import is repeated, because the page could otherwise not call the CRM until a reload.
  const { createNetwork } = await loadUntilThere(() => import('#app/network/network.ts'))
  const fetch = demo ? (await demo).fetch : globalThis.fetch.bind(globalThis)
  const env = await settings.usable
  const network = createNetwork({ env, scope, fetch: watched(fetch), diagnostics })
  if (IS_DEMO && demo)
    await import('./demo/demo-network.ts').then(async ({ dispatchSignal }) => dispatchSignal(await demo))
  return network
}
