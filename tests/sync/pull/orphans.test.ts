/** Records whose request has left the device stay for their own day (EX1). */
import { expect, test } from 'vitest'
import { quickReportChange } from '../../support/device-records.ts'
import { NOTHING_SENT } from '#data/changes/changes.ts'
import { isExpiredRecord } from '#sync/retention/expiry.ts'
import { pastReportKey } from '#schemas/resources/visit-key.ts'
import { receiptRow } from '#sync/storage/database.ts'
import { requestsByDay } from '#sync/pull/requests/requests-for.ts'
import { orphansIn } from '#sync/pull/records/pull-records.ts'
import { pullResources } from '#sync/resources/resource-table.ts'
import type { RecordPullParts } from '#sync/pull/records/local-records.ts'
import type { LocalRecord } from '#sync/merge/merge-rows.ts'
import { replicationScene } from '../../support/replication.ts'
import { storeViews } from '../../support/stored-views.ts'
import { requestOn } from '../../support/visit-records.ts'

const HOUR = 3_600_000
const app = replicationScene()

test('[EX1a] what belongs to a request that went goes a day after it was read itself, and not with it', async () => {
  const device = await app.open({ online: false })
  const now = app.phone.now
  const readAt = (key: string, hoursAgo: number) => ({
    key,
    requestId: 'went',
    workingDate: '',
    locationAreaId: 'a1',
    noteType: '1' as const,
    ...NOTHING_SENT,
    serverId: key,
    server: { id: key, note: key, detailed: true, stamp: `${now - hoursAgo * HOUR}-0000-phone` },
  })
  await storeViews(device.db, 'noteLocationAreas', [readAt('fresh', 1), readAt('over', 25)] as never[])
  const orphans = await orphansIn({
    db: device.db,
    name: 'noteLocationAreas',
    collection: device.db.noteLocationAreas as unknown as RecordPullParts<LocalRecord>['collection'],
    resource: pullResources.noteLocationAreas,
    clock: { now: () => now, expiryNow: () => now, stamp: () => '' },
  })
  expect(orphans.map(({ key }) => key)).toEqual(['over'])
})

test('[EX1][PL4] a day that one read of the requests cuts in two is read whole: no record of it is without its request', async () => {
  const { db } = await app.open({ online: false })
  const { now } = app.phone
  const of = (day: string, count: number) =>
    Array.from({ length: count }, (_, n) => requestOn(`${day}-${n}`, day, { locationAreaId: `${day}-${n}` }))
  // a read takes 240: the second day goes beyond the first read, and the third fills more than one
  const requests = [of('2026-11-20', 200), of('2026-11-21', 100), of('2026-11-22', 250), of('2026-11-23', 5)]
  await db.requests.bulkInsert(requests.flat())
  const read: string[] = []
  for await (const ofDay of requestsByDay(db)) read.push(...ofDay.map(({ key }) => key))
  expect(read.toSorted()).toEqual(requests.flatMap((ofDay) => ofDay.map(({ key }) => key)).toSorted())
  const areas = ['2026-11-20-0', '2026-11-21-99', '2026-11-22-249', '2026-11-23-4', 'none']
  const notes = areas.map((locationAreaId) => ({
    ...{ key: locationAreaId, requestId: 'went', workingDate: '', locationAreaId, noteType: '1' as const },
    ...NOTHING_SENT,
    serverId: locationAreaId,
    server: { id: locationAreaId, note: '', detailed: true, stamp: `${now - 25 * HOUR}-0000-phone` },
  }))
  await storeViews(db, 'noteLocationAreas', notes as never[])
  const orphans = await orphansIn({
    db,
    name: 'noteLocationAreas',
    collection: db.noteLocationAreas as unknown as RecordPullParts<LocalRecord>['collection'],
    resource: pullResources.noteLocationAreas,
    clock: { now: () => now, expiryNow: () => now, stamp: () => '' },
  })
  expect(orphans.map(({ key }) => key)).toEqual(['none'])
})

test('[EX1] past reports, which carry no stamp, of a request that went stay for the day of their list', async () => {
  const { db } = await app.open({ online: false })
  const now = app.phone.now
  const readAt = async (deviceId: string, hoursAgo: number) => {
    const key = pastReportKey(deviceId, 'p1')
    const texts = {
      ...{ workingStartTime: null, workingEndTime: null, reportCatName: null, supplierName: null },
      ...{ supplierStaffName: null, requestDetail: null, specialComment: null, emergencyReports: [] },
    }
    await db.pastReports.insert({ key, deviceId, id: 'p1', workingDate: '2026-11-01', ...texts })
    const at = new Date(now - hoursAgo * HOUR).toISOString()
    const stamp = `${now - hoursAgo * HOUR}-0000-phone`
    await db.interests.insert(receiptRow('pastReports', { owner: deviceId, basis: '', at, stamp }))
  }
  await readAt('read', 1)
  await readAt('over', 25)
  const orphans = await orphansIn({
    db,
    name: 'pastReports',
    collection: db.pastReports as unknown as RecordPullParts<LocalRecord>['collection'],
    resource: pullResources.pastReports,
    clock: { now: () => now, expiryNow: () => now, stamp: () => '' },
  })
  expect(orphans.map(({ key }) => key)).toEqual([pastReportKey('over', 'p1')])
})

const DAY = 24 * HOUR
/** When it was confirmed, what the clock that people set says, and what is borne out, from one moment; in hours. */
test.each([
  { confirmed: 0, wall: 25, borne: 25, isOver: true },
  { confirmed: 0, wall: 23, borne: 23, isOver: false },
  // the clock alone deletes nothing, neither set ahead nor back
  { confirmed: 0, wall: 25, borne: 1, isOver: false },
  { confirmed: 0, wall: 1, borne: 25, isOver: true },
  // stamped by a clock that was days ahead
  { confirmed: 80, wall: 1, borne: 1, isOver: true },
  { confirmed: 20, wall: 1, borne: 1, isOver: false },
])(
  '[EX1][EX3][SV3] confirmed at $confirmed h, it is $wall h, $borne h are borne out: over $isOver; never with something unsent',
  ({ confirmed, wall, borne, isOver }) => {
    const start = 100 * DAY
    const at = (hours: number) => () => start + hours * HOUR
    const server = { stamp: `${start + confirmed * HOUR}-0000-phone`, detailed: true }
    const clock = { now: at(wall), expiryNow: at(borne) }
    const record = { key: 'r', server, changes: [] }
    expect(isExpiredRecord(record as never, clock)).toBe(isOver)
    const unsent = { ...record, changes: [quickReportChange('entry', '08:56')] }
    expect(isExpiredRecord(unsent as never, clock)).toBe(false)
  },
)
