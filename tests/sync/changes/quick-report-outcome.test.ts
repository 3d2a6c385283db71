import { beforeEach, expect, test } from 'vitest'
import { until } from '../../support/device.ts'
import { enter, IN_TIME, ledgerOf, leave, nth, OUT_TIME, todayScene } from '../../support/replication.ts'

const app = todayScene()

/** The waits between calls are this many times shorter than in the app. */
const HASTE = 10
beforeEach(() => void (app.phone.haste = HASTE))

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
  await until(() => app.writes().length === 1)
  expect((await ledgerOf(device)).map(({ state }) => state)).toEqual(['sending'])
  await app.close(device)
  await until(() => app.writes().some(({ acted }) => acted))
  const again = await app.open()
  await app.sent(again)
  expect(await app.reports(request.id)).toHaveLength(1)
  expect(app.writes()).toHaveLength(1)
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
    id: '500',
    kind: 'status',
    status: 500,
    after: true,
    ...{
      path: 'quickReport/$',
      method: 'POST',
      count: 1,
    },
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
    id: 'no',
    kind: 'status',
    status: 400,
    body: { errors: ['ec00011'] },
    ...{
      path: 'quickReport/$',
      method: 'POST',
      count: 1,
    },
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
    { change: { kind: 'entry' }, state: 'failed', progress: { reasons: ['ec00011'], status: 400 } },
    { change: { kind: 'exit' }, state: 'waiting', blockedBy: queue[0]?.change.id },
  ])
  expect(JSON.parse(queue[0]?.progress?.payload ?? '')).toMatchObject({
    requestId: first.id,
    inTime: IN_TIME,
  })
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
  expect(performance.now() - before).toBeGreaterThan(1_000 / HASTE)
  expect(await app.reports(request.id)).toHaveLength(1)
  expect(app.writes().map(({ status }) => status)).toEqual([429, 503, 200])
})

test('[OC3] the browser has sent the entry twice by itself, and the CRM refuses the second: accepted, its exit goes', async () => {
  const device = await app.open()
  const request = nth(await app.freeRequests(device), 0)
  const answer = { kind: 'status', status: 400, body: { errors: ['ec00011'] }, after: true } as const
  await app.crm.faults.add({ id: 'twice', path: 'quickReport/$', method: 'POST', count: 1, ...answer })
  device.network.next(false)
  await enter(device, request)
  await leave(device, [request])
  device.network.next(true)
  await until(async () =>
    (await device.queue()).every(({ state }) => state === 'failed' || state === 'waiting'),
  )
  await until(async () => (await ledgerOf(device)).some(({ settledAt }) => settledAt))
  await app.sent(device)
  expect(await app.reports(request.id)).toMatchObject([{ outTime: OUT_TIME }])
  expect(app.writes().map(({ method }) => method)).toEqual(['POST', 'PUT'])
})
