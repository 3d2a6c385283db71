/**
 * Five collections became kinds of two (decisions/storage): a phone that has them is moved whole, wherever the move is
 * cut short, and a version from before says that it is the older one (SV3).
 */
import { afterEach, describe, expect, test, vi } from 'vitest'
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb'
import { createRxDatabase } from 'rxdb/plugins/core'
import { kindNames, ROW_KEY_MAX } from '#schemas/shared.ts'
import { movedRow, underKind, type Way } from '#data/layout/moved-document.ts'
import { rehearse } from '#data/layout/migrate.ts'
import { standingOf, storedLayout } from '#data/layout/stored-layout.ts'
import { leaveUnsentOnly } from '#data/user-stores.ts'
import { createStorage } from '#data/storage/create-storage.ts'
import { failFrom, on, open, phoneOf, run, TODAY } from '../support/migrating.ts'
import { nth } from '../support/replication.ts'
import { schemasIn, storedFiles } from '../support/stored-files.ts'
import { dumpStorage, rowsIn } from '../support/storage-dump.ts'
import { STORED_DATABASE } from '../support/stored-layouts.ts'
import { viewsIn } from '../support/stored-views.ts'

/** As the version before stored it: each kind in a collection of its own. */
const before = nth(storedFiles(), 0)
const phone = () => phoneOf(before)
/** The version before, as far as it asks what is stored. */
const OLDER = Object.fromEntries(schemasIn(before))
const recordsOn = async (indexedDB: IDBFactory) => {
  const rows = rowsIn(await dumpStorage(indexedDB), STORED_DATABASE)
  return Object.fromEntries(kindNames.map((kind) => [kind, rows(kind)]))
}
const standing = async (indexedDB: IDBFactory) =>
  standingOf(await storedLayout(indexedDB, STORED_DATABASE), OLDER)

afterEach(() => vi.restoreAllMocks())

test('[SV3] killed at each of its writes: as before or as after, and the next try ends the same', async () => {
  const whole = await phone()
  const [stored, records] = [await on(whole), await recordsOn(whole)]
  for (const kind of ['ledger', 'drafts', 'interests', 'pastReports'] as const)
    expect(records[kind]?.length).toBeGreaterThan(0)
  const counted = failFrom(Infinity, 'AbortError')
  await run(whole, TODAY)
  vi.restoreAllMocks()
  expect(await recordsOn(whole)).toEqual(records)
  const after = await on(whole)
  let switched = 0
  for (let n = 1; n <= counted.writes(); n += 1) {
    const killed = await phone()
    failFrom(n, 'AbortError')
    await expect(run(killed, TODAY)).rejects.toThrow(/as the test wants it|aborted/)
    vi.restoreAllMocks()
    const isSwitched = (await standing(killed)) === 'newer'
    if (isSwitched) switched += 1
    else {
      const left = await on(killed)
      for (const [name, content] of stored) expect([n, name, left.get(name)]).toEqual([n, name, content])
    }
    await run(killed, TODAY)
    expect(await on(killed)).toEqual(after)
  }
  expect(switched).toBeGreaterThan(2)
  expect(switched).toBeLessThan(counted.writes() / 2)
}, 60_000)

describe('[SV3] a version from before', () => {
  test('says that it is the older one, of a phone that was moved and of a new one', async () => {
    const moved = await phone()
    expect(await standing(moved)).toBe('same')
    const fresh = new IDBFactory()
    for (const indexedDB of [moved, fresh]) {
      const { db } = await open(indexedDB, TODAY)
      expect(await standing(indexedDB)).toBe('newer')
      await db.close()
    }
  })

  test('that knew of none of this and saved a draft all the same: it is taken over, once', async () => {
    const indexedDB = await phone()
    await (await open(indexedDB, TODAY)).db.close()
    const old = await createRxDatabase({
      name: STORED_DATABASE,
      storage: createStorage({ indexedDB, IDBKeyRange }),
      multiInstance: false,
    })
    await old.addCollections({
      drafts: { schema: OLDER['drafts']?.schema as never },
      interests: { schema: OLDER['interests']?.schema as never },
    })
    const draft = nth(rowsIn(before.text, STORED_DATABASE)('drafts'), 0)
    await old.collections['drafts']?.bulkInsert([draft, { ...draft, key: 'only/there' }])
    await old.collections['interests']?.insert({
      ...nth(rowsIn(before.text, STORED_DATABASE)('interests'), 0),
      key: 'comes_again',
    })
    await old.close()
    for (const _ of [1, 2]) {
      const { db } = await open(indexedDB, TODAY)
      const keys = (await db.drafts.find().exec()).map(({ key }) => key)
      expect(keys).toHaveLength(3)
      expect(keys).toContain('only/there')
      expect(await db.interests.findOne('comes_again').exec()).toBeNull()
      await db.close()
    }
    expect((await storedLayout(indexedDB, STORED_DATABASE)).strays).toEqual([])
  })
})

test('[SV3] a collection that became a kind is moved together with those that changed since', async () => {
  const indexedDB = await phone()
  const { own } = TODAY.schemas
  const later = {
    ...TODAY,
    schemas: { ...TODAY.schemas, own: { ...own, version: own.version + 1 } },
    migrations: {
      ...TODAY.migrations,
      own: { [own.version + 1]: (document: object) => ({ ...document, wish: 'none' }) },
    },
  }
  const records = await recordsOn(indexedDB)
  await run(indexedDB, later)
  const now = await recordsOn(indexedDB)
  expect(now['drafts']).toEqual(records['drafts']?.map((row) => ({ ...row, wish: 'none' })))
  expect(now['ledger']).toHaveLength(records['ledger']?.length ?? -1)
})

test('[SV3] a move that no index could hold is refused before anything is written', async () => {
  const indexedDB = await phone()
  const { own } = TODAY.schemas
  const layout = {
    ...TODAY,
    schemas: {
      ...TODAY.schemas,
      own: { ...own, properties: { ...own.properties, rowKey: { type: 'string', maxLength: 9 } } },
    },
  }
  const stored = await on(indexedDB)
  await expect(run(indexedDB, layout, rehearse)).rejects.toThrow(/leaves rowKey unfit/)
  expect(await on(indexedDB)).toEqual(stored)
})

test('[SV3] what was unsent, its order and its key are held to in a move as in a step', () => {
  const way: Way = {
    collection: 'drafts',
    from: 0,
    to: 1,
    primaryKey: 'key',
    into: { collection: 'own', version: 0 },
    schema: {
      primaryKey: 'rowKey',
      properties: { rowKey: { maxLength: ROW_KEY_MAX } },
      indexes: [],
    },
    steps: [{ version: '1', step: underKind('drafts', 'key') }],
    isDurable: true,
  }
  const row = { key: 'a', values: '{"note":"書きかけ"}', changes: [{ id: 'c' }], _rev: '1-x' }
  expect(movedRow(row, way)).toEqual({ ...row, rowKey: 'drafts/a' })
  const stepped = (step: (document: Record<string, unknown>) => Record<string, unknown> | null) => () =>
    movedRow(row, { ...way, steps: [{ version: '1', step }] })
  expect(stepped(() => null)).toThrow('drops a document')
  expect(stepped((document) => ({ ...document, rowKey: 'drafts/b' }))).toThrow('changes a key')
  expect(stepped((document) => document)).toThrow('changes a key')
  expect(stepped((document) => ({ ...document, changes: [], rowKey: 'drafts/a' }))).toThrow(
    'changes the queue',
  )
})

test('[EX6][SV3] of a user who was not back since, what is unsent and the drafts stay, and are moved at the next login', async () => {
  for (const isMoved of [false, true]) {
    const indexedDB = await phone()
    if (isMoved) await run(indexedDB, TODAY)
    const records = await recordsOn(indexedDB)
    await leaveUnsentOnly(indexedDB, STORED_DATABASE, { drafts: 0, bytes: 0 })
    const names = (await indexedDB.databases()).map(({ name }) => name ?? '')
    expect(names.filter((name) => /lookups|interests|pastReports|supplierStaff/.test(name))).toEqual([])
    const { db } = await open(indexedDB, TODAY)
    expect((await db.drafts.find().exec()).map(({ key }) => key)).toEqual(
      records['drafts']?.map(({ key }) => key),
    )
    const unsent = await viewsIn(db, 'emergencyReports', { unsent: 'yes' })
    const ids = unsent.flatMap(({ changes }) => changes.map(({ id }) => id))
    expect((await db.ledger.findByIds(ids).exec()).size).toBeGreaterThan(0)
    await db.close()
  }
})
