/** What RxDB lets fall is noticed, and read again (RULES trap 15, PL3). */
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb'
import { Subject } from 'rxjs'
import { expect, test } from 'vitest'
import type { QuickReportRecord } from '#schemas/quick-report.ts'
import { conflictHandlers } from '#sync/conflict.ts'
import { createInFlight } from '#sync/in-flight.ts'
import { replicate } from '#sync/push.ts'
import { serverFromWire } from '#sync/wire/quick-report.ts'
import { openDatabase } from '#data/database.ts'
import { createStorage } from '#data/storage.ts'
import { quickReportRecord } from '../support/device-records.ts'
import { until } from '../support/device.ts'
import { IN_TIME, TODAY } from '../support/replication.ts'

test('[PL3] what was read over a write that is still being pushed is read again, and then is there', async () => {
  const db = await openDatabase({
    name: 'let-fall',
    storage: createStorage({ indexedDB: new IDBFactory(), IDBKeyRange }),
    conflictHandlers: conflictHandlers(),
    multiInstance: false,
  })
  const server = serverFromWire(
    { id: 'qr-1', requestId: 'r1', workingDate: TODAY, inTime: IN_TIME },
    '1000-0000-crm',
  )
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
    identifier: 'let-fall',
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
