/** The device's own storage (src/data/storage) keeps what the app promises; whether it does as RxDB's own, the differential test says. */
import { readFileSync } from 'node:fs'
import { IDBDatabase, IDBFactory, IDBKeyRange, IDBObjectStore } from 'fake-indexeddb'
import { RXDB_VERSION, type RxStorage } from 'rxdb/plugins/core'
import { firstValueFrom } from 'rxjs'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { rxSchemas } from '#schemas/collections/collections.ts'
import { openDatabase, type Database } from '#data/database/database.ts'
import { requestRows$ } from '#data/visits/request-rows.ts'
import { createStorage, TESTED_RXDB } from '#data/storage/create-storage.ts'
import { type DeviceInternals, removeRows } from '#data/storage/docs-table.ts'
import { abortsWithoutReason } from '../../support/disk-writes.ts'
import { quickReportChange, quickReportRecord } from '../../support/device-records.ts'
import { scrambled } from '../../support/scrambled-rows.ts'
import { dumpStorage } from '../../support/storage-dump.ts'
import { storeView } from '../../support/stored-views.ts'
import { requestOn } from '../../support/visit-records.ts'

const DAY = '2026-11-20'
const BLANK = { requestId: 'r', workingDate: DAY, workingDateType: null, serverId: '' }
const report = (key: string) => ({ ...BLANK, key })

const open = (storage: RxStorage<unknown, unknown>, name = 'device-storage') =>
  openDatabase({ name, storage, multiInstance: false })

/** As RxDB asks for documents of which it knows nothing. */
const newRows = (...keys: string[]) =>
  keys.map((key) => ({
    document: { ...report(key), _deleted: false, _attachments: {}, _meta: { lwt: 1 }, _rev: '1-new' },
  })) as never

/** What a browser says of a connection that it has closed. */
const closing = () => new DOMException('The database connection is closing.', 'InvalidStateError')

let db: Database
beforeEach(async () => {
  db = await open(createStorage({ indexedDB: new IDBFactory(), IDBKeyRange }))
})
afterEach(async () => {
  vi.restoreAllMocks()
  await db.close()
})

test('[SV1] what may be unsent is flushed to disk, what the CRM can give again is not', async () => {
  const begun = vi.spyOn(IDBDatabase.prototype, 'transaction')
  const durabilities = () =>
    begun.mock.calls.filter(([, mode]) => mode === 'readwrite').map((call) => (call as unknown[])[2])
  await storeView(db, 'quickReports', quickReportRecord('1', [quickReportChange('entry', '09:00')]))
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
    throw closing()
  })
  await doc.incrementalPatch({ serverId: 'kept' })
  expect(begun.mock.results[0]?.type).toBe('throw')
  expect((await onDisk('a'))?.serverId).toBe('kept')
})

test('[SV1] one that was closed while it opened, and once more later, is opened anew all the same', async () => {
  await db.close()
  const storage = createStorage({ indexedDB: new IDBFactory(), IDBKeyRange })
  await (await open(storage, 'again')).close()
  const begin = IDBDatabase.prototype.transaction
  let opened = 0
  const begun = vi.spyOn(IDBDatabase.prototype, 'transaction').mockImplementation(function (
    this: IDBDatabase,
    ...args
  ) {
    if (args[1] === 'readwrite' && /quickReports/.test(this.name) && (opened += 1) === 1) throw closing()
    return begin.apply(this, args)
  })
  db = await open(storage, 'again')
  const doc = await db.quickReports.insert(report('a'))
  begun.mockImplementationOnce(() => {
    throw closing()
  })
  await doc.incrementalPatch({ serverId: 'kept' })
  expect(begun.mock.results.filter(({ type }) => type === 'throw')).toHaveLength(2)
  expect((await onDisk('a'))?.serverId).toBe('kept')
  expect(await db.quickReports.count().exec()).toBe(1)
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
  expect(kept.map(({ key, serverId }) => `${key}${serverId}`).toSorted()).toEqual(['bx', 'c'])
})

test('what is new is added without a look at what is there', async () => {
  const read = vi.spyOn(IDBObjectStore.prototype, 'get')
  await db.quickReports.storageInstance.bulkWrite(newRows('a', 'b', 'c'), 'test')
  expect(read).not.toHaveBeenCalled()
  expect(await db.quickReports.count().exec()).toBe(3)
})

test.each(['Chromium', 'WebKit'])(
  '[SV3] what is written as new and is there already stays as it is, is told, and the others are written: %s',
  async (engine) => {
    if (engine === 'WebKit') abortsWithoutReason()
    await db.quickReports.insert({ ...report('b'), serverId: 'kept' })
    const told: string[] = []
    const listening = db.quickReports.$.subscribe(({ documentId }) => told.push(documentId))
    const { error } = await db.quickReports.storageInstance.bulkWrite(newRows('a', 'b', 'c'), 'test')
    listening.unsubscribe()
    expect(error.map(({ status, documentId }) => ({ status, documentId }))).toEqual([
      { status: 409, documentId: 'b' },
    ])
    expect(Reflect.get(Object(error[0]), 'documentInDb')).toMatchObject({ key: 'b', serverId: 'kept' })
    expect(await Promise.all(['a', 'b', 'c'].map(async (key) => (await onDisk(key))?.serverId))).toEqual([
      '',
      'kept',
      '',
    ])
    expect(told).toEqual(['a', 'c'])
  },
)

test('[SV1] a full disk refuses what is new, and takes nothing of it', async () => {
  const full = new DOMException('no room', 'QuotaExceededError')
  const refused = vi.spyOn(IDBObjectStore.prototype, 'add').mockImplementationOnce(() => {
    throw full
  })
  await expect(db.quickReports.bulkInsert([report('a'), report('b')])).rejects.toBe(full)
  expect(refused).toHaveBeenCalledOnce()
  expect(await db.quickReports.count().exec()).toBe(0)
})

test('many documents go in several turns, in one transaction, and none is lost', async () => {
  const begun = vi.spyOn(IDBDatabase.prototype, 'transaction')
  let asked = 0
  let most = 0
  for (const method of ['put', 'add'] as const) {
    const write = IDBObjectStore.prototype[method]
    vi.spyOn(IDBObjectStore.prototype, method).mockImplementation(function (this: IDBObjectStore, ...row) {
      const request = write.apply(this, row)
      most = Math.max(most, (asked += 1))
      request.addEventListener('success', () => (asked -= 1))
      return request
    })
  }
  const keys = Array.from({ length: 130 }, (_, i) => `k${i}`)
  await db.quickReports.bulkInsert(keys.map(report))
  expect(begun.mock.calls.filter(([, mode]) => mode === 'readwrite')).toHaveLength(1)
  expect(await Promise.all(keys.map(async (key) => (await onDisk(key))?.key))).toEqual(keys)
  expect(most).toBeLessThan(keys.length)
})

test('[SV1] a save whose connection is lost while it is written is refused, not waited for', async () => {
  const doc = await db.quickReports.insert(report('a'))
  const { put } = IDBObjectStore.prototype
  vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementationOnce(function (this: IDBObjectStore, ...row) {
    const request = put.apply(this, row)
    this.transaction.abort()
    return request
  })
  await expect(doc.incrementalPatch({ serverId: 'lost' })).rejects.toMatchObject({ name: 'AbortError' })
  expect((await onDisk('a'))?.serverId).toBe('')
})

test('of two rows of one key in one write, the one that is refused does not take the other with it', async () => {
  const { storageInstance } = db.quickReports
  const there = (await db.quickReports.insert(report('a'))).toMutableJSON(true)
  const next = (serverId: string) => ({ ...there, serverId, _rev: `2-${serverId}` })
  const stale = { ...there, _rev: '1-other' }
  const rows = [
    { previous: there, document: next('taken') },
    { previous: stale, document: next('refused') },
  ]
  const { error } = await storageInstance.bulkWrite(rows as never, 'test')
  expect(error).toHaveLength(1)
  expect((await onDisk('a'))?.serverId).toBe('taken')
})

test('[SV3] a row that was to be deleted as unreadable stays if it was written anew meanwhile', async () => {
  const doc = await db.quickReports.insert(report('a'))
  const internals = db.quickReports.storageInstance.internals as DeviceInternals
  const [read] = await internals.readKeys(['a'])
  const rows = read ? [read] : []
  await doc.incrementalPatch({ serverId: 'anew' })
  await removeRows(internals, rows)
  expect((await onDisk('a'))?.serverId).toBe('anew')
  await removeRows(
    internals,
    [...(await internals.readKeys(['a']))].flatMap((row) => row ?? []),
  )
  expect(await onDisk('a')).toBeUndefined()
})

test('tabs tell one another what they wrote', async () => {
  const storage = createStorage({ indexedDB: new IDBFactory(), IDBKeyRange })
  const tab = (databaseInstanceToken: string) =>
    storage.createStorageInstance<object>({
      databaseName: 'tabs',
      collectionName: 'own',
      databaseInstanceToken,
      schema: db.own.schema.jsonSchema as never,
      options: {},
      multiInstance: true,
      devMode: false,
    })
  const [first, second] = [await tab('a'), await tab('b')]
  const heard = firstValueFrom(second.changeStream())
  const document = { rowKey: 'd', _rev: '1-a', _deleted: false, _attachments: {}, _meta: { lwt: 1 } }
  await first.bulkWrite([{ document }] as never, 'test')
  expect((await heard).events).toEqual([
    expect.objectContaining({ documentId: 'd', operation: 'INSERT', documentData: document }),
  ])
  expect((await heard).checkpoint).toEqual({ id: 'd', lwt: 1 })
  await first.close()
  await second.close()
})

test('it was tested with the version that is installed', () => {
  expect(RXDB_VERSION).toBe(TESTED_RXDB)
  const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    dependencies: Record<string, string>
  }
  expect(dependencies).toMatchObject({ rxdb: TESTED_RXDB })
})

test('with another version nothing opens, so that nothing is written as it was not tested', () => {
  expect(() => createStorage({ indexedDB: new IDBFactory(), IDBKeyRange, version: '17.6.1' })).toThrow(
    'rxdb 17.6.1 was not tested',
  )
})

test('no schema of the app has what the storage does not support', () => {
  for (const { indexes, properties, ...schema } of Object.values(rxSchemas)) {
    expect(schema).not.toHaveProperty('attachments')
    const paths = indexes.flat().map((path) => path.split('.')[0] ?? '')
    for (const path of paths) expect(Reflect.get(properties, path)).not.toMatchObject({ type: 'boolean' })
    expect(JSON.stringify(properties)).not.toMatch(/"(?:\||__)/)
  }
})

test('a codec’s rows lie on the disk as it writes them, and everything in the app reads them', async () => {
  const indexedDB = new IDBFactory()
  await reopen(createStorage({ indexedDB, IDBKeyRange, codecFor: scrambled }), 'coded')
  const many = Array.from({ length: 350 }, (_, i) => requestOn(String(i), DAY, { customerName: '秘密商事' }))
  await db.requests.bulkInsert(many)
  const { rows } = await firstValueFrom(requestRows$(db))
  expect(rows).toHaveLength(many.length)
  expect(new Set(rows.map(({ customerName }) => customerName))).toEqual(new Set(['秘密商事']))
  const found = await db.requests.find({ selector: { customerName: '秘密商事' }, limit: 3 }).exec()
  expect(found).toHaveLength(3)
  await db.close()
  expect(await dumpStorage(indexedDB)).not.toContain('秘密商事')
})

/** RxDB opens no more collections in one process than two of ours have. */
async function reopen(storage: RxStorage<unknown, unknown>, name: string) {
  await db.close()
  db = await open(storage, name)
}

/** Past RxDB's caches. */
async function onDisk(key: string) {
  const [doc] = await db.quickReports.storageInstance.findDocumentsById([key], false)
  return doc
}
