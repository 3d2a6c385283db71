/**
 * The composition root. What the first paint needs is made at once: session, theme, flash. Database, sync and the demo
 * CRM are loaded beside it and handed to the screens when they are there.
 */
import { i18n } from '@lingui/core'
import type { ErrorLogSent, Services, UserData, ValueStore } from '#data/app-context.tsx'
import { createFlashStore } from '#data/flash-store.ts'
import { lastScope } from '#lib/crm-scope.ts'
import type { Clock } from '#lib/stamp.ts'
import type { Keys } from './keys.ts'
import { createInstallStore } from './install.ts'
import { createCrmClock } from './crm-clock.ts'
import { createCrms } from './crms.ts'
import { deviceClock } from './device-clock.ts'
import type { DemoNetwork } from './demo/demo-network.ts'
import { followConfig, keptSettingsOf, openDeviceSettings } from './device-settings.ts'
import { createErrorLog, type ErrorLog } from './error-log.ts'
import { followUser } from './follow-user.ts'
import { Frame } from './frame.tsx'
import type { JournalParts } from './journal.ts'
import { createLazyFigures, type LazyFigures } from './lazy-figures.ts'
import { loadedOnce } from './loaded-once.ts'
import { createMemory, type Memory } from './memory.ts'
import type { Network } from './network.ts'
import { createScreenLock } from './screen-lock.ts'
import { createPhotoSettings } from './photo-settings.ts'
import type { SendErrorLog } from './send-error-log.ts'
import { openSessions, type DeviceSessions } from './session-store.ts'
import type { DeviceSettings } from './settings.ts'
import { createThemeStore } from './theme.ts'
import type { TellStores } from './tell-stores.ts'
import { createUpdateStore } from './update.ts'
import { createValueStore, type WritableStore } from './value-store.ts'
import { loggedFetch, watchedFetch, watchUncaught } from './watch-errors.ts'

export interface Booted {
  /** Mode demo only. */
  demo: Promise<DemoNetwork> | null
  services: Services
  sessions: DeviceSessions
  userData: WritableStore<UserData | null>
  /** Into the error log. */
  report: (problem: unknown) => void
  /** How fast the app is on this device (`figures.ts`). */
  figures: LazyFigures
  /** The app's first screen stands: what takes long and is not needed for one begins after it. */
  drawn: { tell(): void; done: Promise<void> }
  /** It is known whether the screen is locked. */
  lockAsked: Promise<void>
}

const IS_DEMO = import.meta.env.MODE === 'demo'

/** What a frame that sends for another CRM has of this module's: it loads nothing twice, and the first screen no more. */
export const frameParts = {
  deviceClock,
  openSessions,
  createErrorLog,
  createValueStore,
  keptSettingsOf,
  loggedFetch,
  watchedFetch,
  watchUncaught,
}
export type FrameParts = typeof frameParts

export async function boot(): Promise<Booted> {
  const clock = deviceClock()
  const scope = lastScope()
  const sessions = await openSessions(scope)
  const log = createErrorLog({
    now: clock.now,
    session: sessions.get,
    agent: navigator.userAgent,
    screen: () => location.pathname,
    scope,
  })
  sessions.subscribe(() => void log.follow())
  const report = (problem: unknown) => void log.add(problem)
  const operator = { publicKey: () => settings.get().recoveryPublicKey, report }
  const keys = loadedOnce(async () => (await import('./keys.ts')).openKeys(scope, operator))
  const settings = await openDeviceSettings({
    sessions,
    scope,
    keys,
    log,
    now: clock.now,
    report: tellOperator(report),
    isDemo: IS_DEMO,
  })
  const flash = createFlashStore()
  const userData = createValueStore<UserData | null>(null)
  watchUncaught(window, log, (error) => {
    const isNews = flash.watchRemoval('unsaved')
    const parts = { flash, i18n, bytes: userData.get()?.bytes, storage: navigator.storage, isNews }
    void import('./tell-unsaved.ts').then(({ tellUnsaved }) => tellUnsaved(error, parts)).catch(report)
  })
  const demo = IS_DEMO
    ? import('./demo/demo-network.ts').then((module) => module.openDemoNetwork(settings.get()))
    : null
  const crmClock = createCrmClock(clock.now)
  const network = loadNetwork({
    settings,
    demo,
    scope,
    journal: journalOf(clock, sessions, scope),
    watched: (fetch) => watchedFetch(loggedFetch(fetch, log), sessions.tokenIsInvalid),
  })
  const closed = createValueStore<string | null>(null)
  const places = { flash, i18n, closed }
  const tellStores: TellStores = (what) =>
    void import('./tell-stores.ts').then((told) => told.tellStores(what, places)).catch(report)
  const update = createUpdateStore(settings, __APP_VERSION__, {
    letGo: async () => {
      const [openAgain, sendAgain] = await Promise.all([stores.letGo(), crms.letGo()])
      return () => {
        openAgain()
        sendAgain()
      }
    },
    report,
    tell: tellStores,
  })
  const memory = createMemory(sessionStorage)
  const drawn = signal()
  const crms = createCrms({ settings, sessions, scope, userData, memory, drawn: drawn.done, report })
  void drawn.done.then(() => followConfig(settings, clock.now))
  const figures = createLazyFigures(clock.now)
  const lock = createScreenLock({ scope, sessions, keys, appName: () => settings.get().appName, report })
  const shared = { sessions, network, memory, log, report, keys }
  const telemetry = drawn.done.then(async () => {
    const { startTelemetry } = await import('./telemetry/start-telemetry.ts')
    return startTelemetry({ ...shared, settings, userData, now: clock.now, figures: services.figures })
  })
  telemetry.catch(report)
  const services = createServices({
    ...shared,
    figures,
    userData,
    clock,
    crmClock: crmClock.readings,
    settings,
    crms,
    flash,
    update,
    lock,
    telemetry,
    storesClosed: closed,
  })
  const stores = followUser({
    ...shared,
    lock: lock.state,
    settings,
    tellStores,
    update,
    userData,
    services,
    drawn: drawn.done,
    heardTime: crmClock.hear,
  })
  return { services, sessions, userData, demo, report, drawn, figures, lockAsked: lock.asked }
}

type ServiceParts = Pick<
  Services,
  'clock' | 'crmClock' | 'crms' | 'flash' | 'update' | 'lock' | 'storesClosed'
> & {
  sessions: DeviceSessions
  settings: DeviceSettings
  memory: Memory
  network: Promise<Network>
  keys: () => Promise<Keys>
  log: ErrorLog
  figures: LazyFigures
  userData: ValueStore<UserData | null>
  telemetry: Promise<Services['telemetry']>
  report: (problem: unknown) => void
}

/** What every screen is given. */
function createServices(parts: ServiceParts): Services {
  const {
    clock,
    crmClock,
    crms,
    flash,
    update,
    sessions,
    settings,
    memory,
    network,
    keys,
    log,
    report,
    figures,
  } = parts
  const online = createValueStore(navigator.onLine)
  void network.then(({ connectivity }) => connectivity.online$.subscribe(online.set))
  return {
    clock,
    crmClock,
    crms,
    newId: () => crypto.randomUUID(),
    session: sessions,
    online,
    flash,
    theme: createThemeStore(),
    photo: createPhotoSettings(() => settings.get().imageSizeLimit),
    update,
    install: createInstallStore(window),
    lock: parts.lock,
    errorLog: {
      ...log.count,
      send: async () => sendLog({ sessions, log, now: clock.now }, await network),
      note: report,
      text: async () => (await import('./error-log-text.ts')).errorLogText(await log.read()),
    },
    figures: async () => (await figures.load()).read(),
    supportFile: async (withContents) =>
      (await import('./support/now.ts')).supportFileNow(parts, withContents),
    telemetry: {
      about: async () => (await parts.telemetry).about(),
      reset: async () => (await parts.telemetry).reset(),
    },
    memory,
    Frame,
    storesClosed: parts.storesClosed,
    isDemo: IS_DEMO,
    // on a first start they are read after the first screen stands
    get appName() {
      return settings.get().appName
    },
    get codeLabels() {
      return settings.get().codeLabels
    },
    version: __APP_VERSION__,
    signIn: async (draft) =>
      (await import('./sign-in.ts')).signIn({ settings, network, sessions, keys, draft }),
    signOut: async () => (await import('./sign-out.ts')).signOut(sessions, keys),
  }
}

function signal(): Booted['drawn'] {
  let tell = () => undefined as void
  const done = new Promise<void>((resolve) => (tell = resolve))
  return { tell, done }
}

/** Whose journal it is, and when. */
const journalOf = ({ now }: Clock, sessions: DeviceSessions, scope: string): JournalParts => ({
  now,
  scope,
  user: () => sessions.get()?.userInfo.id ?? '',
})

/** Who operates the app reads it in the console, or in the log that a user has sent. */
const tellOperator = (report: (problem: unknown) => void) => (problem: string) => {
  console.error(problem)
  report(problem)
}

interface NetworkParts {
  settings: DeviceSettings
  scope: string
  demo: Booted['demo']
  journal: JournalParts
  watched: (fetch: typeof globalThis.fetch) => typeof globalThis.fetch
}

/** The CRM is called once it is known where it is. */
async function loadNetwork({ settings, scope, demo, journal, watched }: NetworkParts): Promise<Network> {
  const [{ createNetwork }, { openJournal }] = await Promise.all([
    import('./network.ts'),
    import('./journal.ts'),
  ])
  const fetch = demo ? (await demo).fetch : globalThis.fetch.bind(globalThis)
  const env = await settings.usable
  const network = createNetwork({ env, scope, fetch: watched(fetch), journal: openJournal(journal) })
  if (IS_DEMO && demo)
    await import('./demo/demo-network.ts').then(async ({ tellSignal }) => tellSignal(await demo))
  return network
}

async function sendLog(
  parts: Pick<SendErrorLog, 'sessions' | 'log' | 'now'>,
  { env, fetch, circuits, ended }: Network,
): Promise<ErrorLogSent> {
  const { sendErrorLog } = await import('./send-error-log.ts')
  return sendErrorLog({ ...parts, env, fetch, ended, circuit: circuits.files, origin: location.origin })
}
