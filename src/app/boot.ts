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
import { readCodeLabels } from './code-labels.ts'
import { readEnv, type Env } from './env.ts'
import { createInstallStore } from './install.ts'
import { createCrmClock } from './crm-clock.ts'
import type { DemoNetwork } from './demo/demo-network.ts'
import { createErrorLog, type ErrorLog } from './error-log.ts'
import { Frame } from './frame.tsx'
import { createMemory } from './memory.ts'
import type { Network } from './network.ts'
import { createPhotoSettings } from './photo-settings.ts'
import type { SendErrorLog } from './send-error-log.ts'
import { openSessions, type DeviceSessions } from './session-store.ts'
import { createThemeStore } from './theme.ts'
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
  const env = readEnv(import.meta.env, (message) => {
    console.error(message)
    report(message)
  })
  const flash = createFlashStore()
  const memory = createMemory(sessionStorage)
  const online = createValueStore(navigator.onLine)
  const userData = createValueStore<UserData | null>(null)
  watchUncaught(window, log, (error) => {
    const parts = { flash, i18n, bytes: userData.get()?.bytes, storage: navigator.storage }
    void import('./tell-unsaved.ts').then(({ tellUnsaved }) => tellUnsaved(error, parts)).catch(report)
  })
  const demo = IS_DEMO ? import('./demo/demo-network.ts').then((module) => module.openDemoNetwork(env)) : null
  const crmClock = createCrmClock(env.apiEndpoint, clock.now)
  const network = loadNetwork(env, demo, (fetch) =>
    watchedFetch(loggedFetch(crmClock.listen(fetch), log), sessions.tokenIsInvalid),
  )
  void network.then(({ connectivity }) => connectivity.online$.subscribe(online.set))
  const services: Services = {
    clock,
    crmClock: crmClock.readings,
    newId: () => crypto.randomUUID(),
    session: sessions,
    online,
    flash,
    theme: createThemeStore(),
    photo: createPhotoSettings(env.imageSizeLimit),
    update: createUpdateStore(),
    install: createInstallStore(window),
    errorLog: {
      ...log.count,
      send: async () => sendLog({ env, sessions, log, now: clock.now }, await network),
      note: report,
      text: async () => (await import('./error-log-text.ts')).errorLogText(await log.read()),
    },
    memory,
    Frame,
    isDemo: IS_DEMO,
    appName: env.appName,
    codeLabels: readCodeLabels(import.meta.env['VITE_CODE_LABELS'], (message) => {
      console.error(message)
      report(message)
    }),
    version: __APP_VERSION__,
    signIn: async (draft) => (await import('./sign-in.ts')).signIn(await network, sessions, draft),
    signOut: sessions.clear,
  }
  const drawn = signal()
  followUser({ env, sessions, network, userData, services, memory, log, report, drawn: drawn.done })
  return { services, sessions, userData, demo, report, drawn }
}

function signal(): Booted['drawn'] {
  let tell = () => undefined as void
  const done = new Promise<void>((resolve) => (tell = resolve))
  return { tell, done }
}

function deviceClock() {
  const KEY = 'genba:device'
  const device = localStorage.getItem(KEY) ?? crypto.randomUUID().slice(0, 8)
  localStorage.setItem(KEY, device)
  const STAMP = 'genba:stamp'
  return createClock({
    now: Date.now,
    device,
    memory: { get: () => localStorage.getItem(STAMP), set: (stamp) => localStorage.setItem(STAMP, stamp) },
  })
}

async function loadNetwork(
  env: Env,
  demo: Booted['demo'],
  watched: (fetch: typeof globalThis.fetch) => typeof globalThis.fetch,
): Promise<Network> {
  const { createNetwork } = await import('./network.ts')
  const fetch = demo ? (await demo).fetch : globalThis.fetch.bind(globalThis)
  const network = createNetwork(env, watched(fetch))
  if (IS_DEMO && demo)
    await import('./demo/demo-network.ts').then(async ({ tellSignal }) => tellSignal(await demo))
  return network
}

async function sendLog(
  parts: Omit<SendErrorLog, 'fetch' | 'circuit' | 'origin'>,
  { fetch, circuits }: Network,
): Promise<ErrorLogSent> {
  const { sendErrorLog } = await import('./send-error-log.ts')
  return sendErrorLog({ ...parts, fetch, circuit: circuits.files, origin: location.origin })
}

interface FollowUser {
  env: Env
  sessions: DeviceSessions
  network: Promise<Network>
  userData: WritableStore<UserData | null>
  services: Services
  memory: ReturnType<typeof createMemory>
  log: Pick<ErrorLog, 'expire'>
  report: (problem: unknown) => void
  drawn: Promise<void>
}

/** Whose data may be on the device now: none of who may not see a screen of it (spec 6). */
const ownerOf = (session: Session | null): string | null =>
  session && mayEnter(session.userInfo.userFlag) ? session.userInfo.id : null

/**
 * Opens the signed-in user's data, and closes it when another user, or nobody, is signed in; what the others leave behind
 * is cleared away then, and at each start.
 */
function followUser({ env, sessions, network, userData, services, memory, log, report, drawn }: FollowUser) {
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
  const follow = async () => {
    const session = sessions.get()
    const userId = ownerOf(session)
    if (userId === null) memory.clear()
    if (userId === openFor) return
    const isLeft = openFor !== null
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
    const told = { report, storageFull, leftOut }
    opened = await openUserData({ session, env, network: net, sessions, clock, drawn, ...told })
    watchReplay(opened.db, net.connectivity, () => services.flash.show('success', i18n._(messages.replayed)))
    const { db, bytes, live, drafts } = opened
    const telling = tellSaves({ ...services, db, i18n, buzz: (what) => buzz(navigator, what) })
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
      services.flash.show(
        'danger',
        i18n._(msg`端末の保存領域を開けませんでした。ほかのタブを閉じて、もう一度開いてください。`),
      )
    })
  }
  sessions.subscribe(queue)
  queue()
}
