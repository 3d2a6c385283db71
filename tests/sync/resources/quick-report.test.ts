import { expect, test } from 'vitest'
import { viewOf } from '#data/changes/record-views.ts'
import { saveEntry } from '#data/resources/quick-report-changes.ts'
import { until } from '../../support/device.ts'
import {
  enter,
  IN_TIME,
  ledgerOf,
  leave,
  nth,
  NOW,
  OUT_TIME,
  statesOf,
  todayScene,
} from '../../support/replication.ts'
import { rowsIn } from '../../support/stored-views.ts'

const app = todayScene()

test('[SV2][OR2] an entry and an exit saved offline reach the CRM once each, in order', async () => {
  const device = await app.open()
  const request = nth(await app.freeRequests(device), 0)
  device.network.next(false)
  await enter(device, request)
  await leave(device, [request])
  expect(await statesOf(device)).toEqual(['waiting', 'waiting'])
  device.network.next(true)
  await app.sent(device)
  const reports = await app.reports(request.id)
  expect(reports).toHaveLength(1)
  expect(reports[0]).toMatchObject({ outTime: OUT_TIME, type: '1', reportContent: '完了しました' })
  expect(Date.parse(reports[0]?.inTime ?? '')).toBe(Date.parse(IN_TIME))
  expect(app.writes().map(({ method }) => method)).toEqual(['POST', 'PUT'])
})

test('[SV1] a save is on the device at once, also when the app is closed and opened without signal', async () => {
  const device = await app.open()
  const request = nth(await app.freeRequests(device), 0)
  device.network.next(false)
  await enter(device, request)
  await app.close(device)
  const again = await app.open({ online: false })
  expect(await statesOf(again)).toEqual(['waiting'])
  again.network.next(true)
  await app.sent(again)
  expect(await app.reports(request.id)).toHaveLength(1)
})

test('[OR1] records leave in the order they were saved, across records', async () => {
  const device = await app.open()
  const requests = (await app.freeRequests(device)).slice(0, 4).toReversed()
  device.network.next(false)
  for (const request of requests) await enter(device, request)
  device.network.next(true)
  await app.sent(device)
  expect(app.bodies.map(({ requestId }) => requestId)).toEqual(requests.map(({ id }) => id))
})

test('[PL3] an edit during the call is not lost and not sent twice', async () => {
  const device = await app.open()
  const request = nth(await app.freeRequests(device), 0)
  await enter(device, request)
  await app.sent(device)
  await app.crm.faults.add({ id: 'slow', kind: 'delay', path: 'requestUpdate', count: 1, ms: 300 })
  await leave(device, [request], { reportContent: '一回目' })
  await until(async () => (await ledgerOf(device)).some(({ state }) => state === 'sending'))
  await leave(device, [request], { reportContent: '二回目' })
  await app.sent(device)
  expect(await app.reports(request.id)).toMatchObject([{ reportContent: '二回目' }])
  expect(app.writes().map(({ method }) => method)).toEqual(['POST', 'PUT', 'PUT'])
})

test('[OR1] a later save of the same report replaces an unsent earlier one: one call', async () => {
  const device = await app.open()
  const request = nth(await app.freeRequests(device), 0)
  device.network.next(false)
  await enter(device, request)
  await leave(device, [request], { reportContent: '一回目' })
  await leave(device, [request], { reportContent: '二回目' })
  expect(await device.queue()).toHaveLength(2)
  device.network.next(true)
  await app.sent(device)
  expect(await app.reports(request.id)).toMatchObject([{ reportContent: '二回目' }])
  expect(app.writes().map(({ method }) => method)).toEqual(['POST', 'PUT'])
})

test('[contract 4] several exits saved at once travel in one call', async () => {
  const device = await app.open()
  const requests = (await app.freeRequests(device)).slice(0, 3)
  device.network.next(false)
  await saveEntry(device.saver(), requests, IN_TIME)
  await leave(device, requests)
  device.network.next(true)
  await app.sent(device)
  expect(app.writes().map(({ method }) => method)).toEqual(['POST', 'POST', 'POST', 'PUT'])
  for (const { id } of requests) expect(await app.reports(id)).toMatchObject([{ outTime: OUT_TIME }])
})

test('[EX2] a change unsent for a day is not sent by itself; 再送 sends it', async () => {
  const device = await app.open()
  const request = nth(await app.freeRequests(device), 0)
  device.network.next(false)
  await enter(device, request)
  app.phone.now = NOW + 25 * 3_600_000
  device.network.next(true)
  await until(async () => (await statesOf(device))[0] === 'expired')
  expect(app.writes()).toHaveLength(0)
  const [entry] = await rowsIn(device.db)
  await entry?.incrementalPatch({ wish: 'resend' })
  await app.sent(device)
  expect(await app.reports(request.id)).toHaveLength(1)
})

test('[SV2] 再送 of a refused change sends it again; 破棄 takes it and what waits for it', async () => {
  const device = await app.open()
  const [first, second] = await app.freeRequests(device)
  if (!first || !second) throw new Error('two requests expected')
  await app.crm.faults.add({
    id: 'no',
    kind: 'status',
    status: 422,
    body: { error: 'いまは受け付けません' },
    ...{
      path: 'quickReport/$',
      method: 'POST',
      count: 2,
    },
  })
  await enter(device, first)
  await leave(device, [first])
  await enter(device, second)
  await until(async () => (await statesOf(device)).filter((state) => state === 'failed').length === 2)
  const failed = await rowsIn(device.db, { state: 'refused' })
  await failed[0]?.incrementalPatch({ wish: 'discard' })
  await failed[1]?.incrementalPatch({ wish: 'resend' })
  await app.sent(device)
  expect(await app.reports(first.id)).toHaveLength(0)
  expect(await app.reports(second.id)).toHaveLength(1)
  expect(await viewOf(device.db, 'quickReports', first.key)).toBeNull()
})
