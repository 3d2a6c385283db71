import { expect, test } from 'vitest'
import type { RequestRecord } from '#schemas/request.ts'
import { saveEntry } from '#data/quick-report-changes.ts'
import { saveReport } from '#features/quick-report/commands.ts'
import { until, type Device } from '../support/device.ts'
import { COMPLETED, IN_TIME, nth, NOW, OUT_TIME, TODAY, useReplication } from '../support/replication.ts'

const app = useReplication()

const enter = (device: Device, request: RequestRecord) => saveEntry(device.saver(), [request], IN_TIME)
async function leave(device: Device, requests: RequestRecord[], content: Partial<typeof COMPLETED> = {}) {
  const docs = await Promise.all(requests.map(({ key }) => device.db.quickReports.findOne(key).exec(true)))
  const records = docs.map((doc) => doc.toMutableJSON())
  await saveReport(device.saver(), records, 'exit', { ...COMPLETED, ...content })
}
const states = async (device: Device) => (await device.queue()).map(({ state }) => state)
const ledgerOf = async (device: Device) => (await device.db.ledger.find().exec()).map((doc) => doc.toJSON())

test('[SV2][OR2] an entry and an exit saved offline reach the CRM once each, in order', async () => {
  const device = await app.open()
  const request = nth(await app.freeRequests(device), 0)
  device.network.next(false)
  await enter(device, request)
  await leave(device, [request])
  expect(await states(device)).toEqual(['waiting', 'waiting'])
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
  expect(await states(again)).toEqual(['waiting'])
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

test('[OC3][OC6] the CRM did it and the answer was lost: read back, one entry', async () => {
  const device = await app.open()
  const request = nth(await app.freeRequests(device), 0)
  await app.crm.faults.add({
    id: 'lost',
    kind: 'lostAnswer',
    path: 'quickReport/$',
    method: 'POST',
    count: 1,
  })
  await enter(device, request)
  await app.sent(device)
  expect(await app.reports(request.id)).toHaveLength(1)
  expect(app.writes()).toHaveLength(1)
})

test('[OC3] the answer was lost before the CRM did it: read back, then posted again, one entry', async () => {
  const device = await app.open()
  const request = nth(await app.freeRequests(device), 0)
  await app.crm.faults.add({
    id: 'cut',
    kind: 'unreachable',
    path: 'quickReport/$',
    method: 'POST',
    count: 2,
  })
  await enter(device, request)
  await app.sent(device)
  expect(await app.reports(request.id)).toHaveLength(1)
  expect(app.writes().filter(({ acted }) => acted)).toHaveLength(1)
  const calls = app.crm.calls.filter(
    ({ path }) => path.includes('quickReport/') || path.includes(`request/${request.id}`),
  )
  const posts = calls.flatMap(({ method }, i) => (method === 'POST' ? [i] : []))
  for (const [i, at] of posts.entries())
    if (i > 0) expect(calls.slice(posts[i - 1], at).some(({ method }) => method === 'GET')).toBe(true)
})

test('[OC3][OC1] a crash between the call and its answer: one entry after the restart', async () => {
  const device = await app.open()
  const request = nth(await app.freeRequests(device), 0)
  await app.crm.faults.add({
    id: 'slow',
    kind: 'delay',
    path: 'quickReport/$',
    method: 'POST',
    count: 1,
    ms: 400,
  })
  await enter(device, request)
  await until(async () => (await ledgerOf(device)).some(({ state }) => state === 'sending'))
  await app.close(device)
  await until(() => app.writes().some(({ acted }) => acted))
  const again = await app.open()
  await app.sent(again)
  expect(await app.reports(request.id)).toHaveLength(1)
  expect(app.writes()).toHaveLength(1)
})

test('[OC1] a crash after the answer, before the record was settled: nothing is sent again', async () => {
  const device = await app.open()
  const request = nth(await app.freeRequests(device), 0)
  await enter(device, request)
  await app.sent(device)
  const [entry] = await ledgerOf(device)
  // as a crash would leave it: the ledger says accepted, the record still holds its change
  const doc = await device.db.quickReports.findOne(request.key).exec(true)
  const change = { ...device.saver(), id: entry?.id ?? '' }
  await app.close(device)
  const reopened = await app.open({ online: false })
  await reopened.db.quickReports
    .findOne(request.key)
    .exec(true)
    .then((found) =>
      found.incrementalModify((record) => ({
        ...record,
        serverId: '',
        changes: [
          {
            id: change.id,
            kind: 'entry',
            stamp: entry?.stamp ?? '',
            savedAt: entry?.savedAt ?? '',
            userId: change.userId,
            offline: false,
            fields: {
              inTime: IN_TIME,
              outTime: null,
              type: null,
              reason1: null,
              reason2: null,
              reportContent: null,
            },
          },
        ],
        unsent: 'yes',
      })),
    )
  reopened.network.next(true)
  await until(async () => (await reopened.db.quickReports.findOne(request.key).exec(true)).unsent === 'no')
  expect(app.writes()).toHaveLength(1)
  const settled = await reopened.db.quickReports.findOne(request.key).exec(true)
  expect(settled.serverId).toBe(doc.serverId)
})

test('[OC3] 500, then success: one entry', async () => {
  const device = await app.open()
  const request = nth(await app.freeRequests(device), 0)
  await app.crm.faults.add({
    id: '500',
    kind: 'status',
    status: 500,
    path: 'quickReport/$',
    method: 'POST',
    count: 2,
  })
  await enter(device, request)
  await app.sent(device)
  expect(await app.reports(request.id)).toHaveLength(1)
})

test('[OC3] 500 although the CRM did it: read back, one entry', async () => {
  const device = await app.open()
  const request = nth(await app.freeRequests(device), 0)
  await app.crm.faults.add({
    ...{ id: '500', kind: 'status', status: 500, after: true },
    ...{ path: 'quickReport/$', method: 'POST', count: 1 },
  })
  await enter(device, request)
  await app.sent(device)
  expect(await app.reports(request.id)).toHaveLength(1)
  expect(app.writes()).toHaveLength(1)
})

test('[OC2][OR3] 400 ec00011: 失敗 with its reason and payload, what depends on it waits, the next record goes', async () => {
  const device = await app.open()
  const [first, second] = await app.freeRequests(device)
  if (!first || !second) throw new Error('two requests expected')
  await app.crm.faults.add({
    ...{ id: 'no', kind: 'status', status: 400, body: { errors: ['ec00011'] } },
    ...{ path: 'quickReport/$', method: 'POST', count: 1 },
  })
  device.network.next(false)
  await enter(device, first)
  await leave(device, [first])
  await enter(device, second)
  device.network.next(true)
  await until(async () => (await app.reports(second.id)).length === 1)
  const queue = await until(async () => {
    const items = await device.queue()
    return items.length === 2 && items
  })
  expect(queue).toMatchObject([
    { change: { kind: 'entry' }, state: 'failed', ledger: { reasons: ['ec00011'], status: 400 } },
    { change: { kind: 'exit' }, state: 'waiting', heldBy: queue[0]?.change.id },
  ])
  expect(JSON.parse(queue[0]?.ledger?.payload ?? '')).toMatchObject({ requestId: first.id, inTime: IN_TIME })
  expect(await app.reports(first.id)).toHaveLength(0)
})

test('[OC3] a captive portal: nothing lost, nothing doubled, sent when it is gone', async () => {
  const device = await app.open()
  const request = nth(await app.freeRequests(device), 0)
  await app.crm.faults.add({ id: 'wifi', kind: 'captivePortal', path: '.', count: 4 })
  await enter(device, request)
  await leave(device, [request])
  await app.sent(device)
  const reports = await app.reports(request.id)
  expect(reports).toHaveLength(1)
  expect(reports[0]).toMatchObject({ outTime: OUT_TIME })
  expect(app.writes().filter(({ acted, method }) => acted && method === 'POST')).toHaveLength(1)
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

test('[OC4] 429 with Retry-After and 503: waits, then sends once', async () => {
  const device = await app.open()
  const request = nth(await app.freeRequests(device), 0)
  const path = { path: 'quickReport/$', method: 'POST', count: 1 }
  await app.crm.faults.add({
    id: '429',
    kind: 'status',
    status: 429,
    headers: { 'Retry-After': '1' },
    ...path,
  })
  await app.crm.faults.add({ id: '503', kind: 'status', status: 503, ...path })
  const before = performance.now()
  await enter(device, request)
  await app.sent(device)
  expect(performance.now() - before).toBeGreaterThan(1_000)
  expect(await app.reports(request.id)).toHaveLength(1)
  expect(app.writes().map(({ status }) => status)).toEqual([429, 503, 200])
})

test('[EX2] a change unsent for a day is not sent by itself; 再送 sends it', async () => {
  const device = await app.open()
  const request = nth(await app.freeRequests(device), 0)
  device.network.next(false)
  await enter(device, request)
  app.phone.now = NOW + 25 * 3_600_000
  device.network.next(true)
  await until(async () => (await states(device))[0] === 'expired')
  expect(app.writes()).toHaveLength(0)
  const [entry] = await device.db.ledger.find().exec()
  await entry?.incrementalPatch({ wish: 'resend' })
  await app.sent(device)
  expect(await app.reports(request.id)).toHaveLength(1)
})

test('[SV2] 再送 of a refused change sends it again; 破棄 takes it and what waits for it', async () => {
  const device = await app.open()
  const [first, second] = await app.freeRequests(device)
  if (!first || !second) throw new Error('two requests expected')
  await app.crm.faults.add({
    ...{ id: 'no', kind: 'status', status: 422, body: { error: 'いまは受け付けません' } },
    ...{ path: 'quickReport/$', method: 'POST', count: 2 },
  })
  await enter(device, first)
  await leave(device, [first])
  await enter(device, second)
  await until(async () => (await states(device)).filter((state) => state === 'failed').length === 2)
  const failed = await device.db.ledger
    .find({ selector: { state: 'refused' }, sort: [{ stamp: 'asc' }] })
    .exec()
  await failed[0]?.incrementalPatch({ wish: 'discard' })
  await failed[1]?.incrementalPatch({ wish: 'resend' })
  await app.sent(device)
  expect(await app.reports(first.id)).toHaveLength(0)
  expect(await app.reports(second.id)).toHaveLength(1)
  expect(await device.db.quickReports.findOne(first.key).exec()).toBeNull()
})

test('[OR3] a record the CRM answers 5xx for ever becomes 失敗, and the next one goes', async () => {
  const device = await app.open()
  const [first, second] = await app.freeRequests(device)
  if (!first || !second) throw new Error('two requests expected')
  await app.crm.faults.add({
    id: '500',
    kind: 'status',
    status: 500,
    path: 'quickReport/$',
    method: 'POST',
    count: 5,
  })
  await enter(device, first)
  await enter(device, second)
  await until(async () => (await app.reports(second.id)).length === 1, 18_000)
  expect(await device.queue()).toMatchObject([
    { state: 'failed', ledger: { reasons: ['systemError'], status: 500 } },
  ])
  expect(TODAY).toBe(second.workingDate)
})
