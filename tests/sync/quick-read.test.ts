/** The device's own way of reading (src/data/quick-read.ts) finds what RxDB's storage finds. */
import fc from 'fast-check'
import { IDBDatabase, IDBFactory, IDBKeyRange } from 'fake-indexeddb'
import { normalizeMangoQuery, prepareQuery } from 'rxdb/plugins/core'
import { RxStorageInstanceDexie } from 'rxdb/plugins/storage-dexie'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openDatabase, type Database } from '#data/database.ts'
import { createStorage } from '#data/storage/create-storage.ts'
import { requestOn } from '../support/visit-records.ts'

/** More than two pieces. */
const REQUESTS = 700
const day = (n: number) => `2026-11-${String(10 + n).padStart(2, '0')}`

let db: Database
beforeEach(async () => {
  db = await openDatabase({
    name: 'quick-read',
    storage: createStorage({ indexedDB: new IDBFactory(), IDBKeyRange }),
    conflictHandlers: {},
    multiInstance: false,
  })
  const some = (i: number) => ({
    ...requestOn(String(i), day(i % 3)),
    confirmedAt: `2026-11-${10 + (i % 20)}`,
  })
  await db.requests.bulkInsert(Array.from({ length: REQUESTS }, (_, i) => some(i)))
  await db.requests.find({ selector: { id: { $in: ['3', '500'] } } }).remove()
})
afterEach(async () => {
  vi.restoreAllMocks()
  await db.close()
})

const dayRange = fc.record({
  $gte: fc.integer({ min: 0, max: 3 }).map(day),
  $lte: fc.integer({ min: 0, max: 3 }).map(day),
})
const query = fc.record(
  {
    selector: fc.oneof(
      fc.constant({}),
      fc.record({ workingDate: fc.integer({ min: 0, max: 3 }).map(day) }),
      fc.record({ workingDate: dayRange }),
      fc.record({ confirmedAt: fc.record({ $lt: fc.constantFrom('2026-11-12', '2026-11-25', '2027') }) }),
      fc.record({ id: fc.integer({ min: 0, max: REQUESTS }).map(String) }),
      fc.record({ requestCode: fc.record({ $regex: fc.constantFrom('1', '5$') }) }),
      fc.record({
        key: fc.record({ $in: fc.array(fc.integer({ min: 0, max: 40 }).map((i) => `${i}_${day(i % 3)}`)) }),
      }),
    ),
    sort: fc.constantFrom(
      [{ key: 'asc' }],
      [{ workingDate: 'desc' }],
      [{ workingDate: 'asc' }, { id: 'asc' }],
    ),
    limit: fc.constantFrom(1, 60, 61, 300, 650),
    skip: fc.constantFrom(0, 5, 299),
  },
  { requiredKeys: ['selector'] },
)

test('any query finds the documents that RxDB’s cursor finds, in the same order', async () => {
  const instance = db.requests.internalStorageInstance
  const { jsonSchema } = db.requests.schema
  await fc.assert(
    fc.asyncProperty(query, async (asked) => {
      const selector = { ...asked.selector, _deleted: { $eq: false } }
      const prepared = prepareQuery(
        jsonSchema,
        normalizeMangoQuery(jsonSchema, { ...asked, selector } as never) as never,
      )
      const [quick, byCursor] = [
        await instance.query(prepared),
        await RxStorageInstanceDexie.prototype.query.call(instance, prepared as never),
      ]
      expect(quick.documents.map(({ key }) => key)).toEqual(byCursor.documents.map(({ key }) => key))
      expect(quick.documents[0]).toEqual(byCursor.documents[0])
    }),
    { numRuns: 60 },
  )
})

test('a connection that the browser has closed is opened anew', async () => {
  const lost = new DOMException('closed', 'InvalidStateError')
  vi.spyOn(IDBDatabase.prototype, 'transaction').mockImplementationOnce(() => {
    throw lost
  })
  const found = await db.requests.find({ selector: { workingDate: day(1) } }).exec()
  expect(found.length).toBeGreaterThan(200)
})
