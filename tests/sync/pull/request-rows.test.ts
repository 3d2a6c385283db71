/** The rows in memory say the same as the documents, whatever happens to those and whatever is looked for. */
import fc from 'fast-check'
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb'
import { firstValueFrom } from 'rxjs'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { RequestFilter } from '#schemas/device/interest.ts'
import { matcherOf } from '#schemas/resources/request-search.ts'
import type { RequestRecord } from '#schemas/resources/request.ts'
import { countOf, daysOf } from '#features/request/search/days.ts'
import { openDatabase, type Database } from '#data/database/database.ts'
import { requestRows$, rowsOfDays$ } from '#data/visits/request-rows.ts'
import { createStorage } from '#data/storage/create-storage.ts'
import type { Row } from '#data/storage/docs-table.ts'
import { requestOn } from '../../support/visit-records.ts'

const DAYS = ['2026-11-19', '2026-11-20', '2026-11-21', '2026-12-01']
const TEXTS = ['', 'ABCビル', 'ＡＢＣ ﾋﾞﾙ', '東雲 1号棟', '東雲１号棟']

const oneOf = <T>(...values: T[]) => fc.constantFrom(...values)

const request = fc
  .record({
    id: fc.nat(60).map(String),
    day: oneOf(...DAYS),
    requestCode: oneOf('R26-1', 'R26-12', 'Ｒ２６－２'),
    locationName: oneOf(...TEXTS),
    customerName: oneOf(...TEXTS, null),
    orderFlag: oneOf('1', '2', null),
    emergency: fc.boolean(),
  })
  .map(({ id, day, ...over }) => requestOn(id, day, over))

const change = fc.oneof(
  { weight: 3, arbitrary: request.map((record) => ({ kind: 'put' as const, record })) },
  { weight: 1, arbitrary: request.map((record) => ({ kind: 'remove' as const, record })) },
)

const filter: fc.Arbitrary<RequestFilter> = fc.record({
  from: oneOf('', ...DAYS),
  to: oneOf('', ...DAYS),
  requestCode: oneOf('', 'r26-1', '2'),
  locationName: oneOf('', ' ', 'abc', '1号'),
  customerName: oneOf('', 'ビル', '１号'),
  orderFlags: oneOf<string[]>([], ['1'], ['1', '2']),
  emergencyOnly: fc.boolean(),
})

let db: Database
/** Days of the requests that were decrypted. */
let decrypted: unknown[] = []
const noting = {
  encode: async (rows: readonly Row[]) => [...rows],
  async decode(rows: readonly Row[]) {
    decrypted.push(...rows.map(({ workingDate }) => workingDate))
    return [...rows]
  },
}
beforeEach(async () => {
  db = await openDatabase({
    name: 'request-rows',
    storage: createStorage({
      indexedDB: new IDBFactory(),
      IDBKeyRange,
      codecFor: ({ collection }) => (collection === 'requests' ? noting : null),
    }),
    multiInstance: false,
  })
})
afterEach(async () => void (await db.close()))

const expected = (records: readonly RequestRecord[], wanted: RequestFilter) =>
  records
    .filter(matcherOf(wanted))
    .toSorted((a, b) => (a.sortKey < b.sortKey ? -1 : a.sortKey > b.sortKey ? 1 : 0))
    .map(({ sortKey, locationName }) => [sortKey, locationName])

test('[decisions/speed] rows and count of a search are those of the documents, after any changes', async () => {
  await db.requests.bulkInsert(DAYS.flatMap((day) => ['a', 'b'].map((id) => requestOn(id, day))))
  const rows$ = requestRows$(db)
  // looked at all the time, as a list does, so that the events keep it
  const looking = rows$.subscribe()
  await fc.assert(
    fc.asyncProperty(
      fc.array(change, { maxLength: 8 }),
      fc.array(filter, { minLength: 4 }),
      async (changes, filters) => {
        for (const { kind, record } of changes)
          if (kind === 'put') await db.requests.upsert(record)
          else await db.requests.findOne(record.key).remove()
        const records = (await db.requests.find().exec()).map((doc) => doc.toMutableJSON())
        const list = await firstValueFrom(rows$)
        for (const wanted of filters) {
          const days = daysOf(list, wanted)
          const found = days.flatMap(({ rows }) =>
            rows.map(({ sortKey, locationName }) => [sortKey, locationName]),
          )
          expect(found).toEqual(expected(records, wanted))
          expect(countOf(days)).toBe(found.length)
        }
      },
    ),
    { numRuns: 40 },
  )
  looking.unsubscribe()
})

test('[decisions/speed] what is written while the documents are read is not missed', async () => {
  await db.requests.bulkInsert([requestOn('1', '2026-11-20'), requestOn('2', '2026-11-20')])
  const read = firstValueFrom(requestRows$(db))
  await db.requests.insert(requestOn('3', '2026-11-20'))
  await db.requests.findOne(requestOn('1', '2026-11-20').key).remove()
  await read
  const { rows } = await firstValueFrom(requestRows$(db))
  expect(rows.map(({ id }) => id)).toEqual(['2', '3'])
})

test('[decisions/speed] the rows of some days are those of all requests on these days, and no other request is decrypted', async () => {
  await db.requests.bulkInsert(DAYS.flatMap((day) => ['a', 'b', 'c'].map((id) => requestOn(id, day))))
  for (const from of DAYS)
    for (const to of DAYS) {
      decrypted = []
      const some = await firstValueFrom(rowsOfDays$(db, { from, to }))
      expect(decrypted.filter((day) => String(day) < from || String(day) > to)).toEqual([])
      const all = await firstValueFrom(requestRows$(db))
      expect(some.isWhole).toBe(false)
      expect(some.rows).toEqual(all.rows.filter(({ workingDate: day }) => from <= day && day <= to))
    }
})

test('[decisions/speed] rows of some days follow what is written, and a row that stays the same is the same object', async () => {
  await db.requests.bulkInsert([requestOn('1', '2026-11-20'), requestOn('2', '2026-11-20')])
  const told: (readonly string[])[] = []
  const seen: (readonly object[])[] = []
  const looking = rowsOfDays$(db, { from: '2026-11-20', to: '2026-11-20' }).subscribe(({ rows }) => {
    told.push(rows.map(({ id }) => id))
    seen.push(rows)
  })
  await expect.poll(() => told.at(-1)).toEqual(['1', '2'])
  await db.requests.insert(requestOn('3', '2026-11-20'))
  await expect.poll(() => told.at(-1)).toEqual(['1', '2', '3'])
  expect(seen.at(-1)?.[0]).toBe(seen[0]?.[0])
  await db.requests.findOne(requestOn('1', '2026-11-20').key).remove()
  await expect.poll(() => told.at(-1)).toEqual(['2', '3'])
  await db.requests.insert(requestOn('4', '2026-11-21'))
  expect((await firstValueFrom(requestRows$(db))).rows[0]).toBe(seen.at(-1)?.[0])
  looking.unsubscribe()
})
