/** Finds the handler of a call, checks signature and token, and answers repeated calls (crm-contract 2). */
import { fileToken, hasFileToken, loginHandler, refreshHandler, userOf } from './auth.ts'
import { reply, type Call, type DemoResponse, type Handler, type Route } from '#demo-crm/world/call.ts'
import { signatureOf, etagOf, isMatch, withTimesInZ } from '#demo-crm/world/signature.ts'
import { contentRoutes, fileStoreRoutes } from './resources/file-store.ts'
import { pastReportRoutes } from './resources/past-report.ts'
import { requestRoutes } from './resources/request.ts'
import { supplierStaffRoutes } from './resources/supplier-staff.ts'
import { recordTables } from './tables.ts'
import type { World } from '#demo-crm/world/world.ts'
import type { DemoStore } from '#demo-crm/world/store.ts'

/** Variables of the contract (crm-contract 1). An endpoint is a URL or a path. */
export interface DemoCrmEnv {
  apiEndpoint: string
  crmEndpoint: string
  securityEndpoint: string
  securityKey: string
  fileStoreEndpoint: string
}

export interface DemoCrmOptions {
  env: DemoCrmEnv
  store: DemoStore
  now: () => number
  sleep?: (ms: number) => Promise<void>
  /** True: a `POST` with an `Idempotency-Key` that was used before gets the first response. */
  honourIdempotency?: boolean
  accessTokenLifeMs?: number
  /** True (default): reads have an `ETag`, `If-None-Match` gets a 304, a wrong `If-Match` of a `PUT` a 412. */
  etags?: boolean
  /** Number of days after today that have requests; default: 60. Tests use fewer, so that the app loads faster. */
  daysAhead?: () => number
  /** True writes date-times with `Z` instead of `+09:00`, which the contract allows too. */
  timesInZ?: boolean
}

const ACCESS_LIFE_MS = 30 * 60_000

export const restRoutes = (daysAhead?: () => number): Route[] => [
  ...requestRoutes(daysAhead),
  ...Object.values(recordTables).flatMap(({ routes }) => routes),
  ...pastReportRoutes,
  ...supplierStaffRoutes,
]

type Section = { base: string; signed: boolean; guard: 'none' | 'bearer' | 'fileToken'; routes: Route[] }

const pathOf = (endpoint: string) => new URL(endpoint, 'http://demo.invalid').pathname.replace(/\/+$/, '')
const post = (path: string, handle: Handler): Route[] => [{ method: 'POST', path, handle }]

function sectionsOf({ env, accessTokenLifeMs: life = ACCESS_LIFE_MS, daysAhead }: DemoCrmOptions): Section[] {
  const [api, fs] = [pathOf(env.apiEndpoint), pathOf(env.fileStoreEndpoint)]
  const open = { signed: true, guard: 'none' } as const
  const files = fileStoreRoutes(env.fileStoreEndpoint.replace(/\/+$/, ''))
  return [
    { ...open, guard: 'bearer', base: `${api}/${env.crmEndpoint}-rest/spa`, routes: restRoutes(daysAhead) },
    { ...open, base: `${api}/${env.crmEndpoint}`, routes: post('login', loginHandler(life)) },
    { ...open, base: `${api}/${env.securityEndpoint}`, routes: post('refresh-token', refreshHandler(life)) },
    // A call of an unknown path in the main API gets a 404 only if its signature is right.
    { ...open, base: api, routes: [] },
    { ...open, guard: 'bearer', base: fs, routes: post('token', fileToken(life)) },
    { base: fs, signed: false, guard: 'none', routes: contentRoutes },
    { base: fs, signed: false, guard: 'fileToken', routes: files },
  ]
}

function paramsOf(pattern: string, path: string): string[] | null {
  const [want, have] = [pattern.split('/'), path.split('/')]
  if (want.length !== have.length) return null
  const fits = want.every((part, i) => (part.startsWith(':') ? have[i] !== '' : part === have[i]))
  return fits ? have.filter((_, i) => want[i]?.startsWith(':')).map(decodeURIComponent) : null
}

/** Finds the route of a call. An unknown path gets a 404 after the checks of the first section with its prefix. */
function find(sections: Section[], method: string, pathname: string) {
  let closest: Section | undefined
  for (const section of sections) {
    if (pathname !== section.base && !pathname.startsWith(`${section.base}/`)) continue
    closest ??= section
    const rest = pathname.slice(section.base.length + 1).replace(/\/+$/, '')
    for (const route of section.routes) {
      const params = route.method === method ? paramsOf(route.path, rest) : null
      if (params) return { section, handle: route.handle, params }
    }
  }
  return closest ? { section: closest, handle: () => reply.notFound, params: [] } : null
}

type Incoming = Pick<Call, 'method' | 'headers' | 'bytes'> & { url: URL }
type Outcome = { answer: DemoResponse; user: string }

const refused = (answer: DemoResponse): Outcome => ({ answer, user: '' })

export function createDispatcher(options: DemoCrmOptions) {
  const { env, etags = true, timesInZ = false } = options
  const sections = sectionsOf(options)
  const check = pathOf(env.apiEndpoint.replace('v1', 'check'))
  const asSent = (answer: DemoResponse) => (timesInZ ? withTimesInZ(answer) : answer)

  const isSigned = async ({ method, url, headers }: Incoming, text: string) =>
    headers.get('x-signature') ===
    (await signatureOf(env.securityKey, method, url.pathname + url.search, text))

  const etagNow = async (call: Call, { pathname }: URL, world: World) => {
    const reading = find(sections, 'GET', pathname)
    const answer = reading && asSent(await reading.handle({ ...call, method: 'GET', text: '' }, world))
    return answer?.status === 200 ? etagOf(JSON.stringify(answer.json)) : null
  }

  const dispatch = async (incoming: Incoming, world: World): Promise<Outcome> => {
    const { method, url, headers, bytes } = incoming
    if (url.pathname.replace(/\/+$/, '') === check) return refused({ status: 204 })
    const found = find(sections, method, url.pathname)
    if (!found) return refused(reply.notFound)
    const { signed, guard } = found.section
    const isForm = !signed && headers.get('content-type')?.startsWith('multipart/')
    const text = isForm ? '' : new TextDecoder().decode(bytes)
    if (signed && !(await isSigned(incoming, text)))
      return refused(reply.unauthorized('署名が正しくありません。'))
    const user = guard === 'bearer' ? userOf(headers, world) : null
    if (user && 'status' in user) return refused(user)
    if (guard === 'fileToken' && !hasFileToken(headers, world))
      return refused(reply.unauthorized('トークンが無効です。'))
    const call: Call = { method, headers, bytes, text, user, params: found.params, query: url.searchParams }
    const ifMatch = method === 'PUT' && etags ? headers.get('if-match') : null
    const run = async () =>
      ifMatch !== null && !isMatch(ifMatch, await etagNow(call, url, world))
        ? reply.moved
        : asSent(await found.handle(call, world))
    const answer = await (options.honourIdempotency ? once(call, world, run) : run())
    return { answer, user: user?.userName ?? '' }
  }

  return {
    handles: (pathname: string) =>
      sections.some(({ base }) => pathname.startsWith(`${base}/`)) || pathname.startsWith(check),
    dispatch,
  }
}

/** Runs a creating call. A call with an `Idempotency-Key` that was used before gets the stored response. */
async function once(call: Call, world: World, run: () => Promise<DemoResponse>): Promise<DemoResponse> {
  const key = call.method === 'POST' && call.user ? call.headers.get('idempotency-key') : null
  if (!key) return run()
  const [answers, id] = [world.table('answers'), `${call.user?.userName}/${key}`]
  const before = answers.get(id)
  if (before) return before
  const { status, json } = await run()
  if (status === 200 || status === 201) answers.put(id, { status, json })
  return { status, json }
}
