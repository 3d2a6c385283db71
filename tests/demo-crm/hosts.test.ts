import 'fake-indexeddb/auto'
import { createServer } from 'node:http'
import { afterEach, describe, expect, test } from 'vitest'
import { openBrowserDemoCrm } from '#demo-crm/browser-host.ts'
import { demoCrmMiddleware } from '#demo-crm/node-host.ts'
import { startMswHost } from '../support/msw-host.ts'
import { answered, env, MORNING, openHarness, ORIGIN, REST, sign } from './harness.ts'

const stops: (() => unknown)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

const LOGIN = 'userName=demo6&password=password'
const loginRequest = (origin: string) =>
  new Request(`${origin}/api/v1/crm/login`, {
    method: 'POST',
    headers: { 'x-signature': sign('POST', '/api/v1/crm/login', LOGIN) },
    body: LOGIN,
  })

async function upload(origin: string, bytes: Uint8Array<ArrayBuffer>) {
  const { accessToken } = await (await fetch(loginRequest(origin))).json()
  const tokenBody = '{"userInfo":{"id":"u"}}'
  const headers = {
    authorization: `Bearer ${accessToken}`,
    'x-signature': sign('POST', '/doccloud/token', tokenBody),
  }
  const token = await fetch(`${origin}/doccloud/token`, { method: 'POST', headers, body: tokenBody })
  const form = new FormData()
  form.set('Filedata', new File([bytes], '写真.jpg'))
  return fetch(`${origin}/doccloud/openapp/v1/files/upload/sf-x`, {
    method: 'POST',
    headers: { access_token: (await token.json()).access_token },
    body: form,
  })
}

const bytes = Uint8Array.from({ length: 300 }, (_, i) => i % 256)

async function startMsw() {
  const harness = await openHarness()
  const { stop } = startMswHost(harness.crm, { origin: ORIGIN })
  stops.push(stop)
  return harness
}

describe('the MSW host', () => {
  test('passes method, headers and body through, and the answer back', async () => {
    await startMsw()
    const { status, json } = await answered(await fetch(loginRequest(ORIGIN)))
    expect([status, json.userInfo.userFlag]).toEqual([200, 6])
    const path = `${REST}/request/search?limit=3&locationName=${encodeURIComponent('ピット')}`
    const headers = { 'x-signature': sign('GET', path, ''), authorization: `Bearer ${json.accessToken}` }
    const found = await fetch(ORIGIN + path, { headers })
    expect(Number(found.headers.get('x-total-count'))).toBeGreaterThan(3)
    expect(await found.json()).toHaveLength(3)
  })

  test('passes an upload’s bytes through', async () => {
    const { crm } = await startMsw()
    expect((await upload(ORIGIN, bytes)).ok).toBe(true)
    expect((await crm.inspect()).files).toMatchObject([{ name: '写真.jpg', size: 300 }])
  })

  test.each(['unreachable', 'lostAnswer'] as const)('%s is a TypeError of fetch', async (kind) => {
    const { crm } = await startMsw()
    await crm.faults.add({ id: 'f', kind, path: 'login', count: 1 })
    await expect(fetch(loginRequest(ORIGIN))).rejects.toThrow(TypeError)
    expect(crm.calls.at(-1)?.acted).toBe(kind === 'lostAnswer')
  })

  test('a status that Response would not make gets through', async () => {
    const { crm } = await startMsw()
    await crm.faults.add({ id: 'f', kind: 'status', status: 498, path: 'login', count: 1 })
    expect((await fetch(loginRequest(ORIGIN))).status).toBe(498)
  })
})

async function startNode() {
  const harness = await openHarness()
  const middleware = demoCrmMiddleware(harness.crm)
  const server = createServer((req, res) =>
    middleware(req, res, () => {
      res.end('the app')
    }),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  stops.push(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  const origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  const post = (path: string, body: unknown = {}) =>
    fetch(origin + path, { method: 'POST', body: JSON.stringify(body) })
  return { ...harness, origin, post }
}

describe('the node host, over a socket', () => {
  test('serves the CRM, the probe and the file store, and leaves the rest to the next', async () => {
    const { origin, crm } = await startNode()
    expect((await fetch(loginRequest(origin))).status).toBe(200)
    expect((await fetch(`${origin}/api/check`)).ok).toBe(true)
    expect((await upload(origin, bytes)).ok).toBe(true)
    expect((await crm.inspect()).files).toMatchObject([{ size: 300 }])
    expect(await (await fetch(`${origin}/request`)).text()).toBe('the app')
  })

  test.each(['unreachable', 'lostAnswer'])('%s: the connection dies', async (kind) => {
    const { origin, post } = await startNode()
    await post('/__demo/faults', [{ id: 'f', kind, path: 'login', count: 1 }])
    await expect(fetch(loginRequest(origin))).rejects.toThrow(TypeError)
    expect((await fetch(loginRequest(origin))).status).toBe(200)
  })

  test('the control endpoints: state, calls, faults, other-company, reset', async () => {
    const { origin, post } = await startNode()
    const read = async (path: string) => (await fetch(origin + path)).json()
    const state = await read('/__demo/state?from=2026-11-20&to=2026-11-20')
    expect(state.requests.length).toBeGreaterThanOrEqual(7)
    expect(await read('/__demo/calls')).toHaveLength(1)
    await post('/__demo/faults', [{ id: 'a', kind: 'unreachable', path: 'x', count: 1 }])
    const replaced = await post('/__demo/faults', [])
    expect(await replaced.json()).toEqual([])
    const { done } = await (await post('/__demo/other-company')).json()
    expect(done).toContain('現場メモ')
    const after = await read('/__demo/state')
    expect(after.notes).toHaveLength(state.notes.length + 1)
    await post('/__demo/reset')
    expect((await read('/__demo/state')).notes).toHaveLength(state.notes.length)
    expect(await read('/__demo/calls')).toEqual([])
    expect((await fetch(`${origin}/__demo/nothing`)).status).toBe(404)
  })
})

const now = () => MORNING

describe('the browser host', () => {
  test('keeps deltas, files and faults over a reload, in its own database, with the marker', async () => {
    const crm = await openBrowserDemoCrm(env, now)
    const { json } = await answered(await crm.fetch(loginRequest(ORIGIN)))
    await crm.actAsOtherCompany()
    await crm.faults.add({ id: 'f', kind: 'delay', path: 'x', count: 'always', ms: 1 })
    const reloaded = await openBrowserDemoCrm(env, now)
    expect(await reloaded.faults.list()).toHaveLength(1)
    expect((await reloaded.inspect()).notes.filter(({ origin }) => origin === 'call')).toHaveLength(1)
    const path = `${REST}/request/search?limit=1`
    const headers = { 'x-signature': sign('GET', path, ''), authorization: `Bearer ${json.accessToken}` }
    expect((await reloaded.fetch(new Request(ORIGIN + path, { headers }))).status).toBe(200)
    expect((await indexedDB.databases()).map(({ name }) => name)).toContain('genba-demo-crm')
    await reloaded.reset()
    expect((await reloaded.inspect()).notes.some(({ origin }) => origin === 'call')).toBe(false)
    expect((await reloaded.fetch(new Request(ORIGIN + path, { headers }))).status).toBe(401)
  })
})
