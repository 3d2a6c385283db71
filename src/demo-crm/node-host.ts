/** Serves the demo CRM by node:http or Vite's preview server, for browser tests. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { type } from 'arktype'
import type { DemoCrm } from './demo-crm.ts'
import { faultList } from './faults.ts'
import { addDays } from '#demo-crm/seed/tokyo-day.ts'

type Middleware = (req: IncomingMessage, res: ServerResponse, next: () => void) => void

/** Contradictory headers give a network error. After a closed connection the browser could repeat the call. */
const BROKEN = 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\nConnection: close\r\n\r\n'

type HostClock = { aheadMs: number; daysAhead?: number }

/** Serves the CRM and `/__demo/…`, and passes other calls on. @param clock the clock that the CRM uses */
export function demoCrmMiddleware(crm: DemoCrm, clock: HostClock = { aheadMs: 0 }): Middleware {
  const host: Host = { canary: '', clock, initialClock: { ...clock } }
  return (req, res, next) => {
    const url = new URL(req.url ?? '/', `http://${req.headers.host ?? 'localhost'}`)
    const control = url.pathname.startsWith('/__demo/')
    if (!control && !crm.handles(url.pathname)) return next()
    // A canary changes responses but not their ETags, so the browser's stored response must not be confirmed by a 304.
    if (host.canary !== '') delete req.headers['if-none-match']
    void serve(req, url, control ? (request) => controlled(crm, host, request) : crm.fetch).then(
      (response) => (control ? send(response, res) : sendAs(host, response, res)),
      () => req.socket.end(BROKEN),
    )
  }
}

async function serve(req: IncomingMessage, url: URL, answer: (request: Request) => Promise<Response>) {
  const method = req.method ?? 'GET'
  const headers = new Headers()
  for (const [name, value] of Object.entries(req.headers))
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value)
  const body = method === 'GET' || method === 'HEAD' ? null : await buffer(req)
  return answer(new Request(url, { method, headers, body }))
}

interface Host {
  /** Test text that is inserted into the texts, photo names and photos of all responses; '' for none. */
  canary: string
  clock: HostClock
  initialClock: Readonly<HostClock>
}

async function sendAs({ canary, clock }: Host, response: Response, res: ServerResponse): Promise<void> {
  if (clock.aheadMs !== 0) res.setHeader('date', new Date(Date.now() + clock.aheadMs).toUTCString())
  if (canary === '' || response.status !== 200) return send(response, res)
  const { headers } = response
  const isJson = headers.get('content-type')?.includes('json')
  const body = isJson
    ? JSON.stringify(withCanary(await response.json(), canary))
    : Buffer.concat([Buffer.from(await response.arrayBuffer()), Buffer.from(canary)])
  return send(new Response(body, { headers }), res)
}

/** Inserts the canary into texts written by people and into photo names, but not into codes, ids and times. */
function withCanary(value: unknown, canary: string): unknown {
  if (typeof value === 'string') {
    if (/\.(?:jpe?g|png)$/i.test(value)) return value.replace(/(?=\.\w+$)/, canary)
    return /[^\x20-\x7e]/.test(value) ? value + canary : value
  }
  if (Array.isArray(value)) return value.map((each) => withCanary(each, canary))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withCanary(each, canary)]))
}

async function send(response: Response, res: ServerResponse): Promise<void> {
  res.writeHead(response.status, Object.fromEntries(response.headers))
  res.end(Buffer.from(await response.arrayBuffer()))
}

const newPassword = type({ userName: 'string', password: 'string' })

async function controlled(crm: DemoCrm, host: Host, request: Request): Promise<Response> {
  const { pathname, searchParams } = new URL(request.url)
  switch (`${request.method} ${pathname}`) {
    case 'GET /__demo/state': {
      const state = await crm.inspect()
      const from = searchParams.get('from') ?? addDays(state.today, -3)
      const requests = state.requests(from, searchParams.get('to') ?? addDays(state.today, 14))
      return Response.json({ ...state, requests })
    }
    case 'GET /__demo/calls':
      return Response.json(crm.calls)
    case 'POST /__demo/canary':
      host.canary = await request.text()
      break
    case 'POST /__demo/clock':
      host.clock.aheadMs = Number(await request.text())
      break
    case 'POST /__demo/days-ahead':
      host.clock.daysAhead = Number(await request.text())
      break
    case 'POST /__demo/reset':
      host.canary = ''
      Object.assign(host.clock, host.initialClock, { aheadMs: 0 })
      await crm.reset()
      break
    case 'POST /__demo/faults':
      await crm.faults.clear()
      for (const fault of faultList.assert(await request.json())) await crm.faults.add(fault)
      return Response.json(await crm.faults.list())
    case 'POST /__demo/password': {
      const { userName, password } = newPassword.assert(await request.json())
      await crm.changePassword(userName, password)
      break
    }
    case 'POST /__demo/other-company':
      return Response.json({ done: await crm.actAsOtherCompany() })
    default:
      return new Response(null, { status: 404 })
  }
  return Response.json({})
}
