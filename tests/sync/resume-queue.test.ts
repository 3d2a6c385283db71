/** What a start makes of calls that a crash cut short (RULES OC3). */
import { expect, test } from 'vitest'
import { blankLedgerEntry } from '#schemas/change-queue.ts'
import type { LedgerState } from '#schemas/ledger-entry.ts'
import { rxQueueStore } from '#sync/queue/queue-store.ts'
import { resumeQueue } from '#sync/queue/resume-queue.ts'
import { createLocks } from '#sync/leadership/locks.ts'
import { Disk, modelDb } from '../simulate/model-db.ts'
import { quickReportChange, quickReportRecord } from '../support/device-records.ts'

/** Another tab writes these states of one change, one a second; this one starts when it has heard of the first. */
async function resumedAfter(...states: LedgerState[]) {
  const disk = new Disk('phone', 'u1')
  const change = quickReportChange('entry', '08:56')
  const record = quickReportRecord('r1', [change])
  const blank = blankLedgerEntry({ record: { resource: 'quickReports', ...record }, change })
  disk.write('quickReports', record.key, record)
  for (const [second, state] of states.entries())
    disk.write('ledger', change.id, { ...blank, state }, { now: () => second, knowsUntil: () => second })
  const db = modelDb(disk, async (_, effect) => effect(), { now: () => states.length, knowsUntil: () => 0 })
  await resumeQueue(rxQueueStore(db), createLocks(undefined), () => 0)
  return disk.ledger.get(change.id)?.state
}

test('[OC3] a call that nobody has ended is in doubt', async () => {
  expect(await resumedAfter('sending')).toBe('unknown')
})

test.each<LedgerState>(['accepted', 'refused', 'waiting'])(
  '[OC1] what another tab has ended stays %s, though this one has not heard of it yet',
  async (state) => expect(await resumedAfter('sending', state)).toBe(state),
)

test('[trap 3] however much is unsent, one record of each collection is written anew', async () => {
  const disk = new Disk('phone', 'u1')
  for (const id of ['r1', 'r2', 'r3'])
    disk.write('quickReports', id, {
      ...quickReportRecord(id, [quickReportChange('entry', '08:56')]),
      key: id,
    })
  const note = { key: 'n1', unsent: 'yes', changes: [quickReportChange('entry', '08:57')] }
  disk.write('noteLocationAreas', 'n1', note as never)
  const written: string[] = []
  const db = modelDb(disk, async (_, effect) => effect(), { now: () => 1, knowsUntil: () => 1 })
  const store = rxQueueStore(db)
  const told = {
    ...store,
    modify: (...[resource, key, change]: Parameters<typeof store.modify>) => {
      written.push(resource)
      return store.modify(resource, key, change)
    },
  }
  await resumeQueue(told, createLocks(undefined), () => 0)
  expect(written.toSorted()).toEqual(['noteLocationAreas', 'quickReports'])
})
