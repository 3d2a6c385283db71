/** What the simulation found in the queue's own writes, each as a test of its own: on its model of the database. */
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb'
import { describe, expect, test, vi } from 'vitest'
import { blankLedgerEntry, queueOf } from '#schemas/change-queue.ts'
import type { LedgerEntry } from '#schemas/ledger-entry.ts'
import type { QuickReportChange, QuickReportRecord } from '#schemas/quick-report.ts'
import { rxQueueStore, type QueueStore } from '#sync/queue/queue-store.ts'
import { createLocks } from '#sync/leadership/locks.ts'
import { createDecisions } from '#sync/queue/decisions.ts'
import { addChange } from '#data/changes.ts'
import { openDatabase } from '#data/database.ts'
import { discardUnsent } from '#data/wishes.ts'
import { createStorage } from '#data/storage/create-storage.ts'
import { conflictHandler } from '#sync/merge/conflict.ts'
import { Disk, modelDb } from '../simulate/model-db.ts'

const KEY = 'r1_2026-11-20'
const NO_CONTENT = { outTime: null, type: null, reason1: null, reason2: null, reportContent: null }

const entry = (id: string, stamp: string): QuickReportChange => ({
  id,
  stamp,
  savedAt: '2026-11-20T01:00:00Z',
  userId: 'u1',
  offline: false,
  kind: 'entry',
  fields: { ...NO_CONTENT, inTime: '2026-11-20T01:00:00Z' },
})

const recordOf = (...changes: QuickReportChange[]): QuickReportRecord => ({
  key: KEY,
  requestId: 'r1',
  workingDate: '2026-11-20',
  workingDateType: '1',
  serverId: '',
  changes,
  unsent: 'yes',
})

/** A device that holds refused changes; `before` is called before each of its writes. */
function scene(...changes: QuickReportChange[]) {
  const disk = new Disk('phone', 'u1')
  const hooks = { before: (_kind: 'read' | 'write') => {} }
  const db = modelDb(disk, async (kind, effect) => {
    hooks.before(kind)
    return effect()
  })
  const record = recordOf(...changes)
  if (changes.length > 0) disk.write('quickReports', KEY, record)
  const entryOf = (change: QuickReportChange): LedgerEntry => ({
    ...blankLedgerEntry({ record: { resource: 'quickReports', ...record }, change }),
    state: 'refused',
  })
  for (const change of changes) disk.write('ledger', change.id, entryOf(change))
  const ask = (id: string, wish: LedgerEntry['wish']) => {
    const row = disk.ledger.get(id)
    if (row) disk.write('ledger', id, { ...row, wish })
  }
  const grant = (given: QueueStore = rxQueueStore(db), now = 0) => {
    const store: QueueStore = { ...given, within: () => store }
    const wishes = createDecisions({ store, locks: createLocks(undefined), now: () => now })
    return wishes.grant([...disk.entries().values()])
  }
  const left = () => disk.records().flatMap((each) => each.changes.map(({ id }) => id))
  return { disk, db, hooks, ask, grant, left, store: rxQueueStore(db) }
}

describe('[SV3] 破棄', () => {
  test('takes the record away with its last change', async () => {
    const { disk, ask, grant } = scene(entry('c1', '1'))
    ask('c1', 'discard')
    await grant()
    expect(disk.records()).toEqual([])
    expect(disk.ledger.get('c1')).toMatchObject({ state: 'discarded', wish: 'none' })
  })

  test('leaves what is saved at the same moment', async () => {
    const { disk, ask, grant, left, store } = scene(entry('c1', '1'))
    ask('c1', 'discard')
    const modify: QueueStore['modify'] = (...args) => {
      disk.write('quickReports', KEY, recordOf(entry('c1', '1'), entry('c2', '2')))
      return store.modify(...args)
    }
    await grant({ ...store, modify })
    expect(left()).toEqual(['c2'])
  })

  test('of a refused entry leaves the one that was saved instead', async () => {
    const { ask, grant, left } = scene(entry('c1', '1'), entry('c2', '2'))
    ask('c1', 'discard')
    await grant()
    expect(left()).toEqual(['c2'])
  })

  test('[OC1] of an edit leaves the earlier one that was accepted, and is not in the record yet', async () => {
    const { disk, ask, grant, left } = scene(entry('c1', '1'), entry('c2', '2'))
    const row = disk.ledger.get('c1')
    if (row) disk.write('ledger', 'c1', { ...row, state: 'accepted' })
    ask('c2', 'discard')
    await grant()
    expect([left(), disk.ledger.get('c1')?.state]).toEqual([['c1'], 'accepted'])
  })

  test('is finished the next time where the disk was full', async () => {
    const { disk, ask, grant, left, store } = scene(entry('c1', '1'))
    ask('c1', 'discard')
    const modify = () => Promise.reject(new Error('full'))
    await expect(grant({ ...store, modify })).rejects.toThrow('full')
    expect([left(), disk.ledger.get('c1')?.wish]).toEqual([['c1'], 'discard'])
    await grant()
    expect(left()).toEqual([])
  })
})

test('[SV2] 破棄 of what never left is done, also where it is carried out before the screen has looked again', async () => {
  const { disk, db, hooks, grant } = scene(entry('c1', '1'))
  disk.ledger.delete('c1')
  const [record] = disk.pushed()
  const [item] = queueOf(record ? [record] : [], new Map())
  if (!item) throw new Error('nothing in the queue')
  let writes = 0
  hooks.before = (kind) => {
    // the row is there with its wish, and the tab that leads has heard of it
    if (kind === 'write' && (writes += 1) === 2) {
      const row = disk.ledger.get('c1')
      if (row) disk.write('ledger', 'c1', { ...row, state: 'discarded', wish: 'none' })
    }
  }
  expect(await discardUnsent(db, item)).toBe(true)
  await grant()
  expect(disk.ledger.get('c1')).toMatchObject({ state: 'discarded', wish: 'none' })
})

describe('[SV2] 再送', () => {
  test('is asked for still where the record could not be touched', async () => {
    const { disk, ask, grant, store } = scene(entry('c1', '1'))
    ask('c1', 'resend')
    const modify = () => Promise.reject(new Error('full'))
    await expect(grant({ ...store, modify })).rejects.toThrow('full')
    expect(disk.ledger.get('c1')?.wish).toBe('resend')
    await grant()
    expect(disk.ledger.get('c1')).toMatchObject({ state: 'unknown', wish: 'none' })
  })

  test('gives way to a 破棄 that comes while it is carried out', async () => {
    const { disk, ask, grant, store } = scene(entry('c1', '1'))
    ask('c1', 'resend')
    const modify: QueueStore['modify'] = (...args) => {
      ask('c1', 'discard')
      return store.modify(...args)
    }
    await grant({ ...store, modify })
    expect(disk.ledger.get('c1')?.wish).toBe('discard')
  })
})

test('[EX3] 再送 by a clock that is behind does not make it a day old: its day begins at the save, or now', async () => {
  const { disk, ask, grant } = scene(entry('c1', '1'))
  const savedAt = () => disk.ledger.get('c1')?.savedAt
  for (const [now, wanted] of [
    ['2026-11-17T00:00:00.000Z', '2026-11-20T01:00:00Z'],
    ['2026-11-20T03:00:00.000Z', '2026-11-20T03:00:00.000Z'],
  ] as const) {
    ask('c1', 'resend')
    await grant(undefined, Date.parse(now))
    expect(savedAt()).toBe(wanted)
  }
})

test('[OC1] 再送 of what another tab has discarded by then ends there: nothing is told to a settled row', async () => {
  const { disk, db, ask, grant } = scene(entry('c1', '1'))
  ask('c1', 'discard')
  await grant()
  ask('c1', 'resend')
  const told = disk.ledger.get('c1')
  const reported = vi.fn<(problem: string) => void>()
  await grant(rxQueueStore(db, reported))
  expect(reported).not.toHaveBeenCalled()
  expect(disk.ledger.get('c1')).toEqual({ ...told, wish: 'none' })
})

test('[SV2] a write of the ledger leaves a wish that was made meanwhile', async () => {
  const { disk, hooks, ask, store } = scene(entry('c1', '1'))
  const [record] = await store.pending()
  const [change] = record?.changes ?? []
  if (!record || !change) throw new Error('nothing pending')
  hooks.before = (kind) => {
    if (kind === 'write') ask('c1', 'discard')
  }
  const item = { record, change, state: 'waiting' as const, ledger: undefined, heldBy: undefined }
  await store.ledger.put([item], 'accepted')
  expect(disk.ledger.get('c1')).toMatchObject({ state: 'accepted', wish: 'discard' })
})

test('[SV1] a save finds its record taken away between looking it up and writing: it is made anew', async () => {
  const { disk, db, hooks, left } = scene(entry('c1', '1'))
  let writes = 0
  hooks.before = (kind) => {
    if (kind === 'write' && (writes += 1) === 1)
      disk.write('quickReports', KEY, { ...recordOf(entry('c1', '1')), _deleted: true })
  }
  await addChange(db, db.quickReports, recordOf(), entry('c2', '2'))
  expect(left()).toEqual(['c2'])
})

test('[SV1] so it is in RxDB itself', async () => {
  const db = await openDatabase({
    name: 'taken-away',
    storage: createStorage({ indexedDB: new IDBFactory(), IDBKeyRange }),
    conflictHandlers: { quickReports: conflictHandler() },
    multiInstance: false,
  })
  const { quickReports } = db
  await addChange(db, db.quickReports, recordOf(), entry('c1', '1'))
  const findOne = quickReports.findOne.bind(quickReports)
  let isFirst = true
  const lookUp = async () => {
    const found = await findOne(KEY).exec(true)
    if (isFirst) await found.incrementalModify((record) => ({ ...record, _deleted: true }))
    isFirst = false
    return found
  }
  quickReports.findOne = (() => (isFirst ? { exec: lookUp } : findOne(KEY))) as never
  await addChange(db, db.quickReports, recordOf(), entry('c2', '2'))
  const doc = await quickReports.findOne(KEY).exec(true)
  expect(doc.changes.map(({ id }) => id)).toEqual(['c2'])
  await db.close()
})
