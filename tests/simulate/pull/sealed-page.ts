/** What of a page is sealed, by the shipped parts: its keys, its rows, and what is set aside (decisions/encryption). */
import type { Database } from '#data/database/database.ts'
import { openLockedData } from '#data/locked/locked-data.ts'
import { lockedRowIds, lockRows } from '#data/locked/locked-rows.ts'
import { createSealer } from '#data/encryption/key-ring.ts'
import { SealError } from '#data/encryption/seal.ts'
import { sealedRows } from '#data/encryption/sealed-rows.ts'
import { withoutKeys, isLocked } from '#data/encryption/stored-keys.ts'
import { unlockByPassword } from '#data/encryption/unlock.ts'
import { createUserKeys } from '#data/encryption/user-keys.ts'
import { modelRanges } from './model-idb.ts'
import type { KeyPort, PagePort, SealedPage, SealPort } from './page-port.ts'
import { sealedBytes } from './sealed-bytes.ts'
import { sealedStorage } from './sealed-storage.ts'

/** What PBKDF2 takes is real time, of which there is none here. */
const ROUNDS = 2

type Keys = ReturnType<typeof keysOf>

const keysOf = ({ keys, cryptography, locks, newId }: KeyPort) =>
  createUserKeys<object>({ store: keys, isOwn: () => true, cryptography, locks, newId, rounds: ROUNDS })

export type PhoneKeys = ReturnType<typeof phoneKeys>

/** What is done with keys where no data is open: at the login, and where a screen is locked. */
export function phoneKeys(port: KeyPort) {
  const keys = keysOf(port)
  const { cryptography, newId } = port
  return {
    lock: () => keys.lock(async () => false),
    async login(user: string, password: string, isFirst: boolean) {
      const trying = await keys.trying(user, password)
      await trying.login({ user, userName: user, who: { user }, isFirst }, async () => undefined)
    },
    unlock: async (user: string, password: string) =>
      (await unlockByPassword(
        { keys, cryptography, newId, isSignedIn: async () => true },
        user,
        password,
      )) === 'open',
  }
}

/** Before the stores are read. @throws SealError where there is a key that cannot be used */
export async function beginSealed(port: PagePort, seal: SealPort) {
  const keys = keysOf(seal)
  const ring = keys.ring(port.diskName)
  const id = (await ring.current())?.id ?? ''
  // as `open-sealed.ts` does it while no tab has the stores open
  await seal.locks.request('begin', { mode: 'exclusive' }, () => putAside(keys, port.diskName, seal))
  const sealer = createSealer(seal.cryptography, ring)
  const bytes = sealedBytes(port, seal.photos, sealer)
  return {
    bytes,
    storage: sealedStorage(port, seal, sealedRows(sealer)),
    forget: ring.forget,
    async openAside(db: Database): Promise<SealedPage> {
      const lockedData = await openLockedData({
        indexedDB: seal.indexedDB,
        keys,
        db,
        bytes,
        cryptography: seal.cryptography,
        about: () => ({ made: '', app: '' }),
        report: (problem) => port.report(String(problem)),
      })
      // none of the two is there once it is forgotten
      const hasKey = () =>
        Promise.any([ring.current(), ring.byId(id)].map(thrownIfNull)).then(
          () => true,
          () => false,
        )
      return { lockedData, hasKey }
    },
  }
}

async function thrownIfNull(asked: Promise<object | null>): Promise<void> {
  if ((await asked) === null) throw new Error('no key')
}

async function putAside(keys: Keys, user: string, seal: SealPort): Promise<void> {
  const record = await keys.record(user)
  if (isLocked(record)) throw new SealError('no-key', 'keys')
  if (!record?.isToSetAside) return
  const usable = new Set(record.keys.flatMap(({ id, usable: key }) => (key ? [id] : [])))
  const locked = new Set(record.keys.flatMap(({ id }) => (usable.has(id) ? [] : [id])))
  const { indexedDB } = seal
  await lockRows({ indexedDB, ranges: modelRanges, user, isOpen: (id) => usable.has(id) })
  const isAny = (await lockedRowIds(indexedDB, user)).length > 0
  await keys.change(user, (now) => ({
    ...(isAny ? now : withoutKeys(now, locked)),
    isToSetAside: now.isToSetAside && now.current !== record.current,
  }))
  seal.setAside()
}
