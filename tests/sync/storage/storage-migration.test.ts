/** A change of a schema ends on the device's own storage as on RxDB's: the same documents, in each collection that changed. */
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb'
import { addRxPlugin, createRxDatabase, type RxCollection, type RxStorage } from 'rxdb/plugins/core'
import { RxDBMigrationSchemaPlugin } from 'rxdb/plugins/migration-schema'
import { getRxStorageDexie } from 'rxdb/plugins/storage-dexie'
import { expect, test } from 'vitest'
import '#data/database/database.ts'
import { createStorage } from '#data/storage/create-storage.ts'
import { int, randomOf } from '../../simulate/random.ts'
import { anyVisit, EVERY_KEY, VISIT, type Visit } from '../../support/storage-steps.ts'

// the app migrates by itself (decisions/updates); RxDB's own asks the most of a storage
addRxPlugin(RxDBMigrationSchemaPlugin)

/** Another index, a field more; every tenth document goes. */
const GROWN = {
  ...VISIT,
  version: 1,
  properties: { ...VISIT.properties, grown: { type: 'string', maxLength: 20 } },
  required: [...(VISIT.required ?? []), 'grown'],
  indexes: ['day', ['code', 'grown']],
}
const grow = (visit: Visit) => (visit.code % 10 === 7 ? null : { ...visit, grown: `${visit.day} 1` })

async function withVisits<T>(
  name: string,
  storage: RxStorage<unknown, unknown>,
  grown: boolean,
  use: (visits: RxCollection<Visit>) => Promise<T>,
): Promise<T> {
  const db = await createRxDatabase({ name, storage, multiInstance: false })
  const definition = grown ? { schema: GROWN, migrationStrategies: { 1: grow } } : { schema: VISIT }
  const { visits } = await db.addCollections({ visits: definition as never })
  try {
    return await use(visits as unknown as RxCollection<Visit>)
  } finally {
    await db.close()
  }
}

async function migrated(name: string, storage: RxStorage<unknown, unknown>, seed: number) {
  await withVisits(name, storage, false, async (visits) => {
    const random = randomOf(seed)
    const dataOf = (key: string) => {
      const { _deleted, _attachments, _rev, _meta, ...data } = anyVisit(random, key, 1, 1)
      return data
    }
    await visits.bulkInsert(EVERY_KEY.map(dataOf))
    await visits.bulkUpsert(EVERY_KEY.filter(() => random() < 0.4).map(dataOf))
    await visits.bulkRemove(EVERY_KEY.filter(() => int(random, 0, 4) === 0))
  })
  return withVisits(name, storage, true, async (visits) => {
    const all = await visits.find({ selector: {}, sort: [{ key: 'asc' }] }).exec()
    const some = await visits.find({ selector: { code: { $gt: 3 } }, index: ['code', 'grown'] }).exec()
    return { all: all.map((doc) => doc.toJSON()), some: some.map((doc) => doc.toJSON()) }
  })
}

test.each([1, 2, 3])('a migration, seed %i', async (seed) => {
  const settings = () => ({ indexedDB: new IDBFactory(), IDBKeyRange })
  const own = await migrated(`own-${seed}`, createStorage(settings()), seed)
  const plain = getRxStorageDexie(settings()) as unknown as RxStorage<unknown, unknown>
  expect(own).toStrictEqual(await migrated(`plain-${seed}`, plain, seed))
  expect(own.all.length).toBeGreaterThan(60)
  expect(own.all[0]).toHaveProperty('grown')
  expect(own.some.length).toBeGreaterThan(20)
})
