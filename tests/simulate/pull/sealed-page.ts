/** What of a page is sealed, by the shipped parts: its keys, its rows, and what is locked (decisions/encryption). */
import type { Database } from '#data/database/database.ts'
import { openLockedData } from '#data/locked/locked-data.ts'
import { storesName } from '#data/database/database-name.ts'
import { createSealer, type Sealer } from '#data/encryption/key-ring.ts'
import { sealedRows } from '#data/encryption/sealed-rows.ts'
import { unlockByPassword } from '#data/encryption/unlock.ts'
import { createUserKeys } from '#data/encryption/user-keys.ts'
import type { Clock } from '#lib/time/stamp.ts'
import { modelRanges } from './model-idb.ts'
import type { KeyPort, PagePort, SealedPage, SealPort } from './page-port.ts'
import { sealedBytes } from './sealed-bytes.ts'
import { sealedStorage } from './sealed-storage.ts'

/** What PBKDF2 takes is real time, of which there is none here. */
const ROUNDS = 2

/** From here on the page's own `crypto` is the phone's, whose chance is by the seed alone. */
function keysOf({ keys, cryptography, locks, newId }: KeyPort) {
  Object.assign(crypto, cryptography)
  return createUserKeys<object>({ store: keys, isOwn: () => true, locks, newId, rounds: ROUNDS })
}

export type PhoneKeys = ReturnType<typeof phoneKeys>

/** What is done with keys where no data is open: at the login, and where a screen is locked. */
export function phoneKeys(port: KeyPort) {
  const keys = keysOf(port)
  return {
    lock: () => keys.lock(async () => false),
    async login(user: string, password: string) {
      const trying = await keys.trying(user, password)
      await trying.login({ user, userName: user, who: { user } }, async () => undefined)
    },
    unlock: async (user: string, password: string) =>
      (await unlockByPassword({ keys, isSignedIn: async () => true }, user, password)) === 'open',
  }
}

/** Before the stores are read. @throws SealError where there is a key that cannot be used */
export async function beginSealed({ diskName: user, ...rest }: PagePort, seal: SealPort) {
  const keys = keysOf(seal)
  const ring = keys.ring(user)
  const { id } = await ring.current()
  const name = storesName(user, id)
  const port = { ...rest, diskName: name }
  seal.opens(name)
  const sealer = createSealer(ring)
  const bytesOf = (stores: string, by: Sealer) =>
    sealedBytes({ ...port, diskName: stores }, seal.photos(stores), by)
  const bytes = bytesOf(name, sealer)
  return {
    name,
    bytes,
    storage: sealedStorage(port, seal, sealedRows(sealer)),
    forget: ring.forget,
    async openLocked(db: Database, clock: Clock): Promise<SealedPage> {
      const lockedData = await openLockedData({
        indexedDB: seal.indexedDB,
        ranges: modelRanges,
        locks: seal.locks,
        keys,
        db,
        bytes,
        clock,
        openBytes: bytesOf,
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
