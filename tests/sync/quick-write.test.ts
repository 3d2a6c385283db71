/** The device's own way of writing (src/data/quick-write.ts) keeps what RxDB's storage promises. */
import { IDBDatabase, IDBFactory, IDBKeyRange, IDBObjectStore } from 'fake-indexeddb'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openDatabase, type Database } from '#data/database.ts'
import { createStorage } from '#data/storage/create-storage.ts'
import { requestOn } from '../support/visit-records.ts'

const DAY = '2026-11-20'
const BLANK = { requestId: 'r', workingDate: DAY, workingDateType: null, serverId: '', changes: [] }
const report = (key: string) => ({ ...BLANK, key, unsent: 'no' as const })

let db: Database
beforeEach(async () => {
  db = await openDatabase({
    name: 'quick-write',
    storage: createStorage({ indexedDB: new IDBFactory(), IDBKeyRange }),
    conflictHandlers: {},
    multiInstance: false,
  })
})
afterEach(async () => {
  vi.restoreAllMocks()
  await db.close()
})

test('[SV1] what may be unsent is flushed to disk, what the CRM can give again is not', async () => {
  const begun = vi.spyOn(IDBDatabase.prototype, 'transaction')
  const durabilities = () =>
    begun.mock.calls.filter(([, mode]) => mode === 'readwrite').map((call) => (call as unknown[])[2])
  await db.quickReports.insert(report('a'))
  expect(durabilities()).toEqual([{ durability: 'strict' }])
  begun.mockClear()
  await db.requests.insert(requestOn('1', DAY))
  expect(durabilities()).toEqual([{ durability: 'relaxed' }])
})

test('[SV2] a write made on what is no longer there is a conflict, and changes nothing', async () => {
  const doc = await db.quickReports.insert(report('a'))
  const stale = doc.toMutableJSON(true)
  await doc.incrementalPatch({ serverId: 'first' })
  const { error } = await db.quickReports.storageInstance.bulkWrite(
    [{ previous: stale, document: { ...stale, serverId: 'second', _rev: '2-other' } }] as never,
    'test',
  )
  expect(error.map(({ status, documentId }) => ({ status, documentId }))).toEqual([
    { status: 409, documentId: 'a' },
  ])
  expect((await onDisk('a'))?.serverId).toBe('first')
})

test('[SV1] a full disk refuses the save, and takes nothing of it; the next save goes through', async () => {
  const doc = await db.quickReports.insert(report('a'))
  const full = new DOMException('no room', 'QuotaExceededError')
  vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementationOnce(() => {
    throw full
  })
  await expect(doc.incrementalPatch({ serverId: 'lost' })).rejects.toBe(full)
  expect((await onDisk('a'))?.serverId).toBe('')
  await doc.getLatest().incrementalPatch({ serverId: 'kept' })
  expect((await onDisk('a'))?.serverId).toBe('kept')
})

test('[SV1] a connection that the browser closed is opened anew, and the save goes through', async () => {
  const doc = await db.quickReports.insert(report('a'))
  const begun = vi.spyOn(IDBDatabase.prototype, 'transaction').mockImplementationOnce(() => {
    throw new DOMException('The database connection is closing.', 'InvalidStateError')
  })
  await doc.incrementalPatch({ serverId: 'kept' })
  expect(begun.mock.results[0]?.type).toBe('throw')
  expect((await onDisk('a'))?.serverId).toBe('kept')
})

test('writes of many documents, some there already, are told as one', async () => {
  await db.quickReports.bulkInsert([report('a'), report('b')])
  const told: string[] = []
  const listening = db.quickReports.$.subscribe(({ operation, documentId }) =>
    told.push(`${operation} ${documentId}`),
  )
  await db.quickReports.bulkUpsert([{ ...report('b'), serverId: 'x' }, report('c')])
  await db.quickReports.bulkRemove(['a'])
  listening.unsubscribe()
  expect(told.toSorted()).toEqual(['DELETE a', 'INSERT c', 'UPDATE b'])
  const kept = await db.quickReports.find().exec()
  expect(kept.map(({ key, serverId }) => `${key}${serverId}`)).toEqual(['bx', 'c'])
})

/** Past RxDB's caches. */
async function onDisk(key: string) {
  const [doc] = await db.quickReports.storageInstance.findDocumentsById([key], false)
  return doc
}
