/** What RxDB lets fall is noticed, and read again (RULES trap 15, PL3). */
import { IDBFactory, IDBKeyRange, IDBObjectStore } from 'fake-indexeddb'
import { NEVER, Subject } from 'rxjs'
import { expect, test, vi } from 'vitest'
import { quickReport, type QuickReportRecord } from '#schemas/quick-report.ts'
import { createInFlight } from '#sync/lib/in-flight.ts'
import { createQuickReportPull } from '#sync/pull/pull-quick-reports.ts'
import { replicate } from '#sync/queue/push.ts'
import { serverFromWire } from '#sync/wire/declared.ts'
import { watchDroppedWrites } from '#sync/storage/dropped-writes.ts'
import { openDatabase } from '#data/database.ts'
import { createStorage } from '#data/storage/create-storage.ts'
import { quickReportRecord } from '../support/device-records.ts'
import { until } from '../support/device.ts'
import { alone } from '../support/pull-parts.ts'
import { IN_TIME, NOW, OUT_TIME, TODAY } from '../support/replication.ts'

const openEmpty = (name: string) =>
  openDatabase({
    name,
    storage: createStorage({ indexedDB: new IDBFactory(), IDBKeyRange }),
    multiInstance: false,
  })
const WIRE = { id: 'qr-1', requestId: 'r1', workingDate: TODAY, inTime: IN_TIME, outTime: OUT_TIME }

test('[PL3] what a report held that fell is read again, though its request says nothing new', async () => {
  const db = await openEmpty('fallen')
  const old: QuickReportRecord = {
    ...quickReportRecord('r1', []),
    serverId: 'qr-1',
    server: { ...serverFromWire(quickReport, { ...WIRE, reportContent: '前' }), stamp: `${NOW}-0000-crm` },
  }
  await db.quickReports.insert(old)
  const read = async () =>
    ({ kind: 'accepted', status: 200, body: { ...WIRE, reportContent: '他社の編集' }, total: null }) as const
  const pull = createQuickReportPull({
    db,
    ...alone(),
    api: {
      read,
      fresh: { read },
      write: () => Promise.reject(new Error('a pull writes nothing')),
      accepted: () => 0,
    },
    clock: { now: () => NOW, borneOut: () => NOW, stamp: () => `${NOW}-0001-x` },
    report: (problem) => expect.fail(problem),
  })
  expect(await pull.handler()).toEqual([])
  pull.missed(new Set([old.key]))
  expect(await pull.handler()).toMatchObject([{ server: { reportContent: '他社の編集' } }])
  expect(await pull.handler()).toEqual([])
  await db.close()
})

test('[PL3] what was read over a write that is still being pushed is read again, and then is there', async () => {
  const db = await openEmpty('dropped-writes')
  const server = {
    ...serverFromWire(quickReport, { id: 'qr-1', requestId: 'r1', workingDate: TODAY, inTime: IN_TIME }),
    stamp: '1000-0000-crm',
  }
  const old: QuickReportRecord = { ...quickReportRecord('r1', []), serverId: 'qr-1', server }
  await db.quickReports.insert(old)
  const read = { ...old, server: { ...server, stamp: `9${server.stamp.slice(1)}` }, _deleted: false }

  let pushed = () => {}
  const pushing = new Promise<void>((resolve) => (pushed = resolve))
  const toGive = [read]
  const missed: string[] = []
  const resync$ = new Subject<'RESYNC'>()
  const replication = replicate({
    collection: db.quickReports,
    identifier: 'dropped-writes',
    troubles: { of: () => ({ guard: (pull) => pull(), failed: () => undefined, wrote: () => undefined }) },
    pull: async () => toGive.splice(0),
    push: () => pushing,
    missed: (keys) => {
      missed.push(...keys)
      toGive.push(read)
      resync$.next('RESYNC')
    },
    resync$,
    inFlight: createInFlight(),
  })
  const stamp = async () => (await db.quickReports.findOne(old.key).exec(true)).server?.stamp
  await until(() => missed.length > 0)
  expect(await stamp()).toBe(server.stamp)
  pushed()
  await until(async () => (await stamp()) === read.server.stamp)
  await replication.cancel()
  await db.close()
})

test('[PL3][ST4] what fell on a full device, where even a touch finds no room, is told once there is some', async () => {
  const db = await openEmpty('fallen-on-a-full-device')
  const olds = ['r1', 'r2'].map((id): QuickReportRecord => ({
    ...quickReportRecord(id, []),
    serverId: `qr-${id}`,
    server: { ...serverFromWire(quickReport, { ...WIRE, requestId: id }), stamp: '1000-0000-crm' },
  }))
  await db.quickReports.bulkInsert(olds)
  const put = vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
    throw new DOMException('no room', 'QuotaExceededError')
  })
  const missed = new Set<string>()
  const given = watchDroppedWrites({
    collection: db.quickReports,
    missed: (keys) => keys.forEach((key) => missed.add(key)),
    stop$: NEVER,
    inFlight: createInFlight(),
  })
  const newer = ({ server, ...old }: QuickReportRecord) =>
    server ? [{ ...old, server: { ...server, stamp: '9000-0000-crm' }, _deleted: false }] : []
  given(olds.flatMap(newer))
  await until(() => put.mock.calls.length > 0)
  put.mockRestore()
  await until(() => missed.size === olds.length)
  await db.close()
})
