/**
 * Two versions of the app on one device: tabs of the version before, the worker of the next one, and the one that comes
 * back (SV3, decisions/updates).
 */
import { afterEach, describe, expect, test, vi } from 'vitest'
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb'
import { durableCollections, rxSchemas } from '#schemas/collections/collections.ts'
import type { Step } from '#schemas/migrations/step.ts'
import { steps } from '#schemas/migrations/steps.ts'
import { migrateAll, rehearseAll, layoutOfAll, type StoredData } from '#app/updates/worker/stored-data.ts'
import { readyToTakeOver } from '#app/updates/watch-versions.ts'
import { MIGRATE, CHECK_LAYOUT } from '#app/updates/worker/messages.ts'
import type { DataLocks } from '#data/database/data-lock.ts'
import { openStores, type Layout } from '#data/user-stores/open-stores.ts'
import { createStorage } from '#data/storage/create-storage.ts'
import { grownLayout } from '../../support/grown-layout.ts'
import { sharedLocks } from '../../support/shared-locks.ts'
import { dumpStorage, restoreStorage, rowsIn } from '../../support/storage-dump.ts'
import { storedFiles } from '../../support/stored-files.ts'
import { STORED_DATABASE } from '../../support/stored-layouts.ts'
import { nth } from '../../support/replication.ts'

const TODAY: Layout = { schemas: rxSchemas, migrations: steps }
const GROWN = grownLayout(TODAY)
const USER = 'genba-00112233445566aa-0123456789ab'
const stored = nth(storedFiles().toReversed(), 0)

afterEach(() => vi.useRealTimers())

async function phone(): Promise<IDBFactory> {
  const indexedDB = new IDBFactory()
  await restoreStorage(indexedDB, stored.text.replaceAll(STORED_DATABASE, USER))
  return indexedDB
}

const tab = (indexedDB: IDBFactory, locks: DataLocks, layout: Layout, waits = () => undefined as void) =>
  openStores({
    name: USER,
    storage: createStorage({ indexedDB, IDBKeyRange }),
    multiInstance: false,
    indexedDB,
    ranges: IDBKeyRange,
    locks,
    room: undefined,
    waits,
    report: () => undefined,
    layout,
  })

const worker = (
  indexedDB: IDBFactory,
  layout: Layout,
  over: { locks?: DataLocks; quota?: number; codecFor?: StoredData['codecFor'] } = {},
) => ({
  indexedDB,
  ranges: IDBKeyRange,
  locks: over.locks,
  room: { estimate: async () => ({ quota: over.quota ?? Infinity, usage: 0 }) },
  layout,
  durable: durableCollections,
  codecFor: over.codecFor ?? (async () => () => null),
})

describe('[SV3] two tabs', () => {
  test('of two versions: the new one says that it waits, and opens once the old one is closed, with what it saved last', async () => {
    const [indexedDB, locks] = [await phone(), sharedLocks()]
    const old = await tab(indexedDB, locks, TODAY)
    let waits = () => undefined as void
    const told = new Promise<void>((resolve) => (waits = resolve))
    let isOpen = false
    const opening = tab(indexedDB, locks, GROWN, () => waits()).then((opened) => {
      isOpen = true
      return opened
    })
    await told
    expect(isOpen).toBe(false)
    const [draft] = await old.db.drafts.find().exec()
    await draft?.incrementalPatch({ values: '{"note":"最後に"}' })
    await old.db.close()
    old.release()
    const { db, release } = await opening
    expect((await db.drafts.findOne(draft?.key ?? '').exec(true)).values).toBe('{"note":"最後に"}')
    expect((await db.drafts.find().exec()).map((doc) => doc.get('grown') as unknown)).toEqual(['yes', 'yes'])
    await db.close()
    release()
  })

  test('of the new version at once: one migrates, the other finds it done', async () => {
    const [indexedDB, locks] = [await phone(), sharedLocks()]
    let stepped = 0
    const counting: Step = (document) => {
      stepped += 1
      return document
    }
    const layout = grownLayout(TODAY, counting, ['own'])
    const both = worker(indexedDB, layout, { locks })
    await Promise.all([migrateAll(both, 5_000), migrateAll(both, 5_000)])
    const rows = rowsIn(stored.text, STORED_DATABASE)
    expect(stepped).toBe(rows('ledger').length + rows('drafts').length)
    expect(stepped).toBeGreaterThan(1)
  })
})

describe('[SV3] the worker of a new version', () => {
  test('that can move what is stored is installed, and has written nothing', async () => {
    const indexedDB = await phone()
    const before = await dumpStorage(indexedDB)
    expect(await layoutOfAll(worker(indexedDB, GROWN))).toBe('older')
    await rehearseAll(worker(indexedDB, GROWN))
    expect(await dumpStorage(indexedDB)).toBe(before)
  })

  test.each([
    ['whose step fails on a document', grownLayout(TODAY, () => null), Infinity, 'drops a document'],
    ['without a step', { ...GROWN, migrations: {} }, Infinity, 'has no step'],
    ['without room', GROWN, 1_000_000, 'no room'],
  ])('%s is not installed', async (_, layout, quota, why) => {
    const indexedDB = await phone()
    const before = await dumpStorage(indexedDB)
    await expect(rehearseAll(worker(indexedDB, layout, { quota }))).rejects.toThrow(why)
    expect(await dumpStorage(indexedDB)).toBe(before)
  })

  test('that is older than what is stored is not installed', async () => {
    const indexedDB = await phone()
    await migrateAll(worker(indexedDB, GROWN), 1_000)
    await expect(rehearseAll(worker(indexedDB, TODAY))).rejects.toThrow('later version')
    expect(await layoutOfAll(worker(indexedDB, TODAY))).toBe('newer')
    expect(await layoutOfAll(worker(indexedDB, GROWN))).toBe('same')
  })

  test('does not wait for ever for another tab', async () => {
    const [indexedDB, locks] = [await phone(), sharedLocks()]
    const old = await tab(indexedDB, locks, TODAY)
    await expect(migrateAll(worker(indexedDB, GROWN, { locks }), 50)).rejects.toMatchObject({
      name: 'TimeoutError',
    })
    expect(await layoutOfAll(worker(indexedDB, GROWN))).toBe('older')
    await old.db.close()
  })
})

describe('[SV3] 「更新する」', () => {
  const answering = (answers: Record<string, unknown>) => {
    const asked: string[] = []
    const postMessage = ({ type }: { type: string }, [port]: MessagePort[]) => {
      asked.push(type)
      if (type in answers) port?.postMessage(answers[type])
    }
    return { asked, worker: { postMessage } as unknown as ServiceWorker }
  }
  const page = () => {
    const did: string[] = []
    return {
      did,
      parts: {
        suspend: async () => {
          did.push('let go')
          return () => void did.push('open again')
        },
        report: (problem: unknown) => void did.push(`report: ${String(problem)}`),
        notify: (what: string) => void did.push(`tell: ${what}`),
      },
    }
  }

  test('stores as before: it takes over, and nothing was closed', async () => {
    const [{ asked, worker: waiting }, { did, parts }] = [answering({ [CHECK_LAYOUT]: 'same' }), page()]
    expect(await readyToTakeOver(waiting, parts)).toBe(true)
    expect([asked, did]).toEqual([[CHECK_LAYOUT], []])
  })

  test('stores otherwise: the data is closed, moved, and it takes over', async () => {
    const answers = { [CHECK_LAYOUT]: 'older', [MIGRATE]: { ok: true } }
    const [{ asked, worker: waiting }, { did, parts }] = [answering(answers), page()]
    expect(await readyToTakeOver(waiting, parts)).toBe(true)
    expect([asked, did]).toEqual([[CHECK_LAYOUT, MIGRATE], ['let go']])
  })

  test.each([
    ['QuotaExceededError', 'not-updated'],
    ['TimeoutError', 'close-other-tabs'],
  ])('cannot move them (%s): this version goes on, says so, and the error log has it', async (why, told) => {
    const answers = { [CHECK_LAYOUT]: 'older', [MIGRATE]: { ok: false, why } }
    const [{ worker: waiting }, { did, parts }] = [answering(answers), page()]
    expect(await readyToTakeOver(waiting, parts)).toBe(false)
    expect(did).toEqual(['let go', expect.stringContaining(why), 'open again', `tell: ${told}`])
  })

  test('a worker that knows no question takes over as before', async () => {
    vi.useFakeTimers()
    const [{ worker: waiting }, { did, parts }] = [answering({}), page()]
    const ready = readyToTakeOver(waiting, parts)
    await vi.advanceTimersByTimeAsync(31_000)
    expect(await ready).toBe(true)
    expect(did).toEqual([])
  })
})
