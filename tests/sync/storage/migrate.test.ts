/**
 * A migration is killed, fails, or finds no room at each of its writes: what was stored opens as before, or as after, and
 * the next try ends as if nothing had happened (SV3, decisions/updates).
 */
import { afterEach, describe, expect, test, vi } from 'vitest'
import { IDBFactory } from 'fake-indexeddb'
import { rxSchemas, type CollectionName } from '#schemas/collections/collections.ts'
import type { Step } from '#schemas/migrations/step.ts'
import { rehearse } from '#data/migration/migrate.ts'
import { storeName } from '#data/database/collection-stores.ts'
import { layoutAge, storedLayout } from '#data/migration/stored-layout.ts'
import { MigrationFailed, NewerStores } from '#data/user-stores/open-stores.ts'
import { leaveUnsentOnly } from '#data/user-stores/user-stores.ts'
import { grownLayout } from '../../support/grown-layout.ts'
import { failFrom, on, open, phoneOf, run, TODAY } from '../../support/migrating.ts'
import { storedFiles } from '../../support/stored-files.ts'
import { nth } from '../../support/replication.ts'
import { dumpStorage, rowsIn, type StorageDump } from '../../support/storage-dump.ts'
import { STORED_DATABASE } from '../../support/stored-layouts.ts'
import { viewsIn } from '../../support/stored-views.ts'

const MOVED = ['changes', 'emergencyReports', 'own', 'lookups'] as const
const grow: Step = (document) => ({ ...document, grown: 'yes' })
const GROWN = grownLayout(TODAY, grow, [...MOVED])
const stored = nth(storedFiles().toReversed(), 0)

afterEach(() => vi.restoreAllMocks())

const phone = () => phoneOf(stored)

const versionOf = async (indexedDB: IDBFactory, collection: CollectionName) =>
  (await storedLayout(indexedDB, STORED_DATABASE)).versions.get(collection)

const KILLED = grownLayout(TODAY, grow, ['changes', 'own'])

test('[SV3] killed at each of its writes: as before or as after, and the next try ends the same', async () => {
  const whole = await phone()
  const before = await on(whole)
  const counted = failFrom(Infinity, 'AbortError')
  await run(whole, KILLED)
  vi.restoreAllMocks()
  const after = await on(whole)
  // the row that says what is valid is new
  expect(after.size).toBe(before.size + 1)
  expect(counted.writes()).toBeGreaterThan(20)
  let switched = 0
  for (let n = 1; n <= counted.writes(); n += 1) {
    const killed = await phone()
    failFrom(n, 'AbortError')
    await expect(run(killed, KILLED)).rejects.toThrow(/as the test wants it|aborted/)
    vi.restoreAllMocks()
    const left = await on(killed)
    const isSwitched = (await versionOf(killed, 'changes')) === rxSchemas.changes.version + 1
    if (isSwitched) switched += 1
    else for (const [name, content] of before) expect([n, name, left.get(name)]).toEqual([n, name, content])
    for (const name of ['changes', 'own'] as const)
      expect(await versionOf(killed, name)).toBe(rxSchemas[name].version + (isSwitched ? 1 : 0))
    await run(killed, KILLED)
    expect(await on(killed)).toEqual(after)
  }
  expect(switched).toBeGreaterThan(2)
  expect(switched).toBeLessThan(counted.writes() / 2)
}, 60_000)

describe('[SV3c] where it fails, the version before opens what it stored', () => {
  const refusing: Record<string, Step> = {
    'a step throws': () => {
      throw new Error('no')
    },
    'a step drops a change': () => null,
    'a step ends a change': (document) => ({ ...document, state: 'accepted' }),
    'a step gives it to another record': (document) => ({ ...document, recordKey: 'other' }),
    'a step changes a key': (document) => ({ ...document, id: 'other' }),
    'a step leaves an index without its field': (document) => ({ ...document, state: undefined }),
  }
  test.each(Object.entries(refusing))('%s', async (_, step) => {
    const indexedDB = await phone()
    const before = await on(indexedDB)
    const layout = {
      ...GROWN,
      migrations: grownLayout(
        TODAY,
        (document) => ('recordKey' in document && 'fields' in document ? step(document) : grow(document)),
        [...MOVED],
      ).migrations,
    }
    await expect(run(indexedDB, layout, rehearse)).rejects.toThrow(/^no$|^migration of \w+ from version/)
    expect(await on(indexedDB)).toEqual(before)
    await expect(open(indexedDB, layout)).rejects.toThrow(MigrationFailed)
    const { db } = await open(indexedDB, TODAY)
    expect(await db.changes.count().exec()).toBe(rowsIn(stored.text, STORED_DATABASE)('changes').length)
    await db.close()
  })

  test('there is no step to a version', async () => {
    const indexedDB = await phone()
    await expect(open(indexedDB, { ...GROWN, migrations: {} })).rejects.toThrow('has no step to version')
    expect(await versionOf(indexedDB, 'changes')).toBe(0)
  })

  test('there is no room: what answers take goes first; without any, all is as it was, and with room it opens', async () => {
    const indexedDB = await phone()
    const before = await on(indexedDB)
    const told: string[] = []
    failFrom(12, 'QuotaExceededError')
    await expect(open(indexedDB, GROWN, { report: (problem) => told.push(problem) })).rejects.toThrow(
      MigrationFailed,
    )
    vi.restoreAllMocks()
    expect(told).toEqual([expect.stringContaining('no room')])
    const left = await on(indexedDB)
    for (const [name, content] of before) expect([name, left.get(name)]).toEqual([name, content])

    failFrom(12, 'QuotaExceededError', false)
    const { db } = await open(indexedDB, GROWN)
    const grown = (await db.changes.find().exec()).map((doc) => doc.get('grown') as unknown)
    expect(new Set(grown)).toEqual(new Set(['yes']))
    expect((await indexedDB.databases()).map(({ name }) => name)).not.toContain(
      `genba-answers-${STORED_DATABASE}`,
    )
    await db.close()
  })
})

test('[SV3] an app older than what is stored says so, and touches nothing', async () => {
  const indexedDB = await phone()
  const { db } = await open(indexedDB, GROWN)
  await db.close()
  const before = await on(indexedDB)
  await expect(open(indexedDB, TODAY)).rejects.toThrow(NewerStores)
  expect(await on(indexedDB)).toEqual(before)
  expect(layoutAge(await storedLayout(indexedDB, STORED_DATABASE), GROWN.schemas)).toBe('same')
})

test('[EX6][SV3] of a user who was not back since, what is unsent and the drafts stay, and are moved at the next login', async () => {
  const indexedDB = await phone()
  const drafts = rowsIn(stored.text, STORED_DATABASE)('drafts').map((row) => (row as { key: string }).key)
  expect(drafts.length).toBeGreaterThan(1)
  await leaveUnsentOnly(indexedDB, STORED_DATABASE, { drafts: 0, bytes: 0 })
  expect((await indexedDB.databases()).filter(({ name }) => /lookups|requests$/.test(name ?? ''))).toEqual([])
  const { db } = await open(indexedDB, GROWN)
  expect((await db.drafts.find().exec()).map(({ key }) => key)).toEqual(drafts)
  expect(await viewsIn(db, 'emergencyReports', { unsent: 'yes' })).toHaveLength(2)
  await db.close()
})

test('[SV3] a second migration follows the first, also where the sync never ran between them', async () => {
  const indexedDB = await phone()
  await run(indexedDB, GROWN)
  const twice = grownLayout(GROWN, (document) => ({ ...document, again: 'yes' }), [...MOVED])
  await run(indexedDB, twice)
  const rows = rowsIn(await dumpStorage(indexedDB), STORED_DATABASE)
  expect(rows('changes').length).toBeGreaterThan(0)
  for (const row of rows('changes')) expect(row).toMatchObject({ grown: 'yes', again: 'yes' })
})

test('[decisions/updates] the copies are made as RxDB makes its stores', async () => {
  const [made, moved] = [new IDBFactory(), await phone()]
  const layout = grownLayout(TODAY)
  const fresh = await open(made, layout)
  // a store is made when it is first read
  for (const collection of Object.values(fresh.db.collections)) await collection.count().exec()
  await fresh.db.close()
  await run(moved, layout)
  expect([...(await on(moved)).keys()].filter((name) => name.includes('rx-replication'))).toEqual([])
  const tables = (content: string | undefined) => {
    const { version, stores } = JSON.parse(content ?? '{}') as StorageDump[number]
    const shape = stores.map(({ indexes, name, keyPath, autoIncrement }) => ({
      name,
      keyPath,
      autoIncrement,
      indexes: indexes.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    }))
    return { version, shape }
  }
  const [asRxdb, asMoved] = [await on(made), await on(moved)]
  for (const name of Object.keys(rxSchemas) as CollectionName[]) {
    const store = storeName(STORED_DATABASE, layout.schemas[name].version, name)
    expect([name, tables(asMoved.get(store))]).toEqual([name, tables(asRxdb.get(store))])
  }
})
