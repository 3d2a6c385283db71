/** A device that is nearly full: small writes go through, large ones do not (RULES ST4). On real RxDB. */
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb'
import { Subject } from 'rxjs'
import { afterEach, expect, test, vi } from 'vitest'
import { storedOf } from '#schemas/changes/record-view.ts'
import { openDatabase } from '#data/database/database.ts'
import { pulledCollection } from '#data/changes/record-views.ts'
import { createStorage } from '#data/storage/create-storage.ts'
import { replicatePull, createInFlight } from '#sync/changes/replications.ts'
import { createStorageTrouble } from '#sync/storage/storage-trouble.ts'
import { beforeEachWrite } from '../../support/disk-writes.ts'
import { quickReportRecord, requestRecord } from '../../support/device-records.ts'
import { until } from '../../support/device.ts'

const LARGE = { ...requestRecord('large'), _deleted: false }

afterEach(() => void vi.restoreAllMocks())

test('[ST4] what is small and goes through does not end the trouble of what does not', async () => {
  const db = await openDatabase({
    name: 'nearly-full',
    storage: createStorage({ indexedDB: new IDBFactory(), IDBKeyRange }),
    multiInstance: false,
  })
  let full = true
  beforeEachWrite((row) => {
    if (full && JSON.stringify(row).includes('large')) throw new DOMException('no', 'QuotaExceededError')
  })
  const told: boolean[] = []
  let toGive = [LARGE]
  const stop$ = new Subject<void>()
  const resync$ = { large: new Subject<'RESYNC'>(), small: new Subject<'RESYNC'>() }
  const troubles = createStorageTrouble({
    stop$,
    report: () => undefined,
    full: (isFull) => told.push(isFull),
    tryRoom: async () => undefined,
    again() {
      toGive = [LARGE]
      resync$.large.next('RESYNC')
    },
  })
  const common = { inFlight: createInFlight(), troubles }
  // the small one is written in the time that the large one takes to be read again
  let smallIsThere: () => void = () => undefined
  const large = replicatePull({
    ...common,
    collection: db.requests,
    identifier: 'large',
    resync$: resync$.large,
    pull: pullOf(async () => {
      const docs = toGive.splice(0)
      if (docs.length > 0 && told.length > 0) await new Promise<void>((resolve) => (smallIsThere = resolve))
      return docs
    }),
  })
  await until(() => told.length > 0)
  let given = 0
  const small = replicatePull({
    ...common,
    collection: pulledCollection(db, 'quickReports'),
    identifier: 'small',
    resync$: resync$.small,
    pull: pullOf(async () =>
      given++ === 0 ? [{ ...storedOf(quickReportRecord('r1', [])), _deleted: false }] : [],
    ),
  })
  await until(async () => (await db.quickReports.find().exec()).length > 0)
  expect(told).toEqual([true])
  full = false
  await until(() => {
    smallIsThere()
    return told.length > 1
  })
  expect(told).toEqual([true, false])
  stop$.next()
  smallIsThere()
  await Promise.all([large.cancel(), small.cancel()])
  await db.close()
})

const pullOf = <D>(handler: () => Promise<D[]>) => ({ handler, recheck: () => undefined })
