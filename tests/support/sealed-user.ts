/** A user of a phone whose stores are sealed: login, logout and the stores themselves as the app opens them, on an IndexedDB in memory. */
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb'
import { afterEach, beforeEach, vi } from 'vitest'
import { openSealer } from '#app/session/open-sealed.ts'
import type { KnownUser } from '#app/session/state/keys.ts'
import { openStores } from '#data/user-stores/open-stores.ts'
import { openPhotoBytes } from '#data/photos/photo-bytes.ts'
import { openLockedData } from '#data/locked/locked-data.ts'
import type { Sealer } from '#data/encryption/key-ring.ts'
import { sealedRows } from '#data/encryption/sealed-rows.ts'
import { openKeyStore } from '#data/encryption/stored-keys.ts'
import { createUserKeys } from '#data/encryption/user-keys.ts'
import { createClock } from '#lib/time/stamp.ts'
import { createStorage } from '#data/storage/create-storage.ts'
import { sharedLocks } from './shared-locks.ts'

const openNow = new Set<() => Promise<void>>()

/** RxDB opens 13 collections on a page: what a test that failed has left open is closed. */
export async function closeUsers(): Promise<void> {
  for (const close of openNow) await close()
}

/** Each test of the file begins on a device with nothing on it, and leaves no database open. */
export function eachOnAnEmptyDevice(): void {
  beforeEach(() => {
    vi.stubGlobal('indexedDB', new IDBFactory())
    vi.stubGlobal('IDBKeyRange', IDBKeyRange)
  })
  afterEach(async () => {
    await closeUsers()
    vi.unstubAllGlobals()
  })
}

type Keys = ReturnType<typeof createUserKeys<KnownUser>>

/** What a fault makes of the shipped parts. */
export interface PlantedSeal {
  keys?(keys: Keys): Keys
  /** @param opening how often this user's stores were opened before */
  sealer?(sealer: Sealer, opening: number): Sealer
}

interface Parts {
  /** Name of the user's database. */
  user: string
  userName: string
  /** Whose keys these are made of; each call another id. */
  newId: () => string
  /** A fault that is planted. */
  planted?: PlantedSeal
}

/** `indexedDB` is the global one, as the app has it. */
export function sealedUser({ user, userName, newId, planted = {} }: Parts) {
  const locks = sharedLocks()
  const who: KnownUser = { userName, userInfo: { id: user, userFlag: 6, loginUserName: '' } }
  const whole = createUserKeys<KnownUser>({
    store: openKeyStore(),
    isOwn: (name) => name === user,
    locks,
    newId,
    rounds: 2,
  })
  const keys = planted.keys?.(whole) ?? whole
  let openings = 0
  let last: string | null = null
  const memory = { get: () => last, set: (stamp: string) => void (last = stamp) }
  const settings = { indexedDB, IDBKeyRange }
  return {
    user,
    keys,
    async login(password: string) {
      const trying = await keys.trying(userName, password)
      await trying.login({ user, userName, who }, async () => undefined)
    },
    async offline(password: string) {
      return (await keys.trying(userName, password)).offline(async () => undefined)
    },
    logout: () => keys.lock(async () => false),
    async open() {
      const { name, sealer: opened } = await openSealer(user, keys)
      const sealer = planted.sealer?.(opened, openings) ?? opened
      openings += 1
      const refused: string[] = []
      const codecFor = sealedRows(sealer, ({ message }) => void refused.push(message))
      const { db, release } = await openStores({
        ...{ name, multiInstance: false, indexedDB, ranges: IDBKeyRange },
        ...{ locks, room: undefined, waits: () => undefined, report: () => undefined, codecFor },
        storage: createStorage({ indexedDB, IDBKeyRange, codecFor }),
      })
      const bytes = openPhotoBytes({ databaseName: name, now: Date.now, sealer, settings })
      const close = async () => {
        openNow.delete(close)
        await db.close()
        bytes.close()
        release()
      }
      openNow.add(close)
      const problems: unknown[] = []
      const locked = {
        ...{ indexedDB, ranges: IDBKeyRange, locks, keys, db, bytes },
        clock: createClock({ now: Date.now, device: 'test', memory }),
        openBytes: (databaseName: string, earlier: Sealer) =>
          openPhotoBytes({ databaseName, now: Date.now, sealer: earlier, settings }),
        about: () => ({ made: '', app: '' }),
        report: (problem: unknown) => void problems.push(problem),
      }
      const lockedData = await openLockedData(locked)
      return {
        db,
        bytes,
        codecFor,
        /** For another tab. */
        locked,
        lockedData,
        problems,
        refused,
        close,
      }
    },
  }
}
