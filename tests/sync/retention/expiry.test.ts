/** CRM data leaves the device after a day, unless unsent work depends on it (EX1, SV3). */
import { describe, expect, test } from 'vitest'
import type { Change } from '#schemas/change.ts'
import { mergeRows } from '#sync/merge/merge-rows.ts'
import { rxQueueStore } from '#sync/changes/change-store.ts'
import { dependentsOf, purge, withoutNeeded } from '#sync/retention/expiry.ts'
import { storeValues } from '#data/drafts/drafts.ts'
import { deletePhoto } from '#data/photos/photos.ts'
import { saveNote } from '#features/note-location-area/commands.ts'
import { until, type Device } from '../../support/device.ts'
import { quickReportChange } from '../../support/device-records.ts'
import { fakeParents, photoOf, photosSent, take } from '../../support/photos.ts'
import { isOpen, recordCases } from '../../support/record-saves.ts'
import { enter, nth, todayScene, statesOf } from '../../support/replication.ts'
import { storeView, viewsIn } from '../../support/stored-views.ts'
import { reportOn, requestOn } from '../../support/visit-records.ts'

const app = todayScene()
const HOUR = 3_600_000
const DAY = '2026-11-20'

const keysIn = async (
  { db }: Device,
  name: 'requests' | 'quickReports' | 'emergencyReports' | 'pastReports',
) => {
  const docs: { key: string }[] =
    name === 'requests' || name === 'pastReports' ? await db[name].find().exec() : await viewsIn(db, name)
  return docs.map(({ key }) => key)
}

/** A phone a day after it read all of today's data and sent a report and a record. One entry still waits. */
async function aDayLater() {
  const device = await app.open()
  const free = (await app.freeRequests(device)).filter(isOpen)
  const [waiting, sent, drafted] = [nth(free, 0), nth(free, 1), nth(free, 2)]
  await enter(device, sent)
  await nth(recordCases, 0).save(device, sent)
  await app.sent(device)
  await until(async () => (await keysIn(device, 'pastReports')).length > 0)
  device.network.next(false)
  await enter(device, waiting)
  await storeValues(device.db, `emergencyReport/add/${drafted.key}`, { text: '書きかけ' })
  const before = { requests: await keysIn(device, 'requests'), reports: await keysIn(device, 'quickReports') }
  await app.close(device)
  app.phone.now += 25 * HOUR
  return { waiting, sent, drafted, before }
}

test('[EX1] a day without the CRM: what it gave leaves the device, the parents of what is unsent and of a draft stay', async () => {
  const { waiting, sent, drafted, before } = await aDayLater()
  expect(before.requests.length).toBeGreaterThan(10)
  expect(before.reports).toContain(sent.key)
  const device = await app.open({ online: false })
  // the app has run for this long, because the clock alone deletes nothing (EX3)
  app.phone.ran += 25 * HOUR
  await until(async () => (await keysIn(device, 'requests')).length <= 2)
  expect((await keysIn(device, 'requests')).toSorted()).toEqual([waiting.key, drafted.key].toSorted())
  await until(async () => (await keysIn(device, 'quickReports')).length === 1)
  expect(await keysIn(device, 'quickReports')).toEqual([waiting.key])
  await until(async () => (await keysIn(device, 'emergencyReports')).length === 0)
  expect(await statesOf(device)).toEqual(['waiting'])
})

/** Keys of drafts: forms of a request, and forms of its visit. */
const OF_REQUEST = ['noteLocationArea', 'customerLocationChangeRequest'].map((slug) => `${slug}/add/r 1`)
const OF_VISIT = [
  `emergencyReport/add/r 1_${DAY}`,
  `safetyMeasure/add/r 1_${DAY}_4`,
  `quickReport/add/r 1_${DAY}`,
  `quickReport/add/r 0_${DAY}/r 1_${DAY}`,
  `quickReport/edit/r 1_${DAY}`,
]

test('[PL1] a draft holds the record of its own resource, not another record with the same key', async () => {
  const { db } = await app.open({ online: false })
  await storeValues(db, `quickReport/add/r 1`, { text: '書きかけ' })
  const { onRecord } = await dependentsOf(db)
  expect(onRecord('quickReports', { key: 'r 1' })).toBe(true)
  expect(onRecord('customerLocationChangeRequests', { key: 'r 1' })).toBe(false)
})

test('[EX1] what is typed into any form of a request holds it; into one of a visit, that day of it', async () => {
  const { db } = await app.open({ online: false })
  for (const key of [...OF_REQUEST, 'locationContactChangeRequest/add/r 1/02', ...OF_VISIT]) {
    await storeValues(db, key, { text: '書きかけ' })
    const { onRequest } = await dependentsOf(db)
    const held = {
      key,
      day: onRequest({ id: 'r 1', workingDate: DAY }),
      other: onRequest({ id: 'r', workingDate: DAY }),
    }
    expect(held).toEqual({ key, day: true, other: false })
    expect(onRequest({ id: 'r 1', workingDate: '2026-11-21' })).toBe(!OF_VISIT.includes(key))
    await db.drafts.find().remove()
  }
})

test('[EX1] what is unsent of a request without a day, a note or a photo of one, holds it on each of its days', async () => {
  const device = await app.open({ online: false })
  await saveNote(device.saver(), { id: 'r 1', locationAreaId: 'a 1' }, { note: '鍵は右' })
  const place = { resource: 'noteLocationAreas', requestId: 'r 2', workingDate: '' }
  await take(device, 'a.jpg', 1, place)
  await enter(device, requestOn('r 3', DAY))
  const { onRequest } = await dependentsOf(device.db)
  const held = ['r 1', 'r 2', 'r 3', 'r'].map((id) =>
    [DAY, '2026-11-21'].map((workingDate) => onRequest({ id, workingDate })),
  )
  expect(held).toEqual([
    [true, true],
    [true, true],
    [true, false],
    [false, false],
  ])
})

test('[EX1] with signal again all of it comes back, once each', async () => {
  const { sent } = await aDayLater()
  const offline = await app.open({ online: false })
  app.phone.ran += 25 * HOUR
  await until(async () => (await keysIn(offline, 'requests')).length <= 2)
  app.crmNow = app.phone.now
  offline.network.next(true)
  await until(async () => (await keysIn(offline, 'requests')).includes(sent.key))
  await until(async () => (await keysIn(offline, 'quickReports')).includes(sent.key))
  await until(async () => (await keysIn(offline, 'emergencyReports')).length > 0)
  const { emergencyReports } = await app.crm.inspect()
  expect(emergencyReports.filter(({ origin }) => origin === 'call')).toHaveLength(1)
})

test('[EX1] within a day nothing leaves, also without signal', async () => {
  const device = await app.open()
  await app.freeRequests(device)
  const before = await keysIn(device, 'requests')
  await app.close(device)
  app.phone.now += 23 * HOUR
  const again = await app.open({ online: false })
  app.phone.ran += 23 * HOUR
  // this request is a day and a minute old: once it has left, the others were checked as well
  const [old = '', ...young] = before
  const confirmedAt = new Date(app.phone.now - 24 * HOUR - 60_000).toISOString()
  await (await again.db.requests.findOne(old).exec(true)).incrementalPatch({ confirmedAt })
  await until(async () => !(await keysIn(again, 'requests')).includes(old))
  // the first read may have added requests after `before`, but none of these has left
  expect(await keysIn(again, 'requests')).toEqual(expect.arrayContaining(young))
})

describe('[EX1][SV3a] what is over', () => {
  const clean = (device: Device) =>
    purge({
      db: device.db,
      store: rxQueueStore(device.db),
      bytes: device.bytes,
      now: app.phone.now,
      typedBefore: app.phone.now - 24 * HOUR,
    })

  test('photos that were sent go with their record, bytes and all; what is unsent of one stays', async () => {
    app.phone.parents = fakeParents()
    const device = await app.open()
    const [sent, changed] = [await take(device, 'a.jpg', 1), await take(device, 'b.jpg', 2)]
    await photosSent(device)
    device.network.next(false)
    const waiting = await take(device, 'c.jpg', 3)
    await deletePhoto(device.saver(), changed)
    await clean(device)
    expect(await photoOf(device, sent)).toBeTruthy()
    app.phone.now += 25 * HOUR
    await clean(device)
    expect(await device.db.photos.findOne(sent).exec()).toBeNull()
    expect(await device.bytes.get(sent)).toBeUndefined()
    expect(await photoOf(device, changed)).toMatchObject({ wanted: 'deleted' })
    expect(await photoOf(device, waiting)).toMatchObject({ unsent: 'yes' })
    expect(await device.bytes.get(waiting)).toBeDefined()
  })

  test('[SV3] a photo that is deleted by a person while the photos are looked through stays until that is sent', async () => {
    app.phone.parents = fakeParents()
    const device = await app.open()
    const photo = await take(device, 'a.jpg', 1)
    await photosSent(device)
    device.network.next(false)
    app.phone.now += 25 * HOUR
    const { db, bytes } = device
    const times = { now: app.phone.now, typedBefore: app.phone.now - 24 * HOUR }
    const store = rxQueueStore(db)
    const record = async () => {
      await deletePhoto(device.saver(), photo)
      return null
    }
    await purge({ db, store: { ...store, record }, bytes, ...times })
    expect(await photoOf(device, photo)).toMatchObject({ wanted: 'deleted', unsent: 'yes' })
    expect(await bytes.get(photo)).toBeDefined()
  })

  const YESTERDAY = '2026-11-20T00:00:00Z'
  test.each<[string, Partial<Change>, string | null, boolean]>([
    ['was accepted, and its record read since: it goes', { state: 'accepted' }, '9', false],
    ['was accepted, and its record has left the device: it goes', { state: 'accepted' }, null, false],
    ['was accepted, and is all that says what the CRM has: it stays', { state: 'accepted' }, '1', true],
    ['was accepted today', { state: 'accepted', settledAt: '2026-11-21T01:00:00Z' }, '9', true],
    ['was discarded: it goes', { state: 'discarded' }, null, false],
    ['waits', {}, null, true],
    ['waits for a person', { state: 'refused' }, null, true],
  ])('a change of the day before that %s', async (_, facts, readAt, stays) => {
    const device = await app.open({ online: false })
    const { server, ...read } = reportOn('r1', { stamp: readAt ?? '' })
    const change = quickReportChange('entry', '08:56', { savedAt: YESTERDAY })
    await storeView(device.db, 'quickReports', { ...read, ...(readAt && { server }), changes: [change] })
    const doc = await device.db.changes.findOne(change.id).exec(true)
    await doc.incrementalPatch({ settledAt: YESTERDAY, result: { id: 'q1', stamp: '5' }, ...facts })
    app.phone.now += 25 * HOUR
    await clean(device)
    expect((await device.db.changes.find().exec()).length).toBe(stays ? 1 : 0)
  })

  test.each(['9', null])('no view with unsent work changes, its record read at %s', async (readAt) => {
    const device = await app.open({ online: false })
    const { server, ...read } = reportOn('r1', { stamp: readAt ?? '' })
    const old = { savedAt: YESTERDAY, stamp: '2' }
    const [accepted, discarded, edit] = [
      quickReportChange('entry', '08:56', { ...old, id: 'accepted' }),
      quickReportChange('exit', '09:10', { ...old, id: 'discarded' }),
      quickReportChange('exit', '09:20', { savedAt: YESTERDAY, stamp: '3', id: 'edit' }),
    ]
    const changes = [accepted, discarded, edit]
    await storeView(device.db, 'quickReports', { ...read, ...(readAt && { server }), changes })
    const settled = { settledAt: YESTERDAY, replaced: [{ field: 'type', value: '2', stamp: '1~' }] }
    const end = async (id: string, facts: Partial<Change>) =>
      (await device.db.changes.findOne(id).exec(true)).incrementalPatch({ ...settled, ...facts })
    await end('accepted', { state: 'accepted', result: { id: 'q1', stamp: '5' } })
    await end('discarded', { state: 'discarded' })
    const before = await viewsIn(device.db, 'quickReports')
    app.phone.now += 25 * HOUR
    await clean(device)
    expect(before).toMatchObject([{ serverId: readAt ? 'q-r1' : 'q1', changes: [{ id: 'edit' }] }])
    expect(await viewsIn(device.db, 'quickReports')).toEqual(before)
  })
})

test('[PL1][SV3] a record that the CRM no longer has stays while a photo of it is unsent', () => {
  const server = { id: 'e1', stamp: '1', detailed: true }
  const local = [{ key: 'e1', serverId: 'e1', changes: [], server }]
  const gone = (isKept: boolean) =>
    mergeRows({
      resource: 'emergencyReports',
      rows: [],
      local,
      skippedIds: [],
      stamp: '2',
      completeAsOf: '2',
      isNeeded: () => isKept,
      isStored: () => true,
      loginUserId: 'ss-1',
    })
  expect(gone(false)).toMatchObject([{ key: 'e1', _deleted: true }])
  expect(gone(true)).toEqual([])
})

test('[EX1c] a removal that waited for its write is dropped if something was saved on the request meanwhile', async () => {
  const device = await app.open()
  const [request, other] = (await app.freeRequests(device)).filter(isOpen)
  if (!request || !other) throw new Error('two requests expected')
  const docs = [request, other].map((doc) => ({ ...doc, _deleted: true }))
  const left = async () =>
    (await withoutNeeded(device.db, docs, (doc, { onRequest }) => onRequest(doc))).map(({ key }) => key)
  device.network.next(false)
  expect(await left()).toEqual([request.key, other.key])
  await enter(device, request)
  expect(await left()).toEqual([other.key])
})
