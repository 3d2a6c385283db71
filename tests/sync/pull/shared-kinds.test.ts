/**
 * The kinds of a shared collection (decisions/storage): each is as if it had one to itself, whatever the keys of the
 * others are. Random days of two kinds on real RxDB, beside two maps.
 */
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb'
import type { Interest } from '#schemas/device/interest.ts'
import type { SupplierStaffRecord } from '#schemas/resources/supplier-staff.ts'
import { openDatabase, type Database } from '#data/database/database.ts'
import { createStorage } from '#data/storage/create-storage.ts'
import { scanDocs } from '#data/storage/projection.ts'
import { keyRange } from '#schemas/collections/shared.ts'
import { readOnce } from '#sync/storage/database.ts'

let db: Database
beforeEach(async () => {
  const storage = createStorage({ indexedDB: new IDBFactory(), IDBKeyRange })
  db = await openDatabase({ name: 'kinds', storage, multiInstance: false })
})
afterEach(() => db.close())

const interest = (key: string, total: number): Interest => ({
  ...{ key, total, kind: 'list', askedAt: '', state: 'asked', answeredAt: '' },
})
const member = (key: string, total: number): SupplierStaffRecord => ({
  ...{ key, name: String(total), supplierId: 's', userFlag: null },
})

/** Keys that begin like those of the other kind, or sort beside them. */
const key = fc.constantFrom('a', 'b', 'a/b', 'supplierStaff/a', 'interests/', '0', '~', 'prefetch_a', '中')
const act = fc.oneof(
  fc.record({ what: fc.constant('put' as const), of: fc.boolean(), key, total: fc.nat(9) }),
  fc.record({ what: fc.constant('remove' as const), of: fc.boolean(), key }),
)

test('[trap 10] what is asked and written of a kind is that of its own rows', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(act, { maxLength: 12 }), key, key, async (acts, low, high) => {
      await db.lookups.find().remove()
      const [asked, staff] = [new Map<string, number>(), new Map<string, number>()]
      const heard: string[] = []
      const listening = db.interests.$.subscribe(({ documentData }) => heard.push(documentData.key))
      for (const each of acts) {
        const [known, view] = each.of ? [asked, db.interests] : [staff, db.supplierStaff]
        if (each.what === 'put') {
          known.set(each.key, each.total)
          if (each.of) await db.interests.upsert(interest(each.key, each.total))
          else await db.supplierStaff.bulkUpsert([member(each.key, each.total)])
        } else {
          known.delete(each.key)
          await view.bulkRemove([each.key])
        }
      }
      listening.unsubscribe()
      const touched = acts.filter(({ of, what }) => of && what === 'put').map((each) => each.key)
      expect(new Set(heard)).toEqual(new Set(touched))
      const keysIn = async (found: Promise<{ key: string }[]>) =>
        (await found).map((doc) => doc.key).toSorted()
      const all = [...asked.keys()].toSorted()
      expect(await keysIn(db.interests.find().exec())).toEqual(all)
      expect(await db.interests.count().exec()).toBe(asked.size)
      expect(await keysIn(db.supplierStaff.find().exec())).toEqual([...staff.keys()].toSorted())
      expect(await keysIn(readOnce(db.interests, {}))).toEqual(all)
      const between = (each: string) => each >= low && each < high
      const range = { selector: { key: { $gte: low, $lt: high } } }
      expect(await keysIn(db.interests.find(range).exec())).toEqual(all.filter(between))
      expect(await keysIn(db.interests.find({ selector: { key: { $in: [low, high] } } }).exec())).toEqual(
        all.filter((each) => each === low || each === high),
      )
      expect((await db.interests.findOne(low).exec())?.total ?? null).toBe(asked.get(low) ?? null)
      expect([...(await db.supplierStaff.findByIds([low, high]).exec()).keys()].toSorted()).toEqual(
        [...new Set([low, high])].filter((each) => staff.has(each)).toSorted(),
      )
      for (const onlyKeys of [false, true]) {
        const scanned: string[] = []
        for await (const docs of scanDocs(db.lookups, { keys: keyRange('supplierStaff'), onlyKeys }))
          scanned.push(...docs.map(([, { rowKey }]) => rowKey))
        expect(scanned.toSorted()).toEqual(
          [...staff.keys()].map((each) => `supplierStaff/${each}`).toSorted(),
        )
      }
    }),
    { numRuns: 40 },
  )
}, 60_000)

test('[trap 24] who is asked for twice by id is gone when it is removed', async () => {
  await db.supplierStaff.bulkInsert([member('a', 1)])
  const asked = async () => [...(await db.supplierStaff.findByIds(['a', 'a']).exec()).keys()]
  expect(await asked()).toEqual(['a'])
  await db.supplierStaff.bulkRemove(['a'])
  expect(await asked()).toEqual([])
})

test('two kinds have rows of the same key side by side', async () => {
  await db.interests.insert(interest('x', 1))
  await db.supplierStaff.bulkInsert([member('x', 2)])
  expect((await db.lookups.find().exec()).map(({ rowKey }) => rowKey)).toEqual([
    'interests/x',
    'supplierStaff/x',
  ])
})
