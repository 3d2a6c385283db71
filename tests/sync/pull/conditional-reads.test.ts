import { describe, expect, test } from 'vitest'
import type { Session } from '#schemas/device/session.ts'
import { createApi, createOptionalHeader, type AnswerCache, type CachedAnswer } from '#sync/scheduler/api.ts'
import { createHttp } from '#sync/transport/http.ts'
import { pageLocks } from '../../support/page-locks.ts'
import { createSessionTokens } from '#sync/transport/session-tokens.ts'
import { newScheduler } from '../../support/scheduler.ts'

const session: Session = {
  userName: 'demo6',
  expired: false,
  accessToken: 'a',
  refreshToken: 'r',
  userInfo: { id: 'u-1', userFlag: 6, loginUserName: '佐々木 翔' },
}

/** A store as it is in memory; what it was asked for is told. */
function memoryAnswers() {
  const kept = new Map<string, CachedAnswer>()
  const confirmed: string[] = []
  const answers: AnswerCache = {
    get: async (url) => kept.get(url),
    put: (url, answer) => void kept.set(url, answer),
    confirm: (url) => void confirmed.push(url),
    remove: (url) => void kept.delete(url),
    expire: async () => undefined,
  }
  return { kept, confirmed, answers }
}

/** The calls of one user to a network that answers as told; keeps what was sent. */
function signedIn(answer: (request: Request) => Response, { answers } = memoryAnswers()) {
  const sent: Request[] = []
  const fetch = async (...args: Parameters<typeof globalThis.fetch>) => {
    const request = new Request(...args)
    sent.push(request)
    return answer(request)
  }
  const http = createHttp({ fetch, securityKey: 'demo-key' })
  const store = { read: async () => session, replace: async () => true }
  const refreshUrl = 'http://crm.test/refresh'
  const tokens = createSessionTokens({
    store,
    http,
    locks: pageLocks(),
    refreshUrl,
    userId: 'u-1',
  })
  const rest = 'http://crm.test/rest'
  return {
    sent,
    api: createApi({
      http,
      scheduler: newScheduler(),
      tokens,
      rest,
      now: Date.now,
      answers,
      begin: () => () => undefined,
    }),
  }
}

const LIST = 'request/search'
const QUERY = { supplierStaffId: 'ss-1', limit: 50 }
const tagsOf = (sent: Request[]) => sent.map(({ headers }) => headers.get('if-none-match'))

/** Answers as a CRM with ETags does: what still holds with 304. */
const withTag =
  (body: unknown, tag: string, headers: Record<string, string> = {}) =>
  (request: Request) =>
    request.headers.get('if-none-match') === tag
      ? new Response(null, { status: 304, headers: { etag: tag, ...headers } })
      : Response.json(body, { headers: { etag: tag, 'x-total-count': '118', ...headers } })

describe('[decisions/pull] no answer of the API lies in the browser’s cache', () => {
  test('not of a pull, a read-back, a write or the renewal of a token', async () => {
    const { api, sent } = signedIn((request) =>
      request.method === 'GET' ? Response.json([]) : new Response(null, { status: 401 }),
    )
    await api.read(LIST, QUERY)
    await api.read('supplierStaff/s-1', { loginUserId: 'ss-1' })
    await api.fresh.read(LIST, QUERY)
    await api.write({ method: 'PUT', path: 'quickReport/q1', body: {} })
    expect(sent.map(({ url, cache }) => [new URL(url).pathname, cache])).toEqual([
      ['/rest/request/search', 'no-store'],
      ['/rest/supplierStaff/s-1', 'no-store'],
      ['/rest/request/search', 'no-store'],
      ['/rest/quickReport/q1', 'no-store'],
      ['/refresh', 'no-store'],
    ])
  })
})

describe('[decisions/pull] what still holds is not sent again', () => {
  test.each(['"1"', 'W/"1"'])(
    'a read asks with the tag %s of what is kept, and a 304 is that',
    async (tag) => {
      const { api, sent } = signedIn(withTag([{ id: 'r1' }], tag))
      const first = await api.read(LIST, QUERY)
      const second = await api.read(LIST, QUERY)
      expect(tagsOf(sent)).toEqual([null, tag])
      expect(first).toMatchObject({ kind: 'accepted', status: 200, body: [{ id: 'r1' }], total: 118 })
      expect(second).toEqual(first)
    },
  )

  test('[OC3][MG3] a read-back asks for the whole answer, each time, and keeps none', async () => {
    const { api, sent } = signedIn(withTag({ id: 'q1' }, '"1"'))
    await api.read('quickReport/q1')
    await Promise.all([api.fresh.read('quickReport/q1'), api.fresh.read('quickReport/q1')])
    expect(tagsOf(sent)).toEqual([null, null, null])
  })

  test('another page of the list is another answer', async () => {
    const { api, sent } = signedIn(withTag([], '"1"'))
    await api.read(LIST, { ...QUERY, offset: 1 })
    await api.read(LIST, { ...QUERY, offset: 51 })
    expect(tagsOf(sent)).toEqual([null, null])
  })

  test('what has changed takes the place of what was kept', async () => {
    const store = memoryAnswers()
    const first = signedIn(withTag(['old'], '"1"'), store)
    await first.api.read(LIST, QUERY)
    const second = signedIn(withTag(['new'], '"2"'), store)
    expect(await second.api.read(LIST, QUERY)).toMatchObject({ body: ['new'] })
    expect(await second.api.read(LIST, QUERY)).toMatchObject({ body: ['new'] })
    expect(tagsOf(second.sent)).toEqual(['"1"', '"2"'])
  })

  test('a 304 of another answer, or of one that cannot be read any more, is read whole', async () => {
    const store = memoryAnswers()
    const answer = (request: Request) =>
      request.headers.has('if-none-match')
        ? new Response(null, { status: 304, headers: { etag: '"2"' } })
        : Response.json(['whole'], { headers: { etag: '"2"' } })
    const { api, sent } = signedIn(answer, store)
    const url = `http://crm.test/rest/${LIST}`
    store.kept.set(url, { etag: '"1"', text: '["old"]', total: null })
    expect(await api.read(LIST)).toMatchObject({ kind: 'accepted', body: ['whole'] })
    store.kept.set(url, { etag: '"2"', text: '["brok', total: null })
    expect(await api.read(LIST)).toMatchObject({ kind: 'accepted', body: ['whole'] })
    expect(tagsOf(sent)).toEqual(['"1"', null, '"2"', null])
  })

  test('[PL1] a 304 that nobody asked for says nothing about the list', async () => {
    const { api } = signedIn(() => new Response(null, { status: 304, headers: { etag: '"1"' } }))
    expect(await api.read(LIST)).toEqual({ kind: 'unknown', status: 304 })
  })

  test('the total is the one the answer came with, and of a 304 that says one, its own', async () => {
    let total = '118'
    const { api } = signedIn((request) => withTag(['r1'], '"1"', { 'x-total-count': total })(request))
    expect(await api.read(LIST)).toMatchObject({ body: ['r1'], total: 118 })
    total = '119'
    expect(await api.read(LIST)).toMatchObject({ body: ['r1'], total: 119 })
  })

  test('what is not there any more is not kept', async () => {
    const store = memoryAnswers()
    let isGone = false
    const { api } = signedIn(
      (request) => (isGone ? new Response(null, { status: 404 }) : withTag({ id: 'q1' }, '"1"')(request)),
      store,
    )
    await api.read('quickReport/q1')
    expect(store.kept.size).toBe(1)
    isGone = true
    await api.read('quickReport/q1')
    expect(store.kept.size).toBe(0)
  })

  test.each([null, '', 'abc', '"a b"', `"${'x'.repeat(300)}"`])(
    'a tag that is none is not kept: %s',
    async (tag) => {
      const store = memoryAnswers()
      const { api } = signedIn(() => Response.json([], { headers: tag ? { etag: tag } : {} }), store)
      await api.read(LIST)
      expect(store.kept.size).toBe(0)
    },
  )

  test('[OC10] the circuit takes a 304 to a condition for an answer', async () => {
    const circuit = newScheduler()
    const http = circuit.guard(async () => ({
      kind: 'answer',
      status: 304,
      body: '',
      isJson: false,
      total: null,
      retryAfter: null,
    }))
    for (let call = 0; call < 5; call += 1)
      await http({ method: 'GET', url: 'http://crm.test/a', headers: { 'If-None-Match': '"1"' } })
    expect(circuit.failures()).toBe(0)
    await http({ method: 'GET', url: 'http://crm.test/a' })
    expect(circuit.failures()).toBe(1)
  })

  test('[EX3] a 304 says the CRM’s time, too', async () => {
    const heard: (number | null)[] = []
    const fetch = async () =>
      new Response(null, { status: 304, headers: { date: 'Fri, 20 Nov 2026 01:00:00 GMT' } })
    const http = createHttp({ fetch, securityKey: 'k', onServerTime: (_, { date }) => heard.push(date) })
    await http({ method: 'GET', url: 'http://crm.test/a', headers: { 'If-None-Match': '"1"' } })
    await http({ method: 'GET', url: 'http://crm.test/a' })
    expect(heard).toEqual([Date.parse('2026-11-20T10:00:00+09:00')])
  })
})

describe('[contract 2] where another origin does not allow the condition', () => {
  test('the browser sends nothing, and the reads go on without it', async () => {
    const store = memoryAnswers()
    const urls = Array.from({ length: 30 }, (_, n) => `http://crm.test/rest/request/r${n}`)
    for (const url of urls) store.kept.set(url, { etag: '"1"', text: '{}', total: null })
    const { api, sent } = signedIn((request) => {
      if (request.headers.has('if-none-match')) throw new TypeError('Failed to fetch')
      return Response.json({ id: 'r' })
    }, store)
    for (const url of urls) await api.read(url.slice('http://crm.test/rest/'.length))
    expect(tagsOf(sent).filter(Boolean)).toHaveLength(4)
    expect(tagsOf(sent).slice(-20)).toEqual(Array.from({ length: 20 }, () => null))
  })

  test('the signal comes and goes: the conditions stay', () => {
    const [answered, lost] = [true, false]
    const header = createOptionalHeader(3)
    for (let outage = 0; outage < 20; outage += 1) {
      header.ended(true, lost)
      header.ended(true, lost)
      expect(header.isAllowed()).toBe(false)
      header.ended(false, lost)
      header.ended(false, answered)
      expect(header.isAllowed()).toBe(true)
      header.ended(true, answered)
    }
  })
})
