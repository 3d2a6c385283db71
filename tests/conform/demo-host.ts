/** The demo CRM over `node:http` as an operator would set it up: with keys honoured, a limit of calls, and CORS in front. */
import { createServer } from 'node:http'
import { createDemoCrm, type DemoCrmOptions } from '#demo-crm/demo-crm.ts'
import { demoCrmMiddleware } from '#demo-crm/node-host.ts'
import { createMemoryStore } from '#demo-crm/world/store.ts'

export const env = {
  apiEndpoint: '/api/v1',
  crmEndpoint: 'crm',
  securityEndpoint: 'security',
  securityKey: 'demo-key',
  fileStoreEndpoint: '/doccloud',
}
export const APP_ORIGIN = 'https://app.example'

/** Friday 2026-11-20, 10:00 in Tokyo, and on from there: the seed is the same whenever the test runs. */
const aheadMs = Date.parse('2026-11-20T10:00:00+09:00') - Date.now()
export const demoNow = () => Date.now() + aheadMs

export type Fetch = (request: Request) => Promise<Response>
/** Stands between the caller and what is behind it. */
export type Layer = (next: Fetch) => Fetch

const EXPOSED = 'ETag, x-total-count, Retry-After, Date'
const ALLOWED =
  'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, X-Signature, access_token'

/** A copy with other headers; null removes. */
export function withHeaders(response: Response, more: Record<string, string | null>): Response {
  const headers = new Headers(response.headers)
  for (const [name, value] of Object.entries(more))
    if (value === null) headers.delete(name)
    else headers.set(name, value)
  return new Response(response.body, { status: response.status, headers })
}

const cors: Layer = (next) => async (request) => {
  const open = { 'access-control-allow-origin': APP_ORIGIN, 'access-control-expose-headers': EXPOSED }
  if (request.method !== 'OPTIONS') return withHeaders(await next(request), open)
  const headers = {
    ...open,
    'access-control-allow-headers': ALLOWED,
    'access-control-allow-methods': 'GET, POST, PUT',
  }
  return new Response(null, { status: 204, headers })
}

const AT_ONCE = 8
const HELD_MS = 250

/** More than so many single-row reads at once are too many; each is held for a moment, so that they do meet. */
const limited: Layer = (next) => {
  let inside = 0
  return async (request) => {
    if (!request.url.includes('limit=1&')) return next(request)
    if (inside >= AT_ONCE)
      return Response.json({ error: 'too many' }, { status: 429, headers: { 'retry-after': '1' } })
    inside += 1
    await new Promise((resolve) => setTimeout(resolve, HELD_MS))
    return next(request).finally(() => {
      inside -= 1
    })
  }
}

const unchanged: Layer = (next) => next

export interface Hosted {
  origin: string
  stop: () => void
}

interface Between {
  /** Of a broken variant: between the gateway and the CRM. */
  layer: Layer
  /** Before the gateway. */
  front: Layer
  sendDate: boolean
  /** Single-row reads are held for a moment: for the clauses about too many calls. */
  isLimited: boolean
}

export async function hostDemoCrm(
  options: Partial<DemoCrmOptions> = {},
  between: Partial<Between> = {},
): Promise<Hosted> {
  const { layer = unchanged, front = unchanged, sendDate = true, isLimited = false } = between
  const crm = createDemoCrm({
    env,
    store: createMemoryStore(),
    now: demoNow,
    honourIdempotency: true,
    ...options,
  })
  const fetch = front(cors((isLimited ? limited : unchanged)(layer(crm.fetch))))
  // the host says `Date` itself where the clock is ahead
  const middleware = demoCrmMiddleware({ ...crm, fetch }, { aheadMs: sendDate ? aheadMs : 0 })
  const server = createServer((req, res) => {
    res.sendDate = sendDate
    middleware(req, res, () => {
      res.statusCode = 404
      res.end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : 0
  return {
    origin: `http://127.0.0.1:${port}`,
    stop: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
