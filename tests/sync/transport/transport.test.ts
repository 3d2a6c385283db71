import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { endpointsOf, loginCall, type SyncEnv } from '#sync/transport/endpoints.ts'
import { createSigner, createHttp, type HttpCall } from '#sync/transport/http.ts'
import { pageLocks } from '../../support/page-locks.ts'
import { login } from '#sync/transport/login.ts'
import { outcomeOf } from '#sync/transport/outcome.ts'
import { tokyoDay } from '#schemas/instant.ts'
import { atRest } from '../../support/at-rest.ts'

const env: SyncEnv = {
  apiEndpoint: '/api/v1',
  crmEndpoint: 'crm',
  securityEndpoint: 'security',
  securityKey: 'demo-key',
  fileStoreEndpoint: '/doccloud',
}
const URL_ = 'http://crm.test/api/v1/x?a=1&b=%E6%9D%B1'

describe('[contract 1] the addresses', () => {
  test.each([
    ['/api/v1', 'https://app.test', 'https://app.test/api/v1', 'https://app.test/api/check'],
    ['/api/v1/', 'https://app.test', 'https://app.test/api/v1', 'https://app.test/api/check'],
    ['https://crm.test/api/v1', 'https://app.test', 'https://crm.test/api/v1', 'https://crm.test/api/check'],
    ['https://srv1/api/v1', 'https://app.test', 'https://srv1/api/v1', 'https://srv1/api/check'],
    ['https://crm.test/ev1/v1', 'https://app.test', 'https://crm.test/ev1/v1', 'https://crm.test/ev1/check'],
    ['/srv1/v1', 'https://app.test', 'https://app.test/srv1/v1', 'https://app.test/srv1/check'],
    ['https://v1/v1', 'https://app.test', 'https://v1/v1', 'https://v1/check'],
    ['https://v1.crm.test/v1', 'https://app.test', 'https://v1.crm.test/v1', 'https://v1.crm.test/check'],
    [
      'https://crm.test/v1/main',
      'https://app.test',
      'https://crm.test/v1/main',
      'https://crm.test/check/main',
    ],
    [
      'https://crm.test:8443/v10/v1',
      'https://a.test',
      'https://crm.test:8443/v10/v1',
      'https://crm.test:8443/v10/check',
    ],
  ])('%s seen from %s', (apiEndpoint, origin, api, probe) => {
    expect(endpointsOf({ ...env, apiEndpoint }, origin)).toEqual({
      rest: `${api}/crm-rest/spa`,
      login: `${api}/crm/login`,
      files: `${origin}/doccloud`,
      refresh: `${api}/security/refresh-token`,
      probe,
    })
  })
})

describe('[contract 2] the signature', () => {
  const wanted = (key: string, text: string) => createHmac('sha256', key).update(text).digest('hex')
  test.each([
    ['GET', '/api/v1/crm-rest/spa/request/search?limit=50&locationName=%E6%9D%B1', ''],
    ['POST', '/api/v1/crm-rest/spa/quickReport/', '{"reportContent":"完了 🔧\\n"}'],
  ])('of %s %s', async (method, path, body) => {
    const signature = await createSigner('demo-key')(method, path, body)
    expect(signature).toBe(wanted('demo-key', `${method}\n${path}\n${body}`))
    expect(signature).toMatch(/^[0-9a-f]{64}$/)
  })
  test('with a key that is missing, calls still leave', async () => {
    expect(await createSigner('')('GET', '/x', '')).toBe(wanted('', 'GET\n/x\n'))
  })
})

/** A network that answers as told; keeps what was sent. */
function network(answer: (request: Request) => Response | Promise<Response>) {
  const sent: Request[] = []
  const fetch = async (...args: Parameters<typeof globalThis.fetch>) => {
    const request = new Request(...args)
    sent.push(request)
    return answer(request)
  }
  return { sent, http: createHttp({ fetch, securityKey: 'demo-key', timeoutMs: 60 }) }
}
const endless = (request: Request, controller?: ReadableStreamDefaultController) =>
  request.signal.addEventListener('abort', () => controller?.error(request.signal.reason))
const call: HttpCall = { method: 'POST', url: URL_, body: '{"a":1}' }

describe('[OC3] a call ends as an answer, never as an exception', () => {
  test.each<[string, (request: Request) => Response | Promise<Response>]>([
    ['the network is gone', () => Promise.reject(new TypeError('Failed to fetch'))],
    ['the call was given up', () => Promise.reject(new DOMException('Aborted', 'AbortError'))],
    ['an error of no known kind', () => Promise.reject(new Error('boom'))],
    [
      'no answer in time',
      (request) =>
        new Promise((_, no) => request.signal.addEventListener('abort', () => no(request.signal.reason))),
    ],
    [
      'an answer that breaks off',
      () => new Response(new ReadableStream({ pull: (body) => body.error(new TypeError('terminated')) })),
    ],
    [
      'an answer that stalls after its first bytes',
      (request) =>
        new Response(
          new ReadableStream({
            start(body) {
              body.enqueue(new TextEncoder().encode('[{'))
              endless(request, body)
            },
          }),
        ),
    ],
  ])('%s: nobody knows what became of it', async (_, answer) => {
    const { http, sent } = network(answer)
    expect(await http(call)).toEqual({ kind: 'no-answer', sent: true })
    expect(sent).toHaveLength(1)
  })

  test('[PL11] of a file without end no more is read than a photo can have, and it is none', async () => {
    const piece = new Uint8Array(1024 * 1024)
    const endless = new ReadableStream<Uint8Array>({ pull: (body) => body.enqueue(piece) })
    const { http } = network(() => new Response(endless, { headers: { 'content-type': 'image/jpeg' } }))
    const answer = await http({ ...call, bytes: true })
    expect(answer).toMatchObject({ kind: 'answer', status: 200, body: new ArrayBuffer(0) })
  })

  test.each<[string, Response, object]>([
    ['JSON', Response.json({ id: 'q1' }), { status: 200, body: { id: 'q1' }, isJson: true }],
    [
      'JSON of another type',
      new Response('[]', { headers: { 'content-type': 'text/html' } }),
      { body: [], isJson: true },
    ],
    ['HTML', new Response('<html>'), { status: 200, body: '<html>', isJson: false }],
    [
      'HTML that calls itself JSON',
      new Response('<html>', { headers: { 'content-type': 'application/json' } }),
      { isJson: false },
    ],
    ['nothing', new Response(null, { status: 204 }), { status: 204, body: '', isJson: false }],
    ['an empty text', new Response(''), { status: 200, isJson: false }],
    [
      'an error',
      Response.json({ errors: 'ec00012' }, { status: 400 }),
      { status: 400, body: { errors: 'ec00012' } },
    ],
    ['a 500 with a page', new Response('<h1>', { status: 500 }), { status: 500, isJson: false }],
    ['the unofficial 498', new Response('x', { status: 498 }), { status: 498 }],
  ])('%s', async (_, response, wanted) => {
    const { http, sent } = network(() => response)
    expect(await http(call)).toMatchObject({ kind: 'answer', ...wanted })
    // [OC6] not once more behind our back
    expect(sent).toHaveLength(1)
  })

  test.each([
    ['118', 118],
    ['many', null],
    ['', null],
    [' 118 ', 118],
    ['-1', null],
    ['1e9', null],
    [null, null],
  ])('x-total-count %j is read as %s', async (header, total) => {
    const headers = { 'retry-after': '2', ...(header !== null && { 'x-total-count': header }) }
    const answer = await network(() => Response.json([], { headers })).http({ method: 'GET', url: URL_ })
    expect(answer).toMatchObject({ total, retryAfter: '2' })
  })
})

describe('[OC7b] a redirect is nobody’s word', () => {
  const server = createServer((request, response) => {
    const [, status] = /^\/(3\d\d)$/.exec(request.url ?? '') ?? []
    if (status) return response.writeHead(Number(status), { location: '/login' }).end()
    hops.push(`${request.method} ${request.url}`)
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"id":"q1"}')
  })
  const hops: string[] = []
  let at = ''
  beforeAll(async () => {
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    at = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterAll(() => server.close())

  const calls = (['GET', 'POST', 'PUT'] as const).flatMap((method) =>
    [301, 302, 303, 307, 308].map((status) => [method, status] as const),
  )
  test.each(calls)('a %s that is answered %d is not followed, and not done', async (method, status) => {
    const http = createHttp({ fetch, securityKey: 'k' })
    const answer = await http({ method, url: `${at}/${status}`, ...(method !== 'GET' && { body: '{}' }) })
    expect(hops.splice(0)).toEqual([])
    for (const call of ['read', 'write'] as const)
      expect(outcomeOf(answer, call, 0)).toEqual({ kind: 'unknown', status })
  })

  const as = (what: PropertyDescriptorMap, response: Response) => Object.defineProperties(response, what)
  test.each<[string, Response]>([
    ['a browser that says no more than that', as({ type: { value: 'opaqueredirect' } }, Response.error())],
    ['followed all the same, to JSON', as({ redirected: { value: true } }, Response.json({ id: 'q1' }))],
    ['… to nothing at all', as({ redirected: { value: true } }, new Response(null, { status: 204 }))],
    [
      '… to a record that is not there',
      as({ redirected: { value: true } }, new Response('', { status: 404 })),
    ],
    ['… to a refusal', as({ redirected: { value: true } }, Response.json({ error: 'x' }, { status: 400 }))],
    ['… to a bad token', as({ redirected: { value: true } }, Response.json({}, { status: 401 }))],
  ])('%s', async (_, response) => {
    const answer = await network(() => response).http(call)
    for (const each of ['read', 'write'] as const)
      expect(outcomeOf(answer, each, 0)).toEqual({ kind: 'unknown', status: 302 })
    expect(login(answer, 'demo6')).toEqual({ kind: 'unexpected', status: 302 })
  })
})

test('[contract 2] the signature covers the very text that is sent', async () => {
  const { http, sent } = network(() => Response.json({}))
  const body = '{"reportContent":"完了 🔧"}'
  await http({ method: 'PUT', url: URL_, body, headers: { Authorization: 'Bearer t' } })
  const [request] = sent
  const text = (await request?.text()) ?? ''
  const path = '/api/v1/x?a=1&b=%E6%9D%B1'
  expect(text).toBe(body)
  expect(request?.headers.get('x-signature')).toBe(
    createHmac('sha256', 'demo-key').update(`PUT\n${path}\n${text}`).digest('hex'),
  )
  expect(request?.headers.get('authorization')).toBe('Bearer t')
  expect(request?.headers.get('content-type')).toContain('application/json')
})

test('[contract 2] the probe is not signed', async () => {
  const { http, sent } = network(() => new Response(null, { status: 204 }))
  await http({ method: 'GET', url: URL_, signed: false })
  expect(sent[0]?.headers.has('x-signature')).toBe(false)
})

describe('[contract 4] login', () => {
  const userInfo = { id: 'u-1', userFlag: '6', loginUserName: '佐々木 翔' }
  const pair = { accessToken: 'a', refreshToken: 'r' }
  const call = loginCall('http://crm.test/login', { userName: 'demo 6', password: 'p&=あ' })
  const signIn = async (answer: () => Response | Promise<Response>) =>
    login(await network(answer).http(call), 'demo6')

  test.each<[string, () => Response | Promise<Response>, object]>([
    [
      '200',
      () => Response.json({ ...pair, userInfo }),
      { kind: 'signed-in', session: { ...pair, userName: 'demo6', expired: false } },
    ],
    ['200 without tokens', () => Response.json({ userInfo }), { kind: 'unexpected', status: 200 }],
    ['200 with a page', () => new Response('<html>'), { kind: 'unexpected', status: 200 }],
    [
      '400 with the CRM’s text',
      () => Response.json({ error: '違います' }, { status: 400 }),
      { kind: 'refused', reasons: ['違います'] },
    ],
    ['401', () => Response.json({ error: '署名' }, { status: 401 }), { kind: 'refused', reasons: [] }],
    ['429', () => new Response('', { status: 429 }), { kind: 'busy' }],
    ['429 in JSON', () => Response.json({ error: 'Rate limit' }, { status: 429 }), { kind: 'busy' }],
    ['500', () => new Response('', { status: 500 }), { kind: 'unexpected', status: 500 }],
    ['503', () => new Response('', { status: 503 }), { kind: 'busy' }],
    ['no answer', () => Promise.reject(new TypeError('Failed to fetch')), { kind: 'unreachable' }],
  ])('%s', async (_, answer, wanted) => expect(await signIn(answer)).toMatchObject(wanted))

  test('is form-encoded', async () => {
    const { http, sent } = network(() => new Response('', { status: 401 }))
    await http(call)
    expect(sent[0]?.headers.get('content-type')).toContain('application/x-www-form-urlencoded')
    const form = new URLSearchParams(await sent[0]?.text())
    expect(Object.fromEntries(form)).toEqual({ userName: 'demo 6', password: 'p&=あ' })
  })
})

test('a lock within the page lets one through at a time, also after a failure', async () => {
  const locks = pageLocks()
  const log: string[] = []
  const run = (name: string, fails = false) =>
    locks.request('lock', async () => {
      log.push(`${name} in`)
      // another one would come in by then
      await atRest(3)
      log.push(`${name} out`)
      if (fails) throw new Error(name)
      return name
    })
  const ends = await Promise.allSettled([run('a'), run('b', true), run('c')])
  expect(log).toEqual(['a in', 'a out', 'b in', 'b out', 'c in', 'c out'])
  expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
})

test.each([
  ['2026-11-20T14:59:59Z', 0, '2026-11-20'],
  ['2026-11-20T15:00:00Z', 0, '2026-11-21'],
  ['2026-12-31T15:00:00Z', -1, '2026-12-31'],
  ['2028-02-28T15:00:00Z', 14, '2028-03-14'],
])('[spec 9] at %s, %d days on, it is %s in Tokyo', (at, days, day) => {
  expect(tokyoDay(Date.parse(at), days)).toBe(day)
})
