/** Lists that a screen asks for by itself: 過去報告 of any device, the notes of an area while they are on screen. */
import { firstValueFrom } from 'rxjs'
import { expect, test } from 'vitest'
import { NoteType } from '#schemas/codes.ts'
import { DEVICE_REPORT_LIMIT } from '#schemas/limits.ts'
import { measuresOfTheDay, type PrefetchedCollection } from '#schemas/collections/prefetch.ts'
import type { RequestRecord } from '#schemas/resources/request.ts'
import { askList, interest$, isListRead$, listInterest } from '#data/fetch-requests/interests.ts'
import { devicesOf } from '#demo-crm/seed/equipment.ts'
import { areas } from '#demo-crm/seed/locations.ts'
import { seedPastReports } from '#demo-crm/resources/past-report.ts'
import { until, type Device } from '../../support/device.ts'
import { nth, replicationScene, TODAY } from '../../support/replication.ts'
import { viewsIn } from '../../support/stored-views.ts'

const app = replicationScene()

const ask = (device: Device, owner: string, pages?: number) =>
  askList(device.db, app.phone.now, { collection: 'pastReports', owner, ...(pages && { pages }) })
const stateOf = async ({ db }: Device, owner: string) =>
  (await firstValueFrom(interest$(db, listInterest('pastReports', owner))))?.state
const reportsOf = ({ db }: Device, deviceId: string) => db.pastReports.find({ selector: { deviceId } }).exec()
const callsFor = (deviceId: string) =>
  app.crm.calls.filter(({ path }) => path.includes(`/report/${encodeURIComponent(deviceId)}`))

/** A device with three pages of reports, and no request on the phone that names it. */
async function farDevice(): Promise<string> {
  const none = { kind: 'status', status: 200, body: [], headers: { 'x-total-count': '0' } } as const
  await app.crm.faults.add({ id: 'none', path: 'request/search', count: 'always', ...none })
  const found = areas
    .flatMap(devicesOf)
    .find(({ deviceId }) => seedPastReports(deviceId, TODAY).length > 2 * DEVICE_REPORT_LIMIT)
  if (!found) throw new Error('no device has three pages')
  return found.deviceId
}

test('[PL4] past reports of a device that no request names: two pages, and they are marked as read', async () => {
  const deviceId = await farDevice()
  const device = await app.open()
  expect(await reportsOf(device, deviceId)).toHaveLength(0)
  await ask(device, deviceId)
  await until(async () => (await stateOf(device, deviceId)) === 'answered')
  expect(await reportsOf(device, deviceId)).toHaveLength(2 * DEVICE_REPORT_LIMIT)
  expect(await firstValueFrom(isListRead$(device.db, { collection: 'pastReports', owner: deviceId }))).toBe(
    true,
  )
})

test('[spec 9] further pages come when they are asked for', async () => {
  const deviceId = await farDevice()
  const device = await app.open()
  await ask(device, deviceId, 3)
  await until(async () => (await stateOf(device, deviceId)) === 'answered')
  expect(await reportsOf(device, deviceId)).toHaveLength(seedPastReports(deviceId, TODAY).length)
})

test('[spec 8] 404 is an empty list, asked for once', async () => {
  const device = await app.open()
  await app.freeRequests(device)
  await ask(device, 'no such device')
  await until(async () => (await stateOf(device, 'no such device')) === 'answered')
  expect(await reportsOf(device, 'no such device')).toHaveLength(0)
  expect(callsFor('no such device')).toHaveLength(1)
  expect(device.problems).toEqual([])
})

test('[PL2] a list that the CRM refuses is answered as failed', async () => {
  const device = await app.open()
  await app.freeRequests(device)
  await app.crm.faults.add({
    id: 'no',
    kind: 'status',
    path: 'report/refused',
    status: 400,
    body: { error: 'no' },
    count: 'always',
  })
  await ask(device, 'refused')
  await until(async () => (await stateOf(device, 'refused')) === 'failed')
})

test('asked without a signal, it is answered once there is one', async () => {
  const deviceId = await farDevice()
  const device = await app.open({ online: false })
  await ask(device, deviceId)
  expect(await stateOf(device, deviceId)).toBe('asked')
  await app.close(device)
  const again = await app.open()
  await until(async () => (await stateOf(again, deviceId)) === 'answered')
})

test('another company’s note comes when the list is asked for, without a refetch of the rest', async () => {
  const device = await app.open()
  const request = nth(await app.freeRequests(device), 0)
  const owner = request.locationAreaId ?? ''
  const key = listInterest('noteLocationAreas', owner)
  const askNotes = async () => {
    app.phone.now += 60_000
    const asked = { collection: 'noteLocationAreas', owner, requestId: request.id } as const
    await askList(device.db, app.phone.now, asked)
    await until(async () => (await firstValueFrom(interest$(device.db, key)))?.state === 'answered')
  }
  await askNotes()
  await app.crm.actAsOtherCompany()
  const [theirs] = (await app.crm.inspect()).notes.filter(({ origin }) => origin === 'call')
  const searches = () => app.crm.calls.filter(({ path }) => path.includes('request/search')).length
  const before = searches()
  if (theirs?.locationAreaId === owner) await askNotes()
  const kept = await viewsIn(device.db, 'noteLocationAreas', { serverId: theirs?.id ?? '' })
  expect(kept).toHaveLength(theirs?.locationAreaId === owner ? 1 : 0)
  expect(searches()).toBe(before)
})

/** Of each kind of list: what its calls are known by, and one that has rows. */
const LISTS: [PrefetchedCollection, string, (request: RequestRecord) => string | false | null | undefined][] =
  [
    ['emergencyReports', 'emergencyReport/request/', ({ id }) => id],
    ['noteLocationAreas', 'noteLocationArea/request/', ({ locationAreaId }) => locationAreaId],
    ['pastReports', '/report/', ({ detail }) => detail?.devices[0]?.deviceId],
    ['safetyMeasures', '/safety/', (request) => measuresOfTheDay(request).length > 0 && request.key],
    [
      'customerLocationChangeRequests',
      'customerLocationChangeRequest/',
      ({ id, customerLocationChangeRequestId }) => customerLocationChangeRequestId && id,
    ],
    [
      'locationContactChangeRequests',
      'locationContactChangeRequest/',
      ({ id, inLocationContactChangeRequestId }) => inLocationContactChangeRequestId && id,
    ],
  ]
const SPOILT = { id: 'bad', requestId: {}, workingDate: {}, type: {}, safetyType: {} }

test.each(LISTS)(
  '[PL2][PL4] %s of which the CRM has rows, and none can be read, were not read: nobody is told that there is none',
  async (collection, path, ownerOf) => {
    const body = path.includes('report') || path.endsWith('request/') ? [SPOILT] : SPOILT
    await app.crm.faults.add({
      id: 'bad',
      kind: 'status',
      status: 200,
      path,
      method: 'GET',
      count: 'always',
      body,
    })
    const device = await app.open()
    const request = await until(async () => {
      const all = await device.db.requests.find().exec()
      return all.map((doc) => doc.toMutableJSON()).find((each) => each.detail && ownerOf(each)) ?? false
    })
    const owner = ownerOf(request) || ''
    const standing = async () =>
      (await firstValueFrom(interest$(device.db, listInterest(collection, owner))))?.state
    await askList(device.db, app.phone.now, { collection, owner, requestId: request.id })
    expect(await until(async () => ((await standing()) !== 'asked' ? standing() : false))).toBe('failed')
    expect(await firstValueFrom(isListRead$(device.db, { collection, owner }))).toBe(false)
    await app.crm.faults.clear()
    app.phone.now += 1_000
    await askList(device.db, app.phone.now, { collection, owner, requestId: request.id })
    await until(async () => (await standing()) === 'answered')
  },
)

test('[OC7][PL4] notes of which one type is answered in JSON that is no list were not read, though those of the other were', async () => {
  const device = await app.open()
  const requests = await app.freeRequests(device)
  const note = (await app.crm.inspect()).notes.find(({ locationAreaId }) =>
    requests.some((each) => each.locationAreaId === locationAreaId),
  )
  const owner = note?.locationAreaId ?? ''
  const other = NoteType.options.find(({ code }) => code !== note?.type)?.code ?? ''
  const path = `noteLocationArea/request/.*type=${other}`
  const body = { message: 'maintenance' }
  await app.crm.faults.add({ id: 'no list', kind: 'status', status: 200, path, count: 'always', body })
  const requestId = requests.find(({ locationAreaId }) => locationAreaId === owner)?.id ?? ''
  await askList(device.db, app.phone.now, { collection: 'noteLocationAreas', owner, requestId })
  const standing = async () =>
    (await firstValueFrom(interest$(device.db, listInterest('noteLocationAreas', owner))))?.state
  expect(await until(async () => ((await standing()) !== 'asked' ? standing() : false))).toBe('failed')
})
