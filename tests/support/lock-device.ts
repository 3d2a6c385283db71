/** A device with the lock of its screen, for tests: its clock is turned by hand, and its tabs share disk, locks and channel. */
import { createSealer } from '#data/encryption/key-ring.ts'
import type { Sealed } from '#data/encryption/seal.ts'
import { unlockedKeys, isUsable, openKeyStore } from '#data/encryption/stored-keys.ts'
import { createUserKeys } from '#data/encryption/user-keys.ts'
import { databaseName } from '#data/database/database-name.ts'
import type { LockState } from '#data/context/app-context.tsx'
import type { KnownUser } from '#app/session/state/keys.ts'
import { openDeviceValues } from '#app/config/device-values.ts'
import { createLockControl } from '#app/session/lock/lock-control.ts'
import type { PasskeyDevice } from '#app/session/lock/passkey-device.ts'
import { createValueStore } from '#lib/value-store.ts'
import type { Session } from '#schemas/device/session.ts'
import { sharedLocks } from './shared-locks.ts'

export const SESSION: Session = {
  userName: 'demo6',
  expired: false,
  accessToken: 'a',
  refreshToken: 'r',
  userInfo: { id: 'u-6', userFlag: 6, loginUserName: '大西 修' },
}
const { userName, userInfo } = SESSION

/** A passkey that knows its salt: `lost` has it no longer. */
function testPasskeys() {
  const secrets = new Map<string, Uint8Array<ArrayBuffer>>()
  const nameOf = (credential: ArrayBuffer, salt: ArrayBuffer) =>
    [credential, salt].map((each) => new Uint8Array(each).join('.')).join(' ')
  const device: PasskeyDevice & { known: Awaited<ReturnType<PasskeyDevice['support']>> } = {
    known: 'yes',
    support: async () => device.known,
    async make(_, salt) {
      const credential = crypto.getRandomValues(new Uint8Array(8)).buffer
      const secret = crypto.getRandomValues(new Uint8Array(32))
      secrets.set(nameOf(credential, salt), secret)
      return { kind: 'made', credential, secret }
    },
    ask: async ({ credential, salt }) => secrets.get(nameOf(credential, salt)) ?? null,
  }
  return { device, lose: () => secrets.clear() }
}

type Listener = (event: { data: unknown }) => void

/** A channel of the browser whose messages come at once. */
function hub() {
  const heard = new Set<Listener>()
  return () => {
    const own = new Set<Listener>()
    const channel = {
      postMessage: (data: unknown) => {
        for (const each of [...heard]) if (!own.has(each)) each({ data })
      },
      addEventListener: (_: string, listener: Listener) => {
        heard.add(listener)
        own.add(listener)
      },
    }
    return {
      channel: channel as unknown as BroadcastChannel,
      close: () => own.forEach((each) => heard.delete(each)),
    }
  }
}

export async function lockDevice(now = Date.parse('2026-11-20T12:00:00+09:00')) {
  const locks = sharedLocks()
  const passkeys = testPasskeys()
  const user = await databaseName(userInfo.id, '')
  const session = createValueStore<Session | null>(null)
  const sessions = { get: session.get, read: async () => session.get(), subscribe: session.subscribe }
  const [said, held, written] = [hub(), hub(), hub()]
  const values = await openDeviceValues({ channel: written().channel })
  const device = { now, user, passkeys, locks, session, values, problems: [] as string[] }
  const timers = new Set<{ at: number; run: () => void }>()
  let ids = 0
  const disk = openKeyStore()
  const living = new Set<ReturnType<typeof createUserKeys<KnownUser>>>()
  const isLockSet = async () => values.get('lock') !== null
  const keysOf = (channel: BroadcastChannel, gives = true) =>
    createUserKeys<KnownUser>({
      store: unlockedKeys(disk, { isLockSet, channel, gives }),
      isOwn: () => true,
      locks,
      newId: () => `k-${(ids += 1)}`,
      rounds: 3,
    })
  // sees what the pages have, and gives them nothing
  const keys = keysOf(held().channel, false)
  /** A page that is closed again. */
  const onPage = async (run: (keys: ReturnType<typeof keysOf>) => Promise<void>) => {
    const { channel, close } = held()
    await run(keysOf(channel))
    close()
  }
  return Object.assign(device, {
    keys,
    login: (password: string) =>
      onPage(async (page) => {
        const trying = await page.trying(userName, password)
        await trying.login({ user, userName, who: { userName, userInfo } }, async () => session.set(SESSION))
      }),
    async logout() {
      session.set(null)
      await onPage((page) => page.lock(async () => false))
    },
    disk,
    /** Time goes by, and what was to be done meanwhile is done. */
    async pass(ms: number) {
      const end = device.now + ms
      for (;;) {
        const [next] = [...timers].filter(({ at }) => at <= end).toSorted((a, b) => a.at - b.at)
        if (!next) break
        timers.delete(next)
        device.now = Math.max(device.now, next.at)
        next.run()
        await new Promise((resolve) => setTimeout(resolve, 0))
      }
      device.now = end
      await settled()
    },
    /** A page of the app. @param visible whether it is in sight from the start */
    async tab(visible = true) {
      const page = Object.assign(new EventTarget(), {
        visibilityState: visible ? ('visible' as DocumentVisibilityState) : 'hidden',
      })
      const [lock, holding] = [said(), held()]
      const pageKeys = keysOf(holding.channel)
      living.add(pageKeys)
      const state = createValueStore<LockState>('asking')
      const states: LockState[] = []
      state.subscribe(() => states.push(state.get()))
      const own = new Set<{ at: number; run: () => void }>()
      const control = createLockControl({
        state,
        scope: '',
        sessions,
        values,
        keys: pageKeys,
        passkeys: passkeys.device,
        channel: lock.channel,
        appName: () => '現場ワーク',
        report: (problem) => device.problems.push(String(problem)),
        device: {
          page: page as unknown as Document,
          window: new EventTarget() as Window,
          now: () => device.now,
          begunAt: device.now,
          memory: localStorage,
          locks,
          after(ms, run) {
            const timer = { at: device.now + ms, run }
            timers.add(timer)
            own.add(timer)
            return () => void timers.delete(timer)
          },
        },
      })
      await control.known
      return {
        control,
        states,
        state: state.get,
        page,
        see(visibilityState: DocumentVisibilityState) {
          page.visibilityState = visibilityState
          page.dispatchEvent(new Event('visibilitychange'))
          return settled()
        },
        /** Nothing of the page runs any more. */
        kill() {
          lock.close()
          holding.close()
          living.delete(pageKeys)
          for (const timer of own) timers.delete(timer)
        },
      }
    },
    /** Whether anything that opens lies on the disk. */
    isOnDisk: async () => (await disk.get(user))?.keys.some(isUsable) === true,
    /** Whether anything that opens is there, on the disk or in a page. */
    async isUsable() {
      const records = await Promise.all([disk.get(user), ...[...living].map((page) => page.record(user))])
      return records.some((record) => record?.keys.some(isUsable) === true)
    },
  })
}

/** A device with somebody signed in, and what is sealed on it. */
export async function signedIn() {
  const device = await lockDevice()
  await device.login('password')
  const place = [device.user, 'drafts', 'd'] as const
  const sealer = () => createSealer(device.keys.ring(device.user))
  return {
    device,
    seal: async () => (await sealer().sealValue(place, '秘密')) as Sealed,
    open: (sealed: Sealed) => sealer().openValue(place, sealed),
  }
}

/** What was begun in memory is done. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setTimeout(resolve, 2))
}
