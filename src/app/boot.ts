/**
 * The composition root. What the first paint needs is made at once: session, theme, flash. Database, sync and the demo
 * CRM are loaded beside it and handed to the screens when they are there.
 */
import { i18n } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { Session } from '#schemas/session.ts'
import type { ErrorLogSent, Services, UserData } from '#data/app-context.tsx'
import { createFlashStore } from '#data/flash-store.ts'
import { mayEnter } from '#lib/permission.ts'
import { createClock } from '#lib/stamp.ts'
import { messages } from '#messages/messages.ts'
import { createInstallStore } from './install.ts'
import { createCrmClock, type CrmClock } from './crm-clock.ts'
import type { DemoNetwork } from './demo/demo-network.ts'
import { followConfig, openDeviceSettings } from './device-settings.ts'
import { createErrorLog, type ErrorLog } from './error-log.ts'
import { Frame } from './frame.tsx'
import { createMemory } from './memory.ts'
import type { Network } from './network.ts'
import { createPhotoSettings } from './photo-settings.ts'
import type { SendErrorLog } from './send-error-log.ts'
import { openSessions, type DeviceSessions } from './session-store.ts'
import type { DeviceSettings } from './settings.ts'
import { createThemeStore } from './theme.ts'
import type { TellStores } from './tell-stores.ts'
import { createUpdateStore } from './update.ts'
import type { OpenedUserData } from './user-data.ts'
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
  /** The app's first screen stands: what takes long and is not needed for one begins after it. */
  drawn: { tell(): void; done: Promise<void> }
}

const IS_DEMO = import.meta.env.MODE === 'demo'

export async function boot(): Promise<Booted> {
  const clock = deviceClock()
  const sessions = await openSessions()
  const log = createErrorLog({
    now: clock.now,
    session: sessions.get,
    agent: navigator.userAgent,
    screen: () => location.pathname,
  })
  sessions.subscribe(() => void log.follow())
  const report = (problem: unknown) => void log.add(problem)
  const settings = await openDeviceSettings({
    sessions,
    log,
    now: clock.now,
    report: tellOperator(report),
    isDemo: IS_DEMO,
  })
  const flash = createFlashStore()
  const memory = createMemory(sessionStorage)
  const online = createValueStore(navigator.onLine)
  const userData = createValueStore<UserData | null>(null)
  watchUncaught(window, log, (error) => {
    const parts = { flash, i18n, bytes: userData.get()?.bytes, storage: navigator.storage }
    void import('./tell-unsaved.ts').then(({ tellUnsaved }) => tellUnsaved(error, parts)).catch(report)
  })
  const demo = IS_DEMO
    ? import('./demo/demo-network.ts').then((module) => module.openDemoNetwork(settings.get()))
    : null
  const crmClock = createCrmClock(clock.now)
  const network = loadNetwork(settings, demo, (fetch) =>
    watchedFetch(loggedFetch(fetch, log), sessions.tokenIsInvalid),
  )
  void network.then(({ connectivity }) => connectivity.online$.subscribe(online.set))
  const tellStores: TellStores = (what) =>
    void import('./tell-stores.ts').then((told) => told.tellStores(what, { flash, i18n })).catch(report)
  const update = createUpdateStore(settings, __APP_VERSION__, {
    letGo: () => stores.letGo(),
    report,
    tell: tellStores,
  })
  const services: Services = {
    clock,
    crmClock: crmClock.readings,
    newId: () => crypto.randomUUID(),
    session: sessions,
    online,
    flash,
    theme: createThemeStore(),
    photo: createPhotoSettings(() => settings.get().imageSizeLimit),
    update,
    install: createInstallStore(window),
    errorLog: {
      ...log.count,
      send: async () => sendLog({ sessions, log, now: clock.now }, await network),
      note: report,
      text: async () => (await import('./error-log-text.ts')).errorLogText(await log.read()),
    },
    memory,
    Frame,
    isDemo: IS_DEMO,
    // on a first start they are read after the first screen stands
    get appName() {
      return settings.get().appName
    },
    get codeLabels() {
      return settings.get().codeLabels
    },
    version: __APP_VERSION__,
    signIn: async (draft) => (await import('./sign-in.ts')).signIn({ settings, network, sessions, draft }),
    signOut: sessions.clear,
  }
  const drawn = signal()
  void drawn.done.then(() => followConfig(settings, clock.now))
  const stores = followUser({
    tellStores,
    update,
    sessions,
    network,
    userData,
    services,
    memory,
    log,
    report,
    drawn: drawn.done,
    heardTime: crmClock.hear,
  })
  return { services, sessions, userData, demo, report, drawn }
}

function signal(): Booted['drawn'] {
  let tell = () => undefined as void
  const done = new Promise<void>((resolve) => (tell = resolve))
  return { tell, done }
}

function deviceClock() {
  const [KEY, STAMP] = ['genba:device', 'genba:stamp']
  const device = localStorage.getItem(KEY) ?? crypto.randomUUID().slice(0, 8)
  localStorage.setItem(KEY, device)
  return createClock({
    now: Date.now,
    device,
    memory: { get: () => localStorage.getItem(STAMP), set: (stamp) => localStorage.setItem(STAMP, stamp) },
  })
}

/** Who operates the app reads it in the console, or in the log that a user has sent. */
const tellOperator = (report: (problem: unknown) => void) => (problem: string) => {
  console.error(problem)
  report(problem)
}

/** The CRM is called once it is known where it is. */
async function loadNetwork(
  settings: DeviceSettings,
  demo: Booted['demo'],
  watched: (fetch: typeof globalThis.fetch) => typeof globalThis.fetch,
): Promise<Network> {
  const { createNetwork } = await import('./network.ts')
  const fetch = demo ? (await demo).fetch : globalThis.fetch.bind(globalThis)
  const network = createNetwork(await settings.usable, watched(fetch))
  if (IS_DEMO && demo)
    await import('./demo/demo-network.ts').then(async ({ tellSignal }) => tellSignal(await demo))
  return network
}

async function sendLog(
  parts: Omit<SendErrorLog, 'env' | 'fetch' | 'circuit' | 'origin'>,
  { env, fetch, circuits }: Network,
): Promise<ErrorLogSent> {
  const { sendErrorLog } = await import('./send-error-log.ts')
  return sendErrorLog({ ...parts, env, fetch, circuit: circuits.files, origin: location.origin })
}

interface FollowUser {
  tellStores: TellStores
  update: { applyWhenReady(): void }
  sessions: DeviceSessions
  network: Promise<Network>
  userData: WritableStore<UserData | null>
  services: Services
  memory: ReturnType<typeof createMemory>
  log: Pick<ErrorLog, 'expire'>
  report: (problem: unknown) => void
  drawn: Promise<void>
  heardTime: CrmClock['hear']
}

/** Whose data may be on the device now: none of who may not see a screen of it (spec 6). */
const ownerOf = (session: Session | null): string | null =>
  session && mayEnter(session.userInfo.userFlag) ? session.userInfo.id : null

/**
 * Opens the signed-in user's data, and closes it when another user, or nobody, is signed in; what the others leave behind
 * is cleared away then, and at each start.
 */
function followUser({
  tellStores,
  update,
  sessions,
  network,
  userData,
  services,
  memory,
  log,
  report,
  drawn,
  heardTime,
}: FollowUser) {
  const { clock } = services
  const sweep = async () => {
    const { sweepUsers } = await import('./sweep-users.ts')
    await sweepUsers({
      indexedDB,
      locks: navigator.locks,
      user: async () => ownerOf(await sessions.read()),
      now: clock.now,
      time: () => localStorage.getItem('genba:time'),
      report,
    })
    await log.expire()
  }
  void drawn.then(sweep).catch(report)
  let opened: OpenedUserData | null = null
  let openFor: string | null = null
  let stopTelling = () => undefined as void
  let turn = Promise.resolve()
  let isLetGo = false
  const follow = async () => {
    const session = sessions.get()
    const userId = isLetGo ? null : ownerOf(session)
    if (userId === null && !isLetGo) memory.clear()
    if (userId === openFor) return
    const isLeft = openFor !== null && !isLetGo
    openFor = userId
    userData.set(null)
    stopTelling()
    await opened?.close()
    opened = null
    if (isLeft) memory.clear()
    if (isLeft) void sweep().catch(report)
    if (!session || userId === null) return
    const [{ openUserData }, { watchReplay }, { tellSaves }, { buzz, watchBadge }, net] = await Promise.all([
      import('./user-data.ts'),
      import('./replayed.ts'),
      import('./tell-saves.ts'),
      import('./device-signals.ts'),
      network,
    ])
    const told = { report, storageFull, leftOut, heardTime, waits: () => tellStores('in-another-tab') }
    opened = await openUserData({ session, env: net.env, network: net, sessions, clock, drawn, ...told })
    tellStores('open')
    watchReplay(opened.db, net.connectivity, () => services.flash.show('success', i18n._(messages.replayed)))
    const { db, bytes, live, drafts } = opened
    const telling = tellSaves({ ...services, db, bytes, drafts, i18n, buzz: (what) => buzz(navigator, what) })
    const stopCounting = watchBadge(navigator, db)
    stopTelling = () => {
      telling.stop()
      stopCounting()
    }
    userData.set({ db, bytes, live, drafts, saved: telling.saved })
  }
  const leftOut = () =>
    void import('./tell-left-out.ts')
      .then(({ tellLeftOut }) => tellLeftOut(services.flash, i18n))
      .catch(report)
  const storageFull = (isFull: boolean) => {
    if (!isFull) return
    const text = msg`端末の空き容量が足りないため、最新のデータを保存できません。写真や使わないアプリを消して空きを増やすと、自動で続きます。保存済の内容は消えません。`
    services.flash.show('danger', i18n._(text))
  }
  const queue = () => {
    turn = turn.then(follow).catch((error: unknown) => {
      report(error)
      const name = error instanceof Error ? error.name : ''
      tellStores(name === 'NewerStores' ? 'newer' : name === 'MigrationFailed' ? 'not-moved' : 'not-opened')
      if (name === 'NewerStores') update.applyWhenReady()
    })
  }
  sessions.subscribe(queue)
  queue()
  return {
    /** Closes the user's data for whoever wants it alone. @returns what opens it again */
    async letGo() {
      isLetGo = true
      queue()
      await turn
      return () => {
        isLetGo = false
        queue()
      }
    },
  }
}
