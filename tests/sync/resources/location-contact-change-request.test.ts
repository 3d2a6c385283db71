import { expect, test } from 'vitest'
import { saveContactChange } from '#features/location-contact-change-request/commands.ts'
import { until } from '../../support/device.ts'
import { CONTACT, isOpen } from '../../support/record-saves.ts'
import { nth, statesOf, todayScene } from '../../support/replication.ts'
import { viewsIn } from '../../support/stored-views.ts'

const app = todayScene()
const inCrm = async () =>
  (await app.crm.inspect()).locationContactChangeRequests
    .filter(({ origin }) => origin === 'call')
    .toSorted((a, b) => (a.type < b.type ? -1 : 1))

test('[contract 4] the entry’s and the exit’s are two records of a request', async () => {
  const device = await app.open()
  const requests = (await app.freeRequests(device)).filter(isOpen)
  const request = nth(
    requests.filter((each) => each.outLocationContactChangeStatus === '1'),
    0,
  )
  device.network.next(false)
  await saveContactChange(device.saver(), request.id, '02', CONTACT, null)
  await saveContactChange(device.saver(), request.id, '03', { ...CONTACT, name: '警備室' }, null)
  device.network.next(true)
  await app.sent(device)
  expect(await inCrm()).toMatchObject([
    { type: '02', name: '防災センター', email: null },
    { type: '03', name: '警備室' },
  ])
  await until(async () => {
    const docs = await viewsIn(device.db, 'locationContactChangeRequests', { requestId: request.id })
    return docs.length === 2 && docs.every(({ server }) => server?.detailed)
  })
})

test('[OC2] 202 ec00026: 失敗, and the other one goes', async () => {
  const device = await app.open()
  const request = nth((await app.freeRequests(device)).filter(isOpen), 0)
  const fault = { path: 'locationContactChangeRequest/$', method: 'POST', count: 1 } as const
  await app.crm.faults.add({ id: 'no', kind: 'status', status: 202, body: { message: 'ec00026' }, ...fault })
  device.network.next(false)
  await saveContactChange(device.saver(), request.id, '02', CONTACT, null)
  await saveContactChange(device.saver(), request.id, '03', CONTACT, null)
  device.network.next(true)
  await until(async () => (await statesOf(device)).join() === 'failed')
  expect((await device.queue())[0]?.progress?.reasons).toEqual(['ec00026'])
  expect(await inCrm()).toMatchObject([{ type: '03' }])
})
