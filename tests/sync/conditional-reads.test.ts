import { describe, expect, test } from 'vitest'
import type { Session } from '#schemas/session.ts'
import { createApi } from '#sync/transport/api.ts'
import { createHttp } from '#sync/transport/http.ts'
import { createLocks } from '#sync/transport/locks.ts'
import { createSessionTokens } from '#sync/transport/session-tokens.ts'

const session: Session = {
  userName: 'demo6',
  expired: false,
  accessToken: 'a',
  refreshToken: 'r',
  userInfo: { id: 'u-1', userFlag: 6, loginUserName: '佐々木 翔' },
}

/** The calls of one user to a network that answers as told; keeps what was sent. */
function signedIn(answer: (request: Request) => Response) {
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
    locks: createLocks(undefined),
    refreshUrl,
    userId: 'u-1',
  })
  const rest = 'http://crm.test/rest'
  return { sent, api: createApi({ http, tokens, rest, now: Date.now, begin: () => () => undefined }) }
}

describe('[decision 0023] who may be answered from what the browser keeps', () => {
  const ok = () => Response.json([])
  test('a pull, once the CRM has said that it still holds', async () => {
    const { api, sent } = signedIn(ok)
    await api.read('request/search', { supplierStaffId: 'ss-1', limit: 50 })
    await api.read('supplierStaff/s-1', { loginUserId: 'ss-1' })
    expect(sent.map(({ cache }) => cache)).toEqual(['no-cache', 'no-cache'])
  })

  test.each([undefined, {}, { supplierStaffId: '' }, { supplierStaffId: undefined, limit: 50 }])(
    '[SV4] not a read whose address does not say whose it is: %o',
    async (query) => {
      const { api, sent } = signedIn(ok)
      await api.read('quickReport/q1', query)
      expect(sent.map(({ cache }) => cache)).toEqual(['no-store'])
    },
  )

  test('[OC3] not a read-back: it asks for the whole answer and keeps none', async () => {
    const { api, sent } = signedIn(ok)
    await api.fresh.read('request/search', { supplierStaffId: 'ss-1', limit: 50 })
    expect(sent.map(({ cache }) => cache)).toEqual(['no-store'])
  })

  test('[MG3][OC3] each of them is a call of its own: never one under way, nor one just answered', async () => {
    const { api, sent } = signedIn(ok)
    const query = { loginUserId: 'ss-1' }
    const { read } = api.fresh
    await Promise.all([
      api.read('quickReport/q1', query),
      read('quickReport/q1', query),
      read('quickReport/q1', query),
    ])
    await read('quickReport/q1', query)
    expect(sent.filter(({ cache }) => cache === 'no-store')).toHaveLength(3)
  })

  test('not a write, and not the renewal of a token', async () => {
    const { api, sent } = signedIn(() => new Response(null, { status: 401 }))
    await api.write({ method: 'PUT', path: 'quickReport/q1', body: {} })
    expect(sent.map(({ url, cache }) => [new URL(url).pathname, cache])).toEqual([
      ['/rest/quickReport/q1', 'no-store'],
      ['/refresh', 'no-store'],
    ])
  })

  test('[contract 2] a call has no header of ours for it: another origin would have to allow one', async () => {
    const { api, sent } = signedIn(() => Response.json([], { headers: { etag: '"1"' } }))
    await api.read('request/r1', { supplierStaffId: 'ss-1' })
    await api.read('request/r1', { supplierStaffId: 'ss-1' })
    expect(sent.map(({ headers }) => [...headers.keys()])).toEqual([
      ['accept', 'authorization', 'x-signature'],
      ['accept', 'authorization', 'x-signature'],
    ])
  })

  test('[PL1] a 304 that the browser could not answer says nothing about the list', async () => {
    const { api } = signedIn(() => new Response(null, { status: 304, headers: { etag: '"1"' } }))
    expect(await api.read('request/search')).toEqual({ kind: 'unknown', status: 304 })
  })

  test('the total is the one the answer came with', async () => {
    const { api } = signedIn(() => Response.json([{ id: 'r1' }], { headers: { 'x-total-count': '118' } }))
    expect(await api.read('request/search')).toMatchObject({ body: [{ id: 'r1' }], total: 118 })
  })
})
