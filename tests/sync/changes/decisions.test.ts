/** 再送 and 破棄 of a change, on the simulation's model of the database. Some cases were found by the simulation. */
import { describe, expect, test, vi } from 'vitest'
import { blankFacts, entriesOf, queueOf } from '#schemas/changes/change-queue.ts'
import type { Change } from '#schemas/change.ts'
import type { QuickReportChange, QuickReportRecord } from '#schemas/resources/quick-report.ts'
import { pageLocks } from '../../support/page-locks.ts'
import { applyUserRequests } from '#sync/changes/sender.ts'
import { rxQueueStore, type QueueStore } from '#sync/changes/change-store.ts'
import { addChange } from '#data/changes/changes.ts'
import { discardUnsent } from '#data/fetch-requests/wishes.ts'
import { Disk } from '../../simulate/disk.ts'
import { modelDb } from '../../simulate/model-db.ts'

const KEY = 'r1_2026-11-20'
const DISCARDED_AT = Date.parse('2026-11-20T02:00:00Z')
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

const BLANK: QuickReportRecord = {
  key: KEY,
  requestId: 'r1',
  workingDate: '2026-11-20',
  workingDateType: '1',
  serverId: '',
  changes: [],
  unsent: 'no',
}

/** A device with changes in this state. `before` is called before each storage step. */
function scene(state: Change['state'], ...changes: QuickReportChange[]) {
  const disk = new Disk('phone', 'u1')
  const hooks = { before: (_kind: 'read' | 'write') => {} }
  const db = modelDb(disk, async (kind, effect) => {
    hooks.before(kind)
    return effect()
  })
  const own = { workingDateType: '1' }
  for (const change of changes)
    disk.write('changes', change.id, {
      ...change,
      ...blankFacts({ record: { resource: 'quickReports', ...BLANK }, change }),
      own,
      state,
    })
  const rowOf = (id: string): Change => {
    const row = disk.changes.get(id)
    if (!row) throw new Error(`no change ${id}`)
    return row
  }
  const write = (id: string, facts: Partial<Change>) => disk.write('changes', id, { ...rowOf(id), ...facts })
  /** Calls `run` at each write, until the spy is restored. */
  const onWrite = (run: () => void) => {
    hooks.before = (kind) => {
      if (kind !== 'write') return
      hooks.before = () => {}
      run()
    }
  }
  const grant = (store: QueueStore = rxQueueStore(db), now = 0) =>
    applyUserRequests({ store, locks: pageLocks(), now: () => now })([...disk.changes.keys()])
  const left = () => disk.records().flatMap((each) => each.changes.map(({ id }) => id))
  return { disk, db, onWrite, write, grant, left, rowOf, store: rxQueueStore(db) }
}
const full = () => {
  throw new Error('full')
}

describe('[SV3] 破棄', () => {
  test('takes the record away with its last change', async () => {
    const { disk, write, grant, rowOf } = scene('refused', entry('c1', '1'))
    write('c1', { wish: 'discard' })
    await grant()
    expect(disk.records()).toEqual([])
    expect(rowOf('c1')).toMatchObject({ state: 'discarded', wish: 'none' })
  })

  test('of a refused entry leaves the one that was saved instead', async () => {
    const { write, grant, left } = scene('refused', entry('c1', '1'), entry('c2', '2'))
    write('c1', { wish: 'discard' })
    await grant()
    expect(left()).toEqual(['c2'])
  })

  test('[OC1] of one leaves the earlier one that was accepted', async () => {
    const { write, grant, left, rowOf } = scene('refused', entry('c1', '1'), entry('c2', '2'))
    write('c1', { state: 'accepted' })
    write('c2', { wish: 'discard' })
    await grant()
    expect([left(), rowOf('c1').state]).toEqual([[], 'accepted'])
  })

  test.each(['discard', 'resend'] as const)(
    'is done the next time where the disk was full: %s',
    async (wish) => {
      const { onWrite, write, grant, rowOf } = scene('refused', entry('c1', '1'))
      write('c1', { wish })
      onWrite(full)
      await expect(grant()).rejects.toThrow('full')
      expect(rowOf('c1')).toMatchObject({ state: 'refused', wish })
      await grant()
      expect(rowOf('c1')).toMatchObject({ state: wish === 'discard' ? 'discarded' : 'unknown', wish: 'none' })
    },
  )
})

describe('[SV2a] 破棄 of what never left is one write', () => {
  const item = ({ disk }: ReturnType<typeof scene>) => {
    const records = disk.pushed()
    const [first] = queueOf(records, entriesOf(records))
    if (!first) throw new Error('nothing in the queue')
    return first
  }

  test.each<[string, Partial<Change>, boolean]>([
    ['it goes', {}, true],
    ['another tab was quicker', { state: 'discarded' }, true],
    ['a call of it begins at the same moment', { state: 'sending', payload: '{}' }, false],
    ['a call of it has left before', { payload: '{}' }, false],
  ])('%s', async (_, meanwhile, isGone) => {
    const device = scene('waiting', entry('c1', '1'), entry('c2', '2'))
    const shown = item(device)
    device.onWrite(() => device.write(shown.change.id, meanwhile))
    expect(await discardUnsent(device.db, shown, DISCARDED_AT)).toBe(isGone)
    expect(device.rowOf(shown.change.id).state === 'discarded').toBe(isGone)
    expect(device.left().includes(shown.change.id)).toBe(!isGone)
    const { settledAt } = device.rowOf(shown.change.id)
    expect(settledAt).toBe(isGone ? new Date(DISCARDED_AT).toISOString() : '')
  })
})

test('[SV2] 再送 gives way to a 破棄 that comes while it is carried out', async () => {
  const { onWrite, write, grant, rowOf } = scene('refused', entry('c1', '1'))
  write('c1', { wish: 'resend' })
  onWrite(() => write('c1', { wish: 'discard' }))
  await grant()
  expect(rowOf('c1').wish).toBe('discard')
})

test('[EX3b] 再送 by a clock that is behind does not make it a day old: its day begins at the save, or now', async () => {
  const { write, grant, rowOf } = scene('refused', entry('c1', '1'))
  for (const [now, wanted] of [
    ['2026-11-17T00:00:00.000Z', '2026-11-20T01:00:00Z'],
    ['2026-11-20T03:00:00.000Z', '2026-11-20T03:00:00.000Z'],
  ] as const) {
    write('c1', { wish: 'resend' })
    await grant(undefined, Date.parse(now))
    expect(rowOf('c1')).toMatchObject({ waitingSince: wanted, savedAt: '2026-11-20T01:00:00Z' })
  }
})

test('[OC1] 再送 of what another tab has discarded by then ends there: nothing is told to a settled row', async () => {
  const { db, write, grant, rowOf } = scene('discarded', entry('c1', '1'))
  const told = rowOf('c1')
  write('c1', { wish: 'resend' })
  const reported = vi.fn<(problem: string) => void>()
  await grant(rxQueueStore(db, reported))
  expect(reported).not.toHaveBeenCalled()
  expect(rowOf('c1')).toEqual({ ...told, wish: 'none' })
})

test('[SV2] what is written of a call leaves a wish that was made meanwhile', async () => {
  const { onWrite, write, rowOf, store } = scene('sending', entry('c1', '1'))
  const record = await store.record('quickReports', KEY)
  const [change] = record?.changes ?? []
  if (!record || !change) throw new Error('nothing pending')
  onWrite(() => write('c1', { wish: 'discard' }))
  const item = { record, change, state: 'waiting' as const, progress: undefined, blockedBy: undefined }
  await store.put([item], 'accepted')
  expect(rowOf('c1')).toMatchObject({ state: 'accepted', wish: 'discard' })
})

test('[SV1] a save is there though its record is taken away at the same moment', async () => {
  const { disk, db, onWrite, write, left } = scene('refused', entry('c1', '1'))
  const seen = disk.records()[0] ?? BLANK
  onWrite(() => write('c1', { state: 'discarded' }))
  await addChange(db, 'quickReports', seen, entry('c2', '2'))
  expect(left()).toEqual(['c2'])
})
