import { expect, test } from 'vitest'
import { saveCustomerLocation } from '#features/customer-location-change-request/commands.ts'
import { until } from '../support/device.ts'
import { isOpen, PARKING } from '../support/record-saves.ts'
import { ledgerOf, nth, statesOf, replicationScene } from '../support/replication.ts'

const app = replicationScene()
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
    const docs = await device.db.customerLocationChangeRequests.find().exec()
    return (
      docs.length > 0 &&
      docs.every(({ key, serverId }) => theirs.some((r) => r.id === serverId && r.requestId === key))
    )
  })
  const [doc] = await device.db.customerLocationChangeRequests.find().exec()
  expect(doc?.server).toMatchObject({ detailed: true, parkingType: '2' })
})
