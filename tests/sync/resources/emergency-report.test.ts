import { expect, test } from 'vitest'
import { storedOf } from '#schemas/changes/record-view.ts'
import { pulledCollection } from '#data/changes/record-views.ts'
import { saveEmergencyReport } from '#features/emergency-report/commands.ts'
import { askDetail } from '#data/fetch-requests/interests.ts'
import { until, type Device } from '../../support/device.ts'
import { EMERGENCY } from '../../support/record-saves.ts'
import { enter, leave, nth, statesOf, todayScene } from '../../support/replication.ts'
import { viewsIn } from '../../support/stored-views.ts'

const app = todayScene()

const records = async (device: Device, requestId: string) =>
  viewsIn(device.db, 'emergencyReports', { requestId })
const inCrm = async (requestId: string) =>
  (await app.crm.inspect()).emergencyReports.filter((report) => report.requestId === requestId)

test('[OR1] one saved between an entry and its exit travels between them', async () => {
  const device = await app.open()
  const request = nth(await app.freeRequests(device), 0)
  device.network.next(false)
  await enter(device, request)
  await saveEmergencyReport(device.saver(), request, EMERGENCY)
  await leave(device, [request])
  device.network.next(true)
  await app.sent(device)
  expect(app.sentBodies.map(({ call }) => call)).toEqual([
    'POST quickReport/',
    'POST emergencyReport/',
    'PUT quickReport/requestUpdate',
  ])
  expect(await inCrm(request.id)).toMatchObject([{ emergencyContents: '1,3', risk: '2,8' }])
})

test('[OR2] an unsent one that is edited twice: made once, changed once, with the last content', async () => {
  const device = await app.open()
  const request = nth(await app.freeRequests(device), 0)
  device.network.next(false)
  await saveEmergencyReport(device.saver(), request, EMERGENCY)
  for (const emergencyContentsDetails of ['二回目', '三回目']) {
    const [record] = await records(device, request.id)
    await saveEmergencyReport(
      device.saver(),
      request,
      { ...EMERGENCY, emergencyContentsDetails },
      record ?? null,
    )
  }
  expect(await statesOf(device)).toEqual(['waiting', 'waiting'])
  device.network.next(true)
  await app.sent(device)
  const [, put] = app.sentBodies
  expect(app.sentBodies).toHaveLength(2)
  // the whole content, because the CRM takes an absent field for null (crm-contract 2)
  expect(put?.body).toEqual({
    requestId: request.id,
    workingDate: request.workingDate,
    workingStartTime: request.workingStartTime,
    workingEndTime: request.workingEndTime,
    emergencyContents: '1,3',
    risk: '2,8',
    correspondenceDate: '1',
    ttsStaffContact: '2',
    emergencyContentsDetails: '三回目',
    loginUserId: expect.any(String),
  })
  expect(await inCrm(request.id)).toMatchObject([{ emergencyContentsDetails: '三回目', risk: '2,8' }])
})

test('[OC3] of two alike, both answers lost: two records, each its own', async () => {
  const device = await app.open()
  const request = nth(await app.freeRequests(device), 0)
  const fault = { kind: 'lostAnswer', path: 'emergencyReport/$', method: 'POST', count: 2 } as const
  await app.crm.faults.add({ id: 'lost', ...fault })
  device.network.next(false)
  await saveEmergencyReport(device.saver(), request, EMERGENCY)
  await saveEmergencyReport(device.saver(), request, EMERGENCY)
  device.network.next(true)
  await app.sent(device)
  expect(await inCrm(request.id)).toHaveLength(2)
  const ids = (await records(device, request.id)).map(({ serverId }) => serverId)
  expect(new Set(ids)).toEqual(new Set((await inCrm(request.id)).map(({ id }) => id)))
  expect(ids).toHaveLength(2)
})

test('[PL3] a pull while its call is under way does not show it twice', async () => {
  const device = await app.open()
  const request = nth(await app.freeRequests(device), 0)
  const fault = { path: 'emergencyReport/$', method: 'POST', count: 1 } as const
  await app.crm.faults.add({ id: 'late', kind: 'status', status: 500, after: true, ...fault })
  await app.crm.faults.add({
    id: 'busy',
    kind: 'status',
    status: 503,
    path: 'emergencyReport/request',
    count: 2,
  })
  await saveEmergencyReport(device.saver(), request, EMERGENCY)
  app.phone.now += 1000
  await askDetail(device.db, app.phone.now, request.id, request.workingDate)
  await app.sent(device)
  await until(async () => (await records(device, request.id))[0]?.server?.detailed === true)
  expect(await records(device, request.id)).toHaveLength(1)
  expect(await inCrm(request.id)).toHaveLength(1)
})

test('[contract 4] one that the office has confirmed is refused: ec00008', async () => {
  const device = await app.open()
  const request = nth(await app.freeRequests(device), 0)
  await saveEmergencyReport(device.saver(), request, EMERGENCY)
  await app.sent(device)
  const fault = { path: 'emergencyReport/', method: 'PUT', count: 1 } as const
  const body = { errors: ['ec00008'] }
  await app.crm.faults.add({ id: 'ng', kind: 'status', status: 400, body, ...fault })
  const [record] = await records(device, request.id)
  await saveEmergencyReport(device.saver(), request, { ...EMERGENCY, risk: ['1'] }, record ?? null)
  await until(async () => (await statesOf(device))[0] === 'failed')
  expect((await device.queue())[0]?.progress?.reasons).toEqual(['ec00008'])
})

test('[spec 3] its time is that of the save until the CRM’s own is read', async () => {
  const device = await app.open()
  const request = nth(await app.freeRequests(device), 0)
  const fault = { path: 'emergencyReport/request', count: 'always' } as const
  await app.crm.faults.add({ id: 'busy', kind: 'status', status: 503, ...fault })
  await saveEmergencyReport(device.saver(), request, EMERGENCY)
  const savedAt = (await records(device, request.id))[0]?.changes[0]?.savedAt
  const record = await until(async () => {
    const [first] = await records(device, request.id)
    return first?.server !== undefined && first
  })
  expect(record.server).toMatchObject({ detailed: false, createdAt: savedAt })
  await saveEmergencyReport(device.saver(), request, { ...EMERGENCY, risk: ['1'] }, record)
  const edited = await until(async () => {
    const [first] = await records(device, request.id)
    return first?.changes.length === 0 && first
  })
  // the record was read before the PUT
  const [{ createdAt } = {}] = await inCrm(request.id)
  expect(createdAt).toBeDefined()
  expect(edited.server).toMatchObject({ risk: ['1'], createdAt })
})

test('[MG2][MG3] an edit over an unsent one has the visit’s times as its form showed them: what the office made of them since stays', async () => {
  const device = await app.open()
  const request = nth(await app.freeRequests(device), 0)
  await saveEmergencyReport(device.saver(), request, EMERGENCY)
  await app.sent(device)
  const [sent] = await until(async () => {
    const found = await records(device, request.id)
    return found[0]?.server ? found : false
  })
  if (!sent?.server) throw new Error('it was sent')
  device.network.next(false)
  const edited = { ...EMERGENCY, emergencyContentsDetails: '二回目' }
  await saveEmergencyReport(device.saver(), request, edited, sent)
  const later = new Date(Date.parse(request.workingEndTime ?? '') + 3_600_000).toISOString()
  const stamp = device.saver().clock.stamp()
  // this state was read before the PUT
  const server = { ...sent.server, workingEndTime: later, stamp }
  await pulledCollection(device.db, 'emergencyReports').upsert(storedOf({ ...sent, server }))
  const [seen] = await records(device, request.id)
  await saveEmergencyReport(
    device.saver(),
    request,
    { ...edited, emergencyContentsDetails: '三回目' },
    seen ?? null,
  )
  const change = (await records(device, request.id))[0]?.changes.at(-1)
  expect(change?.fields).toMatchObject({
    emergencyContentsDetails: '三回目',
    workingEndTime: Reflect.get(change?.madeOn?.fields ?? {}, 'workingEndTime'),
  })
})
