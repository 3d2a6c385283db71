/**
 * A phone whose stores are sealed: nothing is readable in what lies there, and nothing is lost on any way
 * (decisions/encryption).
 */
import { expect, test, vi, afterEach } from 'vitest'
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb'
import { PHRASES_DRAFT } from '#schemas/resources/visit-key.ts'
import { rxSchemas, durableCollections } from '#schemas/collections/collections.ts'
import { steps } from '#schemas/migrations/steps.ts'
import { draftOf, storeValues } from '#data/drafts/drafts.ts'
import { resultOf, writeDurably } from '#data/storage/idb.ts'
import { migrate, rehearse } from '#data/migration/migrate.ts'
import { createSealer, ringOf, type Sealer } from '#data/encryption/key-ring.ts'
import type { DataKey } from '#data/encryption/seal.ts'
import { sealedRows } from '#data/encryption/sealed-rows.ts'
import { isCounted } from '#data/locked/locked-rows.ts'
import { collectionStores } from '#data/database/collection-stores.ts'
import { rowStoreOf } from '../../support/row-store.ts'
import type { Row } from '#data/storage/docs-table.ts'
import { leaveUnsentOnly } from '#data/user-stores/user-stores.ts'
import { lockedOf } from '../../support/locked-data.ts'
import { beforeEachWrite } from '../../support/disk-writes.ts'
import { until } from '../../support/device.ts'
import { grownLayout } from '../../support/grown-layout.ts'
import { take } from '../../support/photos.ts'
import { enter, nth, todayScene } from '../../support/replication.ts'
import { dataKey, sealedBy } from '../../support/seal-keys.ts'
import { dumpStorage, restoreStorage } from '../../support/storage-dump.ts'
import { STORED_DATABASE } from '../../support/stored-layouts.ts'
import { storedFiles } from '../../support/stored-files.ts'

const app = todayScene()
const LIMIT_MS = 60_000
const DRAFT = 'emergencyReport/add/r-1'
const UNTIL = { drafts: 0, bytes: 0 }
const TYPED = '打ちかけの内容'
const stored = nth(storedFiles().toReversed(), 0)

const KEY = await dataKey('k-1')
const sealerOf = (...keys: DataKey[]): Sealer => createSealer(ringOf(...keys))

afterEach(() => void vi.restoreAllMocks())

const disk = () => dumpStorage(app.phone.storage.indexedDB)
const isUnreadable = async (...canaries: string[]) => {
  const text = await disk()
  expect(text.length).toBeGreaterThan(10_000)
  for (const canary of canaries) expect(text).not.toContain(canary)
}

test(
  '[SV3][SV4][EX6] what is read, saved, typed and taken is unreadable from the first byte; swept and opened again, it is sent',
  async () => {
    app.phone.storageOptions = sealedBy(sealerOf(KEY))
    app.phone.keepsAnswers = true
    const device = await app.open()
    const request = nth(await app.freeRequests(device), 0)
    const row = await device.request(request.key)
    await until(async () => (await device.db.noteLocationAreas.count().exec()) > 0, LIMIT_MS)
    device.network.next(false)
    await enter(device, request)
    await storeValues(device.db, DRAFT, { text: TYPED })
    await take(device, 'IMG_秘密.jpg', 1)
    const { name } = device.db
    await app.close(device)
    const names = [row.requestCode, row.customerName, row.locationName].filter((text) => text !== null)
    await isUnreadable(...names, TYPED, 'IMG_秘密', 'request/search')
    const { indexedDB } = app.phone.storage
    expect(await leaveUnsentOnly(indexedDB, name, UNTIL)).toBe(true)
    await isUnreadable(...names, TYPED, 'IMG_秘密')
    const again = await app.open()
    expect(await draftOf(again.db, DRAFT)).toMatchObject({ values: JSON.stringify({ text: TYPED }) })
    await app.sent(again)
    expect(await app.reports(request.id)).toHaveLength(1)
  },
  2 * LIMIT_MS,
)

/** What the fixture has in clear, as it lies under a key. */
async function sealAll(indexedDB: IDBFactory, sealer: Sealer): Promise<void> {
  for (const store of await collectionStores(indexedDB, STORED_DATABASE)) {
    const db = await resultOf(indexedDB.open(store.name))
    const rows = (await resultOf(db.transaction('docs').objectStore('docs').getAll())) as Row[]
    const sealed = await sealedRows(sealer)(rowStoreOf(STORED_DATABASE, store, db))?.encode(rows)
    await writeDurably(db, 'docs', (docs) => sealed?.forEach((row) => docs.put(row)))
    db.close()
  }
}

/** What lies there of RxDB, opened, by the end of the database's name. */
async function documentsOn(indexedDB: IDBFactory, sealer: Sealer): Promise<Record<string, Row[]>> {
  const found: Record<string, Row[]> = {}
  for (const store of await collectionStores(indexedDB, STORED_DATABASE)) {
    const { name } = store
    const db = await resultOf(indexedDB.open(name))
    const rows = (await resultOf(db.transaction('docs').objectStore('docs').getAll())) as Row[]
    const codec = sealedRows(sealer)(rowStoreOf(STORED_DATABASE, store, db))
    db.close()
    found[name.slice(name.indexOf('--'))] = (await codec?.decode(rows)) ?? []
  }
  return found
}

/** Each time at another of its first writes. @returns how often it was killed */
async function killedTwentyTimes(run: () => Promise<unknown>): Promise<number> {
  for (let kills = 0; ; kills += 1) {
    let puts = 0
    const restore = beforeEachWrite(() => {
      puts += 1
      if (puts > kills % 5 && kills < 20) throw new DOMException('killed', 'AbortError')
    })
    const isDone = await run().then(
      () => true,
      () => false,
    )
    restore()
    if (isDone) return kills
  }
}

test('[SV3] a migration opens what is sealed, killed twenty times, and leaves it sealed', async () => {
  const indexedDB = new IDBFactory()
  await restoreStorage(indexedDB, stored.text)
  const sealer = sealerOf(KEY)
  await sealAll(indexedDB, sealer)
  const grown = grownLayout(
    { schemas: rxSchemas, migrations: steps },
    (document) => {
      if ('sealed' in document) throw new Error('a step is given the stub')
      return { ...document, grown: JSON.stringify(document['fields'] ?? null) }
    },
    ['changes', 'quickReports', 'requests', 'photos', 'own', 'lookups'],
  )
  const migration = {
    indexedDB,
    ranges: IDBKeyRange,
    database: STORED_DATABASE,
    layout: grown,
    durable: durableCollections,
    codecFor: sealedRows(sealer),
  }
  expect(await rehearse(migration)).toBeGreaterThan(100)
  expect(await killedTwentyTimes(() => migrate(migration))).toBe(20)
  expect(await dumpStorage(indexedDB)).not.toContain('grown')
  const documents = await documentsOn(indexedDB, sealer)
  const changes = documents[`--${rxSchemas.changes.version + 1}--changes`] ?? []
  expect(changes.length).toBeGreaterThan(1)
  for (const row of changes) expect(row['grown']).toBe(JSON.stringify(row['fields']))
})

test(
  '[SV3] the user’s own sentences are no unsent work: under a changed password they go, and nothing is 封印中',
  async () => {
    app.phone.storageOptions = sealedBy(sealerOf(KEY))
    const device = await app.open()
    device.network.next(false)
    await storeValues(device.db, PHRASES_DRAFT, { sentences: [TYPED] })
    const { name: stores } = device.db
    await app.close(device)
    const { indexedDB } = app.phone.storage
    expect((await lockedOf(indexedDB, stores)).filter(isCounted)).toEqual([])
    expect(await leaveUnsentOnly(indexedDB, stores, UNTIL)).toBe(false)
  },
  LIMIT_MS,
)
