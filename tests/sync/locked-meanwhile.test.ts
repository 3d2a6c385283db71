/** A lock or a logout in another tab, while the keys of a user are tidied here: none is lost (SV3, decision 0084). */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb'
import { openSealer } from '#app/open-sealed.ts'
import type { KnownUser } from '#app/keys.ts'
import { makeDatabase } from '#data/database.ts'
import { openAside } from '#data/seal/aside.ts'
import { openKeyStore } from '#data/seal/stored-keys.ts'
import { asideRows } from '#data/seal/set-aside.ts'
import { createUserKeys } from '#data/seal/user-keys.ts'
import { createStorage } from '#data/storage/create-storage.ts'
import { sharedLocks } from '../support/shared-locks.ts'

const USER = 'genba-1'
const WHO: KnownUser = { userName: 'demo6', userInfo: { id: 'u-1', userFlag: 6, loginUserName: '' } }

beforeEach(() => {
  vi.stubGlobal('indexedDB', new IDBFactory())
  vi.stubGlobal('IDBKeyRange', IDBKeyRange)
})
afterEach(() => vi.unstubAllGlobals())

function scene() {
  const [store, locks] = [openKeyStore(), sharedLocks()]
  let ids = 0
  const keys = createUserKeys<KnownUser>({
    store,
    isOwn: () => true,
    cryptography: crypto,
    locks,
    newId: () => `k-${(ids += 1)}`,
    rounds: 3,
  })
  const login = async (password: string) => {
    const trying = await keys.trying('demo6', password)
    const login = { user: USER, userName: 'demo6', who: WHO, isFirst: true }
    await trying.login(login, async () => undefined)
  }
  const makeEmpty = () => makeDatabase(USER, createStorage({ indexedDB, IDBKeyRange }))
  return { keys, locks, login, makeEmpty, lock: () => keys.lock(async () => false) }
}

test('[SV3] the keys of who has discarded what was sealed, and is locked in that moment, are all there', async () => {
  const { keys, login, lock } = scene()
  await login('before')
  await lock()
  await login('after')
  const aside = await openAside({
    indexedDB,
    keys,
    db: { name: USER } as never,
    bytes: {} as never,
    cryptography: crypto,
  })
  await lock()
  await aside.discard()
  expect((await keys.record(USER))?.keys.map(({ id }) => id)).toEqual(['k-1', 'k-2'])
  await login('after')
  await aside.discard()
  expect((await keys.record(USER))?.keys.map(({ id }) => id)).toEqual(['k-2'])
})

test('[SV3] nothing is set aside, and no key goes, where the lock comes while the stores are being opened', async () => {
  const { keys, locks, login, lock, makeEmpty } = scene()
  await login('password')
  await openSealer({ name: USER, keys, locks, makeEmpty })
  await keys.change(USER, (record) => ({ ...record, isToSetAside: true }))
  // between the look at the key and the turn of the stores
  let looks = 0
  const record = async (user: string) => {
    looks += 1
    if (looks === 2) await lock()
    return keys.record(user)
  }
  const lockedThere = { ...keys, record }
  await expect(openSealer({ name: USER, keys: lockedThere, locks, makeEmpty })).rejects.toThrow('no-key')
  expect(await asideRows(indexedDB, USER)).toEqual([])
  expect(await keys.record(USER)).toMatchObject({ current: 'k-1', isToSetAside: true })
  await login('password')
  await openSealer({ name: USER, keys, locks, makeEmpty })
  expect(await keys.record(USER)).toMatchObject({ current: 'k-1', isToSetAside: false })
})
