/** The screen lock (decisions/encryption). Locking destroys all usable keys; every page then closes its data. */
import type { Session } from '#schemas/device/session.ts'
import { databaseName } from '#data/database/database-name.ts'
import type {
  LockControl,
  LockState,
  PasskeyAdded,
  PasskeyState,
  Unlocking,
} from '#data/context/app-context.tsx'
import { freshAskSalt, passkeyOf } from '#data/encryption/passkey.ts'
import { currentOf, isLocked } from '#data/encryption/stored-keys.ts'
import {
  passkeyAsk,
  removePasskey,
  setPasskey,
  unlockByPasskey,
  unlockByPassword,
  type Unlock,
} from '#data/encryption/unlock.ts'
import { lockAfterOf, type LockAfter, LOCK_CHANNEL } from '#lib/browser/screen-lock.ts'
import type { DeviceValues } from '#app/config/device-values.ts'
import type { Keys } from '#app/session/state/keys.ts'
import type { Device } from '#app/session/state/device.ts'
import type { DeviceSessions } from '#app/session/state/session-store.ts'
import { createValueStore, type WritableStore } from '#lib/value-store.ts'
import { type PasskeyDevice, passkeyDevice } from './passkey-device.ts'
import { watchVisibility, type VisibilityDevice } from './watch-visibility.ts'
import { openTries, type PasswordTries } from './tries.ts'

const DEFAULT_AFTER: LockAfter = '15'

interface LockParts {
  state: WritableStore<LockState>
  scope: string
  sessions: Pick<DeviceSessions, 'get' | 'read' | 'subscribe'>
  values: DeviceValues
  keys: Keys
  passkeys: PasskeyDevice
  device: VisibilityDevice
  channel: Pick<BroadcastChannel, 'postMessage' | 'addEventListener'>
  appName: () => string
  report: (problem: unknown) => void
}

/** @returns the lock's functions for screens; `known` resolves once the state of the lock has been read */
export function createLockControl(parts: LockParts): LockControl & { known: Promise<void> } {
  const { sessions, keys, values, scope, passkeys, device, channel, appName } = parts
  const nameOf = async (session: Session | null) => session && databaseName(session.userInfo.id, scope)
  const user = () => nameOf(sessions.get())
  const unlock: Unlock = {
    keys,
    isSignedIn: async (name) => name === (await nameOf(await sessions.read())),
  }
  const { refresh, lock } = followKeys(parts, user)
  const after = chosenAfter(parts)
  const visibility = watchVisibility(device, after.get, lock)
  after.subscribe(visibility.changed)
  const tries = openTries({ values, scope, now: device.now })
  const passkey = passkeyStateStore({ passkeys, keys, user })
  const refreshPasskey = () => void passkey.refresh().catch(parts.report)
  refreshPasskey()
  void keys.finishLock().catch(parts.report)
  sessions.subscribe(refreshPasskey)
  const unlocked = async (): Promise<Unlocking> => {
    visibility.note()
    channel.postMessage('unlocked')
    await refresh()
    return { kind: parts.state.get() === 'open' ? 'open' : 'failed' }
  }
  const set = async (next: LockAfter) => {
    await after.set(next)
    visibility.note()
  }
  return {
    known: refresh(),
    after: { ...after, set },
    passkey,
    wait: tries.wait,
    ...unlockMethods({ unlock, passkeys, user, unlocked, tries }),
    async addPasskey() {
      const [name, session] = [await user(), sessions.get()]
      if (name === null || !session) return 'cancelled'
      const endCover = visibility.covered()
      const names = { app: appName(), user: session.userName }
      const added = await newPasskey(unlock, passkeys, name, names).finally(endCover)
      if (added === 'set' && after.get() === 'off') await set(DEFAULT_AFTER)
      await passkey.refresh()
      return added
    },
    async setByDefault() {
      // The choice is read again after the `await`, because the user may have chosen in another tab meanwhile.
      const isChosen = () => values.get('lock-chosen') !== null || after.get() !== 'off'
      const isDue = !isChosen() && (await canOpenByPasskey(passkey, passkeys)) && !isChosen()
      if (isDue) await set(DEFAULT_AFTER)
      return isDue
    },
    async removePasskey() {
      const name = await user()
      if (name !== null) await removePasskey(unlock, name)
      await passkey.refresh()
    },
  }
}

function unlockMethods(parts: {
  unlock: Unlock
  passkeys: PasskeyDevice
  user: () => Promise<string | null>
  tries: PasswordTries
  unlocked: () => Promise<Unlocking>
}): Pick<LockControl, 'unlock' | 'unlockByPasskey'> {
  const { unlock, passkeys, user, tries, unlocked } = parts
  return {
    async unlock(password) {
      const waitMs = tries.wait()
      if (waitMs > 0) return { kind: 'wait', waitMs }
      const name = await user()
      if (name === null) return { kind: 'failed' }
      const uncount = await tries.begin()
      const result = await unlockByPassword(unlock, name, password)
      if (result === 'wrong') return { kind: 'wrong', waitMs: tries.wait() }
      await (result === 'open' ? tries.right() : uncount())
      return result === 'open' ? unlocked() : { kind: 'failed' }
    },
    async unlockByPasskey() {
      const name = await user()
      const ask = name === null ? null : await passkeyAsk(unlock, name)
      const secret = ask && (await passkeys.ask(ask))
      if (name === null || !ask || !secret) return { kind: 'failed' }
      return (await unlockByPasskey(unlock, name, secret, ask)) ? unlocked() : { kind: 'failed' }
    },
  }
}

async function newPasskey(
  unlock: Unlock,
  passkeys: PasskeyDevice,
  user: string,
  names: { app: string; user: string },
): Promise<PasskeyAdded> {
  const salt = freshAskSalt()
  const made = await passkeys.make(names, salt)
  if (made.kind !== 'made') return made.kind
  const { credential, secret } = made
  return (await setPasskey(unlock, user, secret, { credential, salt })) ? 'set' : 'cancelled'
}

function followKeys(
  { state, sessions, keys, channel, report }: LockParts,
  user: () => Promise<string | null>,
) {
  /** Number of locks so far. A key state that was read before the latest lock is ignored. */
  let lockCount = 0
  let running = Promise.resolve()
  const runNext = (run: () => Promise<void>) => (running = running.then(run).catch(report))
  const read = async (lockCountBefore: number) => {
    const name = await user()
    const locked = name !== null && isLocked(await keys.record(name))
    if (lockCountBefore === lockCount) state.set(locked ? 'locked' : 'open')
  }
  const refresh = () => {
    const lockCountBefore = lockCount
    return runNext(() => read(lockCountBefore))
  }
  const close = () => {
    lockCount += 1
    if (sessions.get()) state.set('locked')
  }
  const lock = () => {
    // The user's data disappears from the screen at once. Removing the keys takes longer.
    close()
    void runNext(async () => {
      await keys.lock(async () => false)
      channel.postMessage('locked')
      await read(lockCount)
    })
  }
  channel.addEventListener('message', ({ data }) => {
    if (data === 'locked') close()
    void refresh()
  })
  sessions.subscribe(() => void refresh())
  return { refresh, lock }
}

function chosenAfter({ values, keys }: Pick<LockParts, 'values' | 'keys'>): LockControl['after'] {
  const chosen = () => lockAfterOf(values.get('lock'))
  const value = createValueStore<LockAfter>(chosen())
  values.subscribe(() => value.set(chosen()))
  return {
    ...value,
    async set(next) {
      await keys.setLock(async () => {
        await values.set('lock', next === 'off' ? null : next)
        await values.set('lock-chosen', '1')
      })
    },
  }
}

/** True if a passkey can open the lock: one is set, or the browser reports that it can set one. */
async function canOpenByPasskey(
  { refresh, get }: ReturnType<typeof passkeyStateStore>,
  passkeys: PasskeyDevice,
): Promise<boolean> {
  await refresh()
  return get() === 'set' || (get() === 'none' && (await passkeys.support()) === 'yes')
}

function passkeyStateStore({
  passkeys,
  keys,
  user,
}: Pick<LockParts, 'passkeys' | 'keys'> & { user: () => Promise<string | null> }) {
  const value = createValueStore<PasskeyState | null>(null)
  const refresh = async () => {
    const name = await user()
    const record = name === null ? null : await keys.record(name)
    if (!record) value.set('no-key')
    else if (passkeyOf(currentOf(record))) value.set('set')
    else value.set((await passkeys.support()) === 'no' ? 'unsupported' : 'none')
  }
  return { get: value.get, subscribe: value.subscribe, refresh }
}

export const openLock = async (
  state: WritableStore<LockState>,
  { scope, sessions, values, keys, settings, report }: Device,
) =>
  createLockControl({
    state,
    scope,
    sessions,
    values,
    report,
    appName: () => settings.get().appName,
    keys: await keys(),
    passkeys: passkeyDevice(navigator.credentials),
    channel: new BroadcastChannel(LOCK_CHANNEL),
    device: {
      page: document,
      window,
      now: Date.now,
      // The app counts as in use since the page began to load, or since now if the user has just set the lock.
      begunAt: state.get() === 'asking' ? performance.timeOrigin : Date.now(),
      memory: localStorage,
      locks: navigator.locks,
      after(ms, run) {
        const timer = setTimeout(run, ms)
        return () => clearTimeout(timer)
      },
    },
  })
