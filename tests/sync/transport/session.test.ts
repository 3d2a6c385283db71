import { describe, expect, test } from 'vitest'
import { viewOf } from '#data/changes/record-views.ts'
import type { RequestRecord } from '#schemas/resources/request.ts'
import { askDetail } from '#data/fetch-requests/interests.ts'
import { saveEntry } from '#data/resources/quick-report-changes.ts'
import { endpointsOf } from '#sync/transport/endpoints.ts'
import { createHttp } from '#sync/transport/http.ts'
import { atRest } from '../../support/at-rest.ts'
import { ENV, ORIGIN, until, type Device } from '../../support/device.ts'
import { IN_TIME, nth, todayScene } from '../../support/replication.ts'
import { rowsIn } from '../../support/stored-views.ts'

const app = todayScene()

const MINUTE = 60_000
/** Access tokens live half an hour. */
const outlast = () => (app.crmNow += 31 * MINUTE)
const enter = (device: Device, request: RequestRecord) => saveEntry(device.saver(), [request], IN_TIME)
const refreshes = () => app.crm.calls.filter(({ path }) => path.endsWith('/refresh-token'))
const logins = () => app.crm.calls.filter(({ path }) => path.endsWith('/login'))

/** Uses the refresh token up, as a second copy of the session would. */
async function useUpRefreshToken() {
  const { refreshToken } = app.phone.session.value ?? {}
  const http = createHttp({ fetch, securityKey: ENV.securityKey })
  const { refresh } = endpointsOf(ENV, ORIGIN)
  const answer = await http({ method: 'POST', url: refresh, body: JSON.stringify({ refreshToken }) })
  expect(answer).toMatchObject({ status: 200 })
}

/** Holds calls on details and reports at the CRM's door. @returns how many stand there, and a way to let them in */
function holdCalls() {
  const waiting: (() => void)[] = []
  const { fetch } = app.crm
  app.crm.fetch = async (request) => {
    if (/quickReport\/|request\/r/.test(request.url)) await new Promise<void>((goIn) => waiting.push(goIn))
    return fetch(request)
  }
  const letIn = () => {
    app.crm.fetch = fetch
    for (const goIn of waiting) goIn()
  }
  return { waiting, letIn }
}

test('[OC5] five calls at once with an access token that died: one refresh, and all are answered', async () => {
  const { waiting, letIn } = holdCalls()
  const device = await app.open()
  const [request] = await app.freeRequests(device)
  if (!request) throw new Error('a free request expected')
  // two reads that nobody waits for are at the door: those of screens take the places that are left (PL9)
  const others = (await app.freeRequests(device)).slice(1, 4)
  for (const { id, workingDate } of others) await askDetail(device.db, app.phone.now, id, workingDate)
  await enter(device, request)
  await until(() => waiting.length >= 5)
  outlast()
  letIn()
  await app.sent(device)
  await until(() => refreshes().every(({ status }) => status === 200))
  expect(app.crm.calls.filter(({ status }) => status === 401).length).toBeGreaterThanOrEqual(5)
  expect(refreshes()).toHaveLength(1)
  expect(app.writes().filter(({ acted }) => acted)).toHaveLength(1)
  expect(device.session.value).toMatchObject({ expired: false })
})

test('[OC5] a refresh token that died: sending stops, nothing is lost, the same user’s next login sends', async () => {
  const device = await app.open()
  const requests = (await app.freeRequests(device)).slice(0, 3)
  device.network.next(false)
  for (const request of requests) await enter(device, request)
  outlast()
  await useUpRefreshToken()
  device.network.next(true)
  await until(() => device.session.value?.expired === true)
  await until(async () => (await device.queue()).every(({ state }) => state === 'waiting'))
  expect(await device.queue()).toHaveLength(requests.length)

  const before = app.crm.calls.length
  device.network.next(false)
  device.network.next(true)
  await atRest()
  expect(app.crm.calls.length).toBe(before)

  await app.phone.signIn()
  await app.sent(device)
  expect(app.writes().filter(({ acted }) => acted)).toHaveLength(3)
  for (const { id } of requests) expect(await app.reports(id)).toHaveLength(1)
})

test('[OC5a] the CRM is away during the refresh: the session is not timed out, and the change is sent later', async () => {
  const device = await app.open()
  const request = nth(await app.freeRequests(device), 0)
  outlast()
  await app.crm.faults.add({ id: 'down', kind: 'status', status: 503, path: 'refresh-token', count: 2 })
  await enter(device, request)
  await app.sent(device)
  expect(device.session.value).toMatchObject({ expired: false })
  // a call that the phone of an earlier test left on its way may come before
  expect(
    refreshes()
      .map(({ status }) => status)
      .slice(-3),
  ).toEqual([503, 503, 200])
  expect(logins()).toHaveLength(1)
  expect(await app.reports(request.id)).toHaveLength(1)
})

test('[contract 3] 498: the session is timed out, the change waits for the next login', async () => {
  const device = await app.open()
  const request = nth(await app.freeRequests(device), 0)
  await app.crm.faults.add({
    id: '498',
    kind: 'status',
    status: 498,
    path: 'quickReport/$',
    method: 'POST',
    count: 1,
  })
  await enter(device, request)
  await until(() => device.session.value?.expired === true)
  await until(async () => (await device.queue())[0]?.state === 'waiting')
  expect(await app.reports(request.id)).toEqual([])
  await app.phone.signIn()
  await app.sent(device)
  expect(await app.reports(request.id)).toHaveLength(1)
})

test('[SV4] the next user of the phone sees nothing of the first and sends nothing of it', async () => {
  await app.phone.signIn('demo6')
  const first = await app.open()
  const request = nth(await app.freeRequests(first), 0)
  first.network.next(false)
  await enter(first, request)
  await app.close(first)

  await app.phone.signIn('demo5')
  const second = await app.open()
  await app.freeRequests(second)
  expect(await second.queue()).toEqual([])
  expect(await rowsIn(second.db)).toEqual([])
  expect(await viewOf(second.db, 'quickReports', request.key)).toBeNull()
  const own = nth(await app.freeRequests(second), 1)
  await enter(second, own)
  await app.sent(second)
  expect(app.writes().map(({ user }) => user)).toEqual(['demo5'])
  expect(await app.reports(request.id)).toEqual([])
  await app.close(second)

  await app.phone.signIn('demo6')
  const again = await app.open()
  await app.sent(again)
  expect(app.writes().map(({ user }) => user)).toEqual(['demo5', 'demo6'])
  expect(await app.reports(request.id)).toHaveLength(1)
})

test('[SV4] another user signs in while the first one’s app is still open: it sends nothing', async () => {
  const first = await app.open()
  const request = nth(await app.freeRequests(first), 0)
  first.network.next(false)
  await enter(first, request)
  await app.phone.signIn('demo5')
  const before = app.crm.calls.length
  first.network.next(true)
  await atRest()
  expect(app.crm.calls.length).toBe(before)
  expect(await first.queue()).toHaveLength(1)
  expect(app.phone.session.value).toMatchObject({ userName: 'demo5', expired: false })
})

describe('[SV2] another user signs in while a call is under way, and the first is back within seconds', () => {
  async function switchedWhileSending() {
    const { waiting, letIn } = holdCalls()
    const device = await app.open()
    const requests = (await app.freeRequests(device)).slice(0, 3)
    for (const request of requests) await enter(device, request)
    await until(async () => waiting.length > 0 && (await device.queue())[0]?.state === 'sending')
    await app.phone.signIn('demo5')
    return { device, requests, letIn }
  }
  async function eachWentOnce(requests: RequestRecord[]) {
    for (const { id } of requests) expect(await app.reports(id)).toHaveLength(1)
    expect(app.writes().map(({ user }) => user)).toEqual(['demo6', 'demo6', 'demo6'])
  }

  test('before the app has followed: what found no token goes by itself', async () => {
    const { device, requests, letIn } = await switchedWhileSending()
    letIn()
    await until(async () => (await device.queue()).every(({ state }) => state === 'waiting'))
    await app.phone.signIn('demo6')
    await app.sent(device)
    await eachWentOnce(requests)
  })

  test('after the app has followed: what runs for the user anew waits for no lock of before', async () => {
    const { device, requests, letIn } = await switchedWhileSending()
    await app.close(device)
    letIn()
    await app.phone.signIn('demo6')
    const again = await app.open()
    await app.sent(again)
    expect(await again.queue()).toEqual([])
    await eachWentOnce(requests)
  })
})

test('[SV4] a change that names another user is never sent, and is shown as 失敗', async () => {
  const device = await app.open()
  const requests = await app.freeRequests(device)
  await saveEntry({ ...device.saver(), userId: 'u-other' }, [nth(requests, 0)], IN_TIME)
  await enter(device, nth(requests, 1))
  await until(async () => (await app.reports(nth(requests, 1).id)).length === 1)
  expect(app.writes()).toHaveLength(1)
  const queue = await until(async () => {
    const items = await device.queue()
    return items.length === 1 && items
  })
  expect(queue).toMatchObject([{ state: 'failed', progress: { reasons: ['otherUser'] } }])
})
