/** Number of reads and writes of the store from a save until its acceptance, counted on the simulation's model. */
import { expect, test } from 'vitest'
import { emptyContent } from '#schemas/declare/form-values.ts'
import { quickReport, type QuickReportRecord } from '#schemas/resources/quick-report.ts'
import { pageLocks } from '../../support/page-locks.ts'
import { rxQueueStore } from '#sync/changes/change-store.ts'
import type { Api, Reader } from '#sync/scheduler/api.ts'
import type { Outcome } from '#sync/transport/outcome.ts'
import { saveReport } from '#features/quick-report/commands.ts'
import { createClock } from '#lib/time/stamp.ts'
import { Disk } from '../../simulate/disk.ts'
import { modelDb } from '../../simulate/model-db.ts'
import { oneRun } from '../../support/one-run.ts'

const KEY = 'r1_2026-11-20'
const NOW = Date.parse('2026-11-20T11:00:00+09:00')
const IN_TIME = '2026-11-20T10:10:00+09:00'

test('an exit report: one write to save it, one before its call, one after it', async () => {
  const disk = new Disk('phone', 'u1')
  const server = {
    ...emptyContent(quickReport),
    id: 'q1',
    editStatus: 'OK',
    detailed: true,
    inTime: IN_TIME,
    stamp: '0',
  }
  const place = { key: KEY, requestId: 'r1', workingDate: '2026-11-20', workingDateType: '1' }
  const record: QuickReportRecord = { ...place, serverId: 'q1', server, changes: [], unsent: 'no' }
  const { changes: _, unsent: __, ...document } = record
  disk.write('quickReports', KEY, document)
  const steps = { read: 0, write: 0 }
  const db = modelDb(disk, async (kind, effect) => {
    steps[kind] += 1
    return effect()
  })
  const clock = createClock({
    now: () => NOW,
    device: 'phone',
    memory: { get: () => null, set: () => undefined },
  })
  const saver = { db, clock, newId: () => 'c1', userId: 'u1', offline: false }
  await saveReport(saver, [record], 'exit', {
    outTime: '2026-11-20T10:40:00+09:00',
    type: '1',
    reason1: null,
    reason2: null,
    reportContent: '完了',
  })
  expect(steps).toEqual({ read: 2, write: 1 })
  const accepted = (body: unknown): Outcome => ({ kind: 'accepted', status: 200, body, total: null })
  const row = { id: 'q1', requestId: 'r1', workingDate: '2026-11-20', editStatus: 'OK', inTime: IN_TIME }
  const reader: Reader = { read: async () => accepted(row) }
  const api: Api = { ...reader, fresh: reader, write: async () => accepted(null) }
  const sender = oneRun({
    store: rxQueueStore(db),
    api,
    locks: pageLocks(),
    clock,
    elapsed: () => NOW,
    limitMs: 20_000,
    userId: 'u1',
    loginUserId: 's1',
  })
  await sender.drain()
  expect(disk.changes.get('c1')).toMatchObject({ state: 'accepted', result: { reportContent: '完了' } })
  expect(steps).toEqual({ read: 14, write: 3 })
})
