/**
 * The lock of the screen (decision 0084). Locking destroys every usable key on the device and tells all pages; each closes
 * its data when it hears it. What a page is in follows from the keys alone: a session whose key cannot be used is locked.
 */
import type { Session } from '#schemas/session.ts'
import { databaseName } from '#data/database-name.ts'
import type { LockControl, LockState, PasskeyAdded, PasskeyStanding, Unlocking } from '#data/app-context.tsx'
import { freshAskSalt, passkeyOf } from '#data/seal/passkey.ts'
import { currentOf } from '#data/seal/stored-keys.ts'
import {
  isLocked,
  passkeyAsk,
  removePasskey,
  setPasskey,
  unlockByPasskey,
  unlockByPassword,
  type Unlock,
} from '#data/seal/unlock.ts'
import { isLockChosen, LOCK_NAME, lockAfter, lockChosen, type LockAfter } from '#lib/screen-lock.ts'
import type { Keys } from '../keys.ts'
import type { DeviceSessions } from '../session-store.ts'
import { createValueStore, type WritableStore } from '../value-store.ts'
import type { PasskeyDevice } from './passkey-device.ts'
import { watchSight, type SightDevice } from './sight.ts'
import { openTries, type KeptTries } from './tries.ts'

/** Where a passkey opens it. */
const DEFAULT: LockAfter = '15'

export interface LockParts {
  state: WritableStore<LockState>
  /** Of the CRM on the screen. */
  scope: string
  sessions: Pick<DeviceSessions, 'get' | 'read' | 'subscribe'>
  keys: Keys
  passkeys: PasskeyDevice
  device: SightDevice
  channel: Pick<BroadcastChannel, 'postMessage' | 'addEventListener'>
  appName: () => string
  report: (problem: unknown) => void
}

/** @returns `asked`: once it is known whether the screen is locked */
export function createLockControl(parts: LockParts): LockControl & { asked: Promise<void> } {
  const { sessions, keys, scope, passkeys, device, channel, appName } = parts
  const nameOf = async (session: Session | null) => session && databaseName(session.userInfo.id, scope)
  const user = () => nameOf(sessions.get())
  const unlock: Unlock = {
    keys,
    cryptography: crypto,
    isSignedIn: async (name) => name === (await nameOf(await sessions.read())),
    newId: () => crypto.randomUUID(),
  }
  const { look, lock } = followKeys(parts, user)
  const after = keptAfter()
  const sight = watchSight(device, lockAfter, lock)
  after.subscribe(sight.changed)
  const tries = openTries(scope, device.now)
  const passkey = passkeyStanding({ passkeys, keys, user })
  const lookAtPasskey = () => void passkey.look().catch(parts.report)
  lookAtPasskey()
  sessions.subscribe(lookAtPasskey)
  const unlocked = async (): Promise<Unlocking> => {
    sight.note()
    channel.postMessage('unlocked')
    await look()
    return { kind: parts.state.get() === 'open' ? 'open' : 'failed' }
  }
  const set = (next: LockAfter) => {
    after.set(next)
    lockChosen()
    sight.note()
  }
  return {
    asked: look(),
    after: { ...after, set },
    passkey,
    wait: tries.wait,
    ...openings({ unlock, passkeys, user, unlocked, tries }),
    async addPasskey() {
      const [name, session] = [await user(), sessions.get()]
      if (name === null || !session) return 'cancelled'
      const uncovered = sight.covered()
      const names = { app: appName(), user: session.userName }
      const added = await newPasskey(unlock, passkeys, name, names).finally(uncovered)
      if (added === 'set' && lockAfter() === 'off') set(DEFAULT)
      await passkey.look()
      return added
    },
    async setByDefault() {
      const isDue = !isLockChosen() && (await canOpenByPasskey(passkey, passkeys)) && !isLockChosen()
      if (isDue) set(DEFAULT)
      return isDue
    },
    async removePasskey() {
      const name = await user()
      if (name !== null) await removePasskey(unlock, name)
      await passkey.look()
    },
  }
}

interface Openings {
  unlock: Unlock
  passkeys: PasskeyDevice
  user: () => Promise<string | null>
  tries: KeptTries
  /** It is open on the disk. */
  unlocked: () => Promise<Unlocking>
}

function openings(parts: Openings): Pick<LockControl, 'unlock' | 'unlockByPasskey'> {
  const { unlock, passkeys, user, tries, unlocked } = parts
  return {
    async unlock(password) {
      const waitMs = tries.wait()
      if (waitMs > 0) return { kind: 'wait', waitMs }
      const name = await user()
      if (name === null) return { kind: 'failed' }
      tries.begin()
      if (!(await unlockByPassword(unlock, name, password))) return { kind: 'wrong', waitMs: tries.wait() }
      tries.right()
      return unlocked()
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
  const salt = freshAskSalt(crypto)
  const made = await passkeys.make(names, salt)
  if (made.kind !== 'made') return made.kind
  const { credential, secret } = made
  return (await setPasskey(unlock, user, secret, { credential, salt })) ? 'set' : 'cancelled'
}

/** Whether the key of who is signed in can be used, now and whenever it changes. */
function followKeys(
  { state, sessions, keys, channel, report }: LockParts,
  user: () => Promise<string | null>,
) {
  /** Raised by each lock; results of work begun under a lower number are ignored. */
  let round = 0
  let turn = Promise.resolve()
  const inTurn = (run: () => Promise<void>) => (turn = turn.then(run).catch(report))
  const read = async (begun: number) => {
    const name = await user()
    const locked = name !== null && isLocked(await keys.record(name))
    if (begun === round) state.set(locked ? 'locked' : 'open')
  }
  const look = () => {
    const begun = round
    return inTurn(() => read(begun))
  }
  const close = () => {
    round += 1
    if (sessions.get()) state.set('locked')
  }
  const lock = () => {
    // nothing stays on the screen for as long as the rest takes
    close()
    void inTurn(async () => {
      await keys.lock(async () => false)
      channel.postMessage('locked')
      await read(round)
    })
  }
  channel.addEventListener('message', ({ data }) => {
    if (data === 'locked') close()
    void look()
  })
  sessions.subscribe(() => void look())
  return { look, lock }
}

/** As it is kept, for all tabs. */
function keptAfter(): WritableStore<LockAfter> {
  const value = createValueStore<LockAfter>(lockAfter())
  window.addEventListener('storage', ({ key }) => key === LOCK_NAME && value.set(lockAfter()))
  return {
    ...value,
    set(next) {
      if (next === 'off') localStorage.removeItem(LOCK_NAME)
      else localStorage.setItem(LOCK_NAME, next)
      value.set(lockAfter())
    },
  }
}

/** Whether one is set, or the browser says that one can be. */
async function canOpenByPasskey(
  { look, get }: ReturnType<typeof passkeyStanding>,
  passkeys: PasskeyDevice,
): Promise<boolean> {
  await look()
  return get() === 'set' || (get() === 'none' && (await passkeys.support()) === 'yes')
}

function passkeyStanding({
  passkeys,
  keys,
  user,
}: Pick<LockParts, 'passkeys' | 'keys'> & { user: () => Promise<string | null> }) {
  const value = createValueStore<PasskeyStanding | null>(null)
  const look = async () => {
    const name = await user()
    const record = name === null ? null : await keys.record(name)
    if (!record) value.set('no-key')
    else if (passkeyOf(currentOf(record))) value.set('set')
    else value.set((await passkeys.support()) === 'no' ? 'unsupported' : 'none')
  }
  return { get: value.get, subscribe: value.subscribe, look }
}
