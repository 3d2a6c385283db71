/** A list that its requests say is empty is read without a call, and costs the device no row (RULES PL4, PL5). */
import { firstValueFrom } from 'rxjs'
import { expect, test } from 'vitest'
import { visitList$ } from '#data/visits/visits.ts'
import type { CustomerLocationRecord } from '#schemas/resources/customer-location-change-request.ts'
import {
  prefetchKey,
  listOwners,
  namesNone,
  type PrefetchedCollection,
} from '#schemas/collections/prefetch.ts'
import type { RequestRecord } from '#schemas/resources/request.ts'
import { dueLists } from '#sync/pull/records/record-lists.ts'
import { ListMarks, type RecordPullParts } from '#sync/pull/records/local-records.ts'
import { customerLocationPull } from '#sync/resources/own-rules.ts'
import { requestRecord } from '../../support/device-records.ts'
import { until, type Device } from '../../support/device.ts'
import { TODAY, replicationScene } from '../../support/replication.ts'

const app = replicationScene()

const NAMED: PrefetchedCollection[] = [
  'safetyMeasures',
  'customerLocationChangeRequests',
  'locationContactChangeRequests',
]

const requestsOf = async (device: Device) =>
  (await device.db.requests.find().exec()).map((doc) => doc.toMutableJSON() as RequestRecord)
const marksOf = async ({ db }: Device) =>
  new Set((await db.interests.find({ selector: { kind: 'prefetch' } }).exec()).map(({ key }) => key))

test('[PL4] what a request names is marked once it is there; what it says is empty has no mark, and none is waited for', async () => {
  const device = await app.open()
  await until(async () => {
    const { rows, isUsable } = await firstValueFrom(visitList$(device.db))
    return rows.some(({ workingDate }) => workingDate === TODAY) && rows.every((row) => isUsable(row))
  }, 60_000)
  const marks = await marksOf(device)
  const found = { named: 0, empty: 0 }
  for (const request of await requestsOf(device))
    for (const name of NAMED)
      for (const owner of listOwners[name](request)) {
        const isNamed = !namesNone(name, request)
        found[isNamed ? 'named' : 'empty'] += 1
        expect(marks.has(prefetchKey(name, owner)), `${name} ${owner}`).toBe(isNamed)
      }
  expect(found.named).toBeGreaterThan(0)
  expect(found.empty).toBeGreaterThan(0)
})

/** Whether the change requests of a request are marked that has these days on the device. */
async function isMarkedWith(days: Partial<RequestRecord>[]) {
  const device = await app.open({ online: false })
  const { db } = device
  const requests = days.map((over) => requestRecord('many-days', { workingDate: TODAY, ...over }))
  await db.requests.bulkInsert(requests)
  const clock = { now: () => app.phone.now, expiryNow: () => app.phone.now, stamp: () => '3' }
  const name = 'customerLocationChangeRequests'
  const collection = db[name]
  const marks = new ListMarks<CustomerLocationRecord>({
    ...{ db, name, clock, isPersistent: true },
    collection: collection as never,
  })
  const parts = {
    db,
    name,
    clock,
    resource: customerLocationPull,
    collection,
    pacer: { pauseStartedAt: () => '' },
    isUrgentOnly: () => false,
    supplierId: 'x',
  }
  const engine = { mayStart: () => true, triesOf: () => 0, isStillTried: () => false, isBusy: () => false }
  const due = await dueLists(parts as unknown as RecordPullParts<CustomerLocationRecord>, engine, marks, '')
  expect(due.map(({ owner }) => owner)).not.toContain('many-days')
  expect(marks.get('many-days')).toBeDefined()
  return (await marksOf(device)).has(prefetchKey(name, 'many-days'))
}

test.for([
  { older: 'c1', isMarked: true },
  { older: null, isMarked: false },
])(
  '[PL4] the newest day of a request names none: where an older one names $older, that one’s mark is there: $isMarked',
  async ({ older, isMarked }) => {
    const days = [
      { key: 'a', readStamp: '1', customerLocationChangeRequestId: older },
      { key: 'b', readStamp: '2' },
    ]
    expect(await isMarkedWith(days)).toBe(isMarked)
  },
)
