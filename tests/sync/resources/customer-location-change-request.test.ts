import { firstValueFrom } from 'rxjs'
import { expect, test } from 'vitest'
import { changeRequest$ } from '#data/resources/change-requests.ts'
import { contentPath } from '#features/outbox/jobs.ts'
import { saveCustomerLocation } from '#features/customer-location-change-request/commands.ts'
import { until } from '../../support/device.ts'
import { isOpen, PARKING } from '../../support/record-saves.ts'
import { ledgerOf, nth, statesOf, todayScene, TODAY } from '../../support/replication.ts'
import { viewIn, viewsIn } from '../../support/stored-views.ts'

const app = todayScene()
const inCrm = async () =>
  (await app.crm.inspect()).customerLocationChangeRequests.filter(({ origin }) => origin === 'call')

test('[MG3] an edit sends the whole content: what a PUT leaves out would become null', async () => {
  const device = await app.open()
  const request = nth((await app.freeRequests(device)).filter(isOpen), 0)
  await saveCustomerLocation(device.saver(), request.id, { ...PARKING, parkingMethod: '東側' }, null)
  await app.sent(device)
  await saveCustomerLocation(device.saver(), request.id, { ...PARKING, parkingMethod: '西側' }, null)
  await app.sent(device)
  expect(app.sentBodies.at(-1)?.body).toEqual({
    requestId: request.id,
    parkingType: PARKING.parkingType,
    parkingMethod: '西側',
    inMethod: PARKING.inMethod,
    loginUserId: expect.any(String),
  })
  expect(await inCrm()).toMatchObject([{ parkingMethod: '西側', inMethod: '裏口から入館' }])
})

test('[OC2] 202 ec00030: 失敗; corrected and saved anew it is posted again', async () => {
  const device = await app.open()
  const request = nth((await app.freeRequests(device)).filter(isOpen), 0)
  const fault = { path: 'customerLocationChangeRequest/$', method: 'POST', count: 1 } as const
  await app.crm.faults.add({ id: 'no', kind: 'status', status: 202, body: { message: 'ec00030' }, ...fault })
  await saveCustomerLocation(device.saver(), request.id, PARKING, null)
  await until(async () => (await statesOf(device))[0] === 'failed')
  expect((await ledgerOf(device))[0]?.reasons).toEqual(['ec00030'])
  await saveCustomerLocation(device.saver(), request.id, { ...PARKING, inMethod: '正面から入館' }, null)
  await app.sent(device)
  expect(await inCrm()).toMatchObject([{ inMethod: '正面から入館' }])
  expect(app.sentBodies.map(({ call }) => call)).toEqual([
    'POST customerLocationChangeRequest/',
    'POST customerLocationChangeRequest/',
  ])
})

test('[PL4] one that is in the CRM is on the device under its request', async () => {
  const device = await app.open()
  const theirs = (await app.crm.inspect()).customerLocationChangeRequests
  await until(async () => {
    const docs = await viewsIn(device.db, 'customerLocationChangeRequests')
    return (
      docs.length > 0 &&
      docs.every(({ key, serverId }) => theirs.some((r) => r.id === serverId && r.requestId === key))
    )
  })
  const [doc] = await viewsIn(device.db, 'customerLocationChangeRequests')
  expect(doc?.server).toMatchObject({ detailed: true, parkingType: '2' })
})

test('[PL3] a CRM that numbers each table: an address names a change request by its id, before a request of that number', async () => {
  const device = await app.open()
  await app.freeRequests(device)
  const { db } = device
  const [a, b] = (await db.requests.find({ limit: 2 }).exec()).map((doc) => doc.toMutableJSON())
  if (!a || !b) throw new Error('two requests expected')
  await app.close(device)
  const again = await app.open({ online: false })
  const records = again.db.customerLocationChangeRequests
  const server = (id: string, inMethod: string) => ({
    ...{ id, inMethod, parkingType: '2', parkingMethod: null, editStatus: null, detailed: true, stamp: '1' },
  })
  const common = { workingDate: '', changes: [], unsent: 'no' as const }
  const shown = async (id: string) =>
    (await firstValueFrom(changeRequest$(again.db, 'customerLocationChangeRequests', id, TODAY)))?.change
  await records.bulkInsert([
    { key: '123', requestId: '123', serverId: '77', server: server('77', '依頼123の'), ...common },
    { key: '55', requestId: '55', serverId: '123', server: server('123', '依頼55の'), ...common },
  ])
  expect((await shown('123'))?.content?.inMethod).toBe('依頼55の')
  expect((await shown('77'))?.content?.inMethod).toBe('依頼123の')
  // a change request that was sent while its form was open under the local key
  expect((await shown('55'))?.content?.inMethod).toBe('依頼55の')
  // the CRM has request 123, the device does not: the screen requests it
  await (await records.findOne('55').exec(true)).incrementalRemove()
  await again.db.requests.bulkUpsert([{ ...a, customerLocationChangeRequestId: '123' }])
  expect(await shown('123')).toBeUndefined()
})

test('[PL3] 内容を開く of an edit leads by the id of the CRM', async () => {
  const device = await app.open()
  const request = nth((await app.freeRequests(device)).filter(isOpen), 0)
  await saveCustomerLocation(device.saver(), request.id, PARKING, null)
  await app.sent(device)
  device.network.next(false)
  await saveCustomerLocation(device.saver(), request.id, { ...PARKING, inMethod: '正面から入館' }, null)
  const queue = await device.queue()
  const { serverId } = await viewIn(device.db, 'customerLocationChangeRequests', request.id)
  expect(contentPath(nth(queue, 0), queue)).toBe(`/customerLocationChangeRequest/${serverId}/edit`)
})
