/** When a collection's store opens, and what follows if it cannot (decisions/storage). */
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openDatabase, type Database } from '#data/database/database.ts'
import { createStorage } from '#data/storage/create-storage.ts'
import { deleteDatabase, openOrCreate } from '#data/storage/idb.ts'

const report = (key: string) => ({
  key,
  requestId: 'r',
  workingDate: '2026-11-20',
  workingDateType: null,
  serverId: '',
})

let db: Database
let indexedDB: IDBFactory
beforeEach(async () => {
  indexedDB = new IDBFactory()
  const storage = createStorage({ indexedDB, IDBKeyRange })
  db = await openDatabase({ name: 'connection', storage, multiInstance: false })
})
afterEach(async () => {
  vi.restoreAllMocks()
  await db.close()
})

test('[decisions/speed] a start opens only the stores that it reads', async () => {
  const stores = async () => (await indexedDB.databases()).map(({ name }) => name?.split('--').at(-1))
  expect(await stores()).toEqual([])
  await db.requests.count().exec()
  expect(await stores()).toEqual(['requests'])
})

test('[ST4] a store that a full device could not open is opened by the next save', async () => {
  const full = new DOMException('no room', 'QuotaExceededError')
  vi.spyOn(IDBFactory.prototype, 'open').mockImplementationOnce(() => {
    throw full
  })
  await expect(db.quickReports.insert(report('a'))).rejects.toBe(full)
  await db.quickReports.insert(report('a'))
  expect(await db.quickReports.count().exec()).toBe(1)
})

test('[SV3] a connection that is just closing is no failure of what was opened or discarded', async () => {
  const own = new IDBFactory()
  const held = await openOrCreate(own, 'genba-locked-1', 1, (db) =>
    db.createObjectStore('rows', { keyPath: 'id' }),
  )
  // Chromium says so of one that was closed while its transaction ends
  held.addEventListener('versionchange', () => queueMicrotask(() => setTimeout(() => held.close())))
  await deleteDatabase(own, 'genba-locked-1')
  expect(await own.databases()).toEqual([])
})
