/** Nothing is sealed while a build from before sealing could read or write it (SV3, decision 0075). */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { IDBDatabase, IDBFactory, IDBKeyRange } from 'fake-indexeddb'
import { rxSchemas } from '#schemas/collections.ts'
import { moved } from '#schemas/migrations/moved.ts'
import { steps } from '#schemas/migrations/steps.ts'
import { openSealer } from '#app/open-sealed.ts'
import type { KnownUser } from '#app/keys.ts'
import { holdData } from '#data/data-lock.ts'
import { makeDatabase } from '#data/database.ts'
import { done, openThere } from '#data/layout/idb.ts'
import {
  INTERNAL_DOCS,
  internalName,
  LAYOUT_ROW,
  rowOf,
  standingOf,
  storedLayout,
  versionsOf,
} from '#data/layout/stored-layout.ts'
import { openStores, type Layout } from '#data/open-stores.ts'
import { sealedRows } from '#data/seal/sealed-rows.ts'
import { openKeyStore } from '#data/seal/stored-keys.ts'
import { createUserKeys } from '#data/seal/user-keys.ts'
import { createStorage } from '#data/storage/create-storage.ts'
import { grownLayout } from '../support/grown-layout.ts'
import { nth } from '../support/replication.ts'
import { sharedLocks } from '../support/shared-locks.ts'
import { restoreStorage } from '../support/storage-dump.ts'
import { storedFiles } from '../support/stored-files.ts'
import { STORED_DATABASE } from '../support/stored-layouts.ts'

const USER = STORED_DATABASE
const TODAY: Layout = { schemas: rxSchemas, migrations: steps, moved }
const stored = storedFiles().toReversed()
const [newest, before] = [nth(stored, 0), nth(stored, 1)]
const WHO: KnownUser = { userName: 'demo6', userInfo: { id: 'u-1', userFlag: 0, loginUserName: '' } }

beforeEach(() => {
  vi.stubGlobal('indexedDB', new IDBFactory())
  vi.stubGlobal('IDBKeyRange', IDBKeyRange)
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

function scene() {
  const locks = sharedLocks()
  let ids = 0
  const newId = () => `k-${(ids += 1)}`
  const keys = createUserKeys<KnownUser>({
    store: openKeyStore(),
    isOwn: () => true,
    cryptography: crypto,
    locks,
    newId,
    rounds: 3,
  })
  const storage = () => createStorage({ indexedDB, IDBKeyRange })
  const open = async () =>
    (await openSealer({ name: USER, keys, locks, makeEmpty: () => makeDatabase(USER, storage()) })).sealer
  return {
    keys,
    locks,
    open,
    async login(isFirst: boolean) {
      const trying = await keys.trying('demo6', 'password')
      await trying.login({ user: USER, userName: 'demo6', who: WHO, isFirst }, async () => undefined)
    },
    /** Opens the stores as this build, or another of the same layout, does. */
    stores: async (layout = TODAY) => {
      const codecFor = sealedRows(await open())
      return openStores({
        ...{ name: USER, conflictHandlers: {}, multiInstance: false, indexedDB, ranges: IDBKeyRange },
        ...{ locks, room: undefined, waits: () => undefined, report: () => undefined, layout, codecFor },
        storage: createStorage({ indexedDB, IDBKeyRange, codecFor }),
      })
    },
  }
}

/** As a build from before sealing reads what a migration wrote down. */
async function standingBefore(layout = TODAY) {
  const internal = await openThere(indexedDB, internalName(USER))
  if (!internal) return 'none'
  const docs = internal.transaction(INTERNAL_DOCS).objectStore(INTERNAL_DOCS)
  const { versions } = rowOf(await done(docs.get(LAYOUT_ROW)))
  internal.close()
  const stored = { versions: new Map(Object.entries(versions)), strays: [], leftovers: [] }
  return standingOf(stored, versionsOf(layout))
}
const standing = async (layout = TODAY) => standingOf(await storedLayout(indexedDB, USER), versionsOf(layout))

test('[SV3] on a new device builds from before leave the stores alone before anything is sealed; this one opens them', async () => {
  const { login, open, stores } = scene()
  await login(true)
  const sealer = await open()
  expect(await sealer.keyId()).toBe('k-1')
  expect([await standingBefore(), await standing()]).toEqual(['newer', 'same'])
  const { db, release } = await stores()
  expect(await db.own.count().exec()).toBe(0)
  await db.close()
  release()
  expect([await standingBefore(), await standing()]).toEqual(['newer', 'same'])
})

test('[SV3] a tab of a build from before has the stores open: all lies there as it was, until the next opening without it', async () => {
  await restoreStorage(indexedDB, newest.text)
  const { login, open, locks } = scene()
  const release = await holdData(locks, USER)
  // signed in before there were keys; the session timed out
  await login(false)
  expect(await (await open()).keyId()).toBeNull()
  expect(await standingBefore()).not.toBe('newer')
  release()
  expect(await (await open()).keyId()).toBe('k-1')
  expect([await standingBefore(), await standing()]).toEqual(['newer', 'same'])
})

test('[SV3] what is to be migrated is migrated first, and sealed from the next opening on', async () => {
  await restoreStorage(indexedDB, before.text)
  const { login, open, stores } = scene()
  await login(true)
  expect(await standing()).toBe('older')
  const { db, release } = await stores()
  const drafts = await db.own.count().exec()
  expect(drafts).toBeGreaterThan(0)
  await db.close()
  release()
  expect(await (await open()).keyId()).toBe('k-1')
  expect([await standingBefore(), await standing()]).toEqual(['newer', 'same'])
})

test('[SV3] a later layout migrates what is marked, and builds from before go on leaving it alone', async () => {
  await restoreStorage(indexedDB, newest.text)
  const { login, stores } = scene()
  await login(true)
  const first = await stores()
  await first.db.close()
  first.release()
  const grown = grownLayout(TODAY)
  expect(await standing(grown)).toBe('older')
  const { db, release } = await stores(grown)
  await db.close()
  release()
  expect([await standingBefore(grown), await standing(grown)]).toEqual(['newer', 'same'])
})

test('[SV3] a key is on disk before anything is sealed with it: a power cut takes none of the two, or the rows alone', async () => {
  const transaction = vi.spyOn(IDBDatabase.prototype, 'transaction')
  const { login } = scene()
  await login(true)
  const written = transaction.mock.calls.filter(([, mode]) => mode === 'readwrite')
  expect(written.length).toBeGreaterThan(0)
  for (const [, , options] of written) expect(options).toEqual({ durability: 'strict' })
})
