/** Finds the handler of a call, checks signature and token, and answers repeated calls (crm-contract 2). */
import { fileToken, hasFileToken, loginHandler, refreshHandler, userOf } from './auth.ts'
import {
  moved,
  notFound,
  unauthorized,
  type DemoResponse,
  type Call,
  type Handler,
  type Route,
} from '#demo-crm/world/call.ts'
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

interface Section {
  base: string
  signed: boolean
  guard: 'none' | 'bearer' | 'fileToken'
  routes: Route[]
}

const pathOf = (endpoint: string) => new URL(endpoint, 'http://demo.invalid').pathname.replace(/\/+$/, '')
const post = (path: string, handle: Handler): Route[] => [{ method: 'POST', path, handle }]

function sectionsOf({ env, accessTokenLifeMs: life = ACCESS_LIFE_MS, daysAhead }: DemoCrmOptions): Section[] {
  const [api, fs] = [pathOf(env.apiEndpoint), pathOf(env.fileStoreEndpoint)]
  const open = { signed: true, guard: 'none' } as const
  return [
    {
      base: `${api}/${env.crmEndpoint}-rest/spa`,
      signed: true,
      guard: 'bearer',
      routes: restRoutes(daysAhead),
    },
    { ...open, base: `${api}/${env.crmEndpoint}`, routes: post('login', loginHandler(life)) },
    { ...open, base: `${api}/${env.securityEndpoint}`, routes: post('refresh-token', refreshHandler(life)) },
    // A call of an unknown path in the main API gets a 404 only if its signature is right.
    { ...open, base: api, routes: [] },
    { ...open, base: fs, routes: post('token', fileToken(life)) },
    { base: fs, signed: false, guard: 'none', routes: contentRoutes },
    {
      base: fs,
      signed: false,
      guard: 'fileToken',
      routes: fileStoreRoutes(env.fileStoreEndpoint.replace(/\/+$/, '')),
    },
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
  return closest ? { section: closest, handle: () => notFound, params: [] } : null
}

interface Incoming {
  method: string
  url: URL
  headers: Headers
  bytes: ArrayBuffer
}

interface Outcome {
  answer: DemoResponse
  user: string
}

export type Dispatcher = ReturnType<typeof createDispatcher>

export function createDispatcher(options: DemoCrmOptions) {
  const { env, etags = true, timesInZ = false } = options
  const sections = sectionsOf(options)
  const check = pathOf(env.apiEndpoint.replace('v1', 'check'))

  const isSigned = async ({ method, url, headers }: Incoming, text: string) =>
    headers.get('x-signature') ===
    (await signatureOf(env.securityKey, method, url.pathname + url.search, text))

  const dispatch = async (incoming: Incoming, world: World): Promise<Outcome> => {
    const { method, url, headers, bytes } = incoming
    if (url.pathname.replace(/\/+$/, '') === check) return { answer: { status: 204 }, user: '' }
    const found = find(sections, method, url.pathname)
    if (!found) return { answer: notFound, user: '' }
    const text = found.section.signed ? new TextDecoder().decode(bytes) : bodyText(headers, bytes)
    if (found.section.signed && !(await isSigned(incoming, text)))
      return { answer: unauthorized('署名が正しくありません。'), user: '' }
    const user = found.section.guard === 'bearer' ? userOf(headers, world) : null
    if (user && 'status' in user) return { answer: user, user: '' }
    if (found.section.guard === 'fileToken' && !hasFileToken(headers, world))
      return { answer: unauthorized('トークンが無効です。'), user: '' }
    const call: Call = { method, headers, bytes, text, user, params: found.params, query: url.searchParams }
    const asSent = (answer: DemoResponse) => (timesInZ ? withTimesInZ(answer) : answer)
    const currentTag = async () => {
      const reading = find(sections, 'GET', url.pathname)
      const answer = reading && asSent(await reading.handle({ ...call, method: 'GET', text: '' }, world))
      return answer?.status === 200 ? etagOf(JSON.stringify(answer.json)) : null
    }
    const ifMatch = method === 'PUT' && etags ? headers.get('if-match') : null
    const run = async () =>
      ifMatch !== null && !isMatch(ifMatch, await currentTag())
        ? moved
        : asSent(await found.handle(call, world))
    return {
      answer: await (options.honourIdempotency ? once(call, world, run) : run()),
      user: user?.userName ?? '',
    }
  }

  return {
    handles: (pathname: string) =>
      sections.some(({ base }) => pathname.startsWith(`${base}/`)) || pathname.startsWith(check),
    dispatch,
  }
}

const bodyText = (headers: Headers, bytes: ArrayBuffer) =>
  headers.get('content-type')?.startsWith('multipart/') ? '' : new TextDecoder().decode(bytes)

/** Runs a creating call. A call with an `Idempotency-Key` that was used before gets the stored response. */
async function once(call: Call, world: World, run: () => Promise<DemoResponse>): Promise<DemoResponse> {
  const key = call.method === 'POST' && call.user ? call.headers.get('idempotency-key') : null
  if (!key) return run()
  const answers = world.table('answers')
  const before = answers.get(`${call.user?.userName}/${key}`)
  if (before) return { status: before.status, json: before.body }
  const answer = await run()
  if (answer.status === 200 || answer.status === 201)
    answers.put(`${call.user?.userName}/${key}`, { status: answer.status, body: answer.json })
  return answer
}
