/**
 * The device's own storage (src/data/storage) against RxDB's Dexie storage as it is: the same random steps, the same answers,
 * errors, events, checkpoints and counts. `SLOW=1` takes 10,000 steps with each seed.
 */
import { IDBDatabase, IDBFactory, IDBKeyRange } from 'fake-indexeddb'
import { getChangedDocumentsSince, type RxStorage } from 'rxdb/plugins/core'
import { getRxStorageDexie } from 'rxdb/plugins/storage-dexie'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { sealedRows } from '#data/encryption/sealed-rows.ts'
import { createStorage } from '#data/storage/create-storage.ts'
import type { CodecFor } from '#data/storage/docs-table.ts'
import { int, randomOf, type Random } from '../../simulate/random.ts'
import { scrambled } from '../../support/scrambled-rows.ts'
import { dataKey, sealerOf } from '../../support/seal-keys.ts'
import { storagePair, type StoragePair } from '../../support/storage-pair.ts'
import {
  EVERY_KEY,
  anyKey,
  anyQuery,
  anyVisit,
  anyWrites,
  visitSchema,
  type StoredVisit,
} from '../../support/storage-steps.ts'

const SLOW = Boolean(process.env['SLOW'])
const STEPS = SLOW ? 10_000 : 200
const SEEDS = [1, 2, 3, 4]
const LIMIT_MS = SLOW ? 30 * 60_000 : 60_000

/** After the time at which RxDB was loaded: its own clock never goes back. */
const NOW = Date.UTC(2040, 0, 1)
/** Writes are whole seconds apart, and what is cleaned up ends between two: RxDB's clock is some milliseconds ahead. */
const SECOND = 1_000
const LONGEST = STEPS * 10 * SECOND

const plain = () =>
  getRxStorageDexie({ indexedDB: new IDBFactory(), IDBKeyRange }) as RxStorage<unknown, unknown>
const own = () => createStorage({ indexedDB: new IDBFactory(), IDBKeyRange })
const coded = (codecFor: CodecFor) => createStorage({ indexedDB: new IDBFactory(), IDBKeyRange, codecFor })

afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

/** The browser has closed the connection: the next transaction is refused. */
const loseConnection = () =>
  vi.spyOn(IDBDatabase.prototype, 'transaction').mockImplementationOnce(() => {
    throw new DOMException('The database connection is closing.', 'InvalidStateError')
  })

/** A day of a store: random steps, each compared. @returns the indexes that were asked */
async function walk(
  pair: StoragePair,
  random: Random,
  schema: typeof visitSchema,
  steps = STEPS,
  mayRemove = true,
): Promise<Set<string>> {
  const indexes = new Set<string>()
  let lwt = NOW - LONGEST
  let checkpoint: unknown
  const asked = () => {
    const query = anyQuery(random, schema)
    indexes.add(query.queryPlan.index.join('+'))
    return query
  }
  /** What is there, by RxDB's own storage. */
  let there = new Map<string, StoredVisit>()
  const look = async () => {
    const [, second] = await pair.stores()
    const docs = await second.findDocumentsById(EVERY_KEY, true)
    there = new Map(docs.map((doc) => [doc.key, doc]))
  }
  const write = async () => {
    lwt += int(random, 0, 20) * SECOND
    const rows = anyWrites(random, there, lwt)
    const written = await pair.both('write', (store) => store.bulkWrite(structuredClone(rows), `at ${lwt}`))
    const refused = written?.error.map(({ writeRow }) => writeRow.document._rev)
    for (const { document } of rows)
      if (!refused?.includes(document._rev)) there.set(document.key, document as StoredVisit)
  }
  const changes = async () => {
    const limit = int(random, 1, 90)
    const since = random() < 0.2 ? undefined : checkpoint
    const found = await pair.both('changes', (store) => getChangedDocumentsSince(store, limit, since))
    checkpoint = found?.checkpoint
  }
  const query = async () => {
    const prepared = asked()
    await pair.both(`query ${JSON.stringify(prepared)}`, (store) => store.query(prepared))
  }
  const count = async () => {
    const prepared = asked()
    await pair.both(`count ${JSON.stringify(prepared)}`, (store) => store.count(prepared))
  }
  const find = async () => {
    const keys = Array.from({ length: int(random, 0, 20) }, () => anyKey(random))
    const withDeleted = random() < 0.5
    await pair.both('find', (store) => store.findDocumentsById(keys, withDeleted))
  }
  const clean = async () => {
    const deletedForMs = int(random, 0, LONGEST / SECOND) * SECOND + SECOND / 2
    await pair.both('cleanup', (store) => store.cleanup(deletedForMs))
    await pair.both('left', (store) => store.findDocumentsById(EVERY_KEY, true))
    await look()
  }
  const close = async () => {
    const isRemoved = random() < 0.1 && mayRemove
    const row = { document: anyVisit(randomOf(1), 'k1', lwt, 1) }
    if (isRemoved) await pair.both('remove', (store) => store.remove())
    await pair.both('write while it closes', async (store) => {
      const closing = store.close()
      const written = await store.bulkWrite([row], '').then(
        () => true,
        () => false,
      )
      await closing
      return written
    })
    await pair.both('listen, closed', (store) => typeof store.changeStream())
    await pair.both('closed twice', (store) => store.close())
    await pair.both('find, closed', (store) => store.findDocumentsById(['k1'], true))
    await pair.both('write, closed', (store) => store.bulkWrite([row], ''))
    await pair.reopen()
    await look()
  }
  for (let step = 0; step < steps; step++) {
    const chance = random()
    if (chance < 0.4) await write()
    else if (chance < 0.7) await query()
    else if (chance < 0.78) await count()
    else if (chance < 0.86) await find()
    else if (chance < 0.96) await changes()
    else if (chance < 0.985) await clean()
    else await close()
  }
  return indexes
}

const everyIndex = (schema: typeof visitSchema) =>
  (schema.indexes ?? []).map((index) => [index].flat().join('+'))

describe.each(SEEDS)('seed %i', (seed) => {
  test(
    'random steps end as on RxDB’s own storage, with every index, and with connections that are lost',
    async () => {
      vi.useFakeTimers({ toFake: ['Date'], now: NOW })
      // every other seed: the others show the steps by themselves
      const loses = seed % 2 === 0
      const chances = randomOf(seed + 1_000)
      const before = () => {
        if (chances() < 0.03) loseConnection()
        return () => void vi.restoreAllMocks()
      }
      const pair = await storagePair({
        storages: [own(), plain()],
        name: `d${seed}`,
        schema: visitSchema,
        before,
      })
      const indexes = await walk(pair, randomOf(seed), visitSchema, STEPS, !loses)
      for (const index of everyIndex(visitSchema)) expect(indexes).toContain(index)
    },
    LIMIT_MS,
  )
})

test.each([
  ['a codec writes otherwise, in its own time,', 7, scrambled],
  ['are sealed', 9, sealedRows(sealerOf(await dataKey('k-1')))],
])(
  'rows that %s are the same documents to all',
  async (_, seed, codecFor) => {
    vi.useFakeTimers({ toFake: ['Date'], now: NOW })
    const pair = await storagePair({
      storages: [coded(codecFor), plain()],
      name: `codec${seed}`,
      schema: visitSchema,
    })
    const indexes = await walk(pair, randomOf(seed), visitSchema, STEPS / 2)
    expect(indexes.size).toBeGreaterThan(3)
  },
  LIMIT_MS,
)
