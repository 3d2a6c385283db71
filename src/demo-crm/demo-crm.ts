/**
 * A CRM without a server: implements the contract as a function `fetch(Request): Promise<Response>`, with seed data,
 * state and faults. It shares only code tables and limits with the app, so that it checks the app's calls
 * independently.
 *
 *     call → faults (wait, fail, other response) → one transaction: signature, token, handler → faults (lose response) → response
 *
 * A call that the caller aborts during a delay still takes effect, as on a real network.
 */
import { changePassword } from './auth.ts'
import type { DemoResponse } from '#demo-crm/world/call.ts'
import { createDispatcher, type DemoCrmOptions } from './dispatch.ts'
import { createFaultControl, takeFaults, type Fault } from './faults.ts'
import { seedOf, inspectWorld } from './tables.ts'
import { editAsOtherCompany } from './other-company.ts'
import { etagOf } from './world/signature.ts'
import { openWorld, type World } from '#demo-crm/world/world.ts'

export type { DemoCrmEnv, DemoCrmOptions } from './dispatch.ts'

interface DemoCall {
  at: number
  method: string
  path: string
  status: number
  /** True if the CRM executed the call (2xx except 202), even if the response was lost. */
  acted: boolean
  user: string
}

export type DemoCrm = ReturnType<typeof createDemoCrm>

const CALLS_MAX = 5_000
const CAPTIVE_PORTAL =
  '<!doctype html><title>Wi-Fi</title><p>インターネットを利用するにはログインしてください。'

const sleepFor = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

export function createDemoCrm(options: DemoCrmOptions) {
  const { store, now, sleep = sleepFor, etags = true } = options
  const dispatcher = createDispatcher(options)
  const calls: DemoCall[] = []
  const act = <T>(run: (world: World) => T | Promise<T>) =>
    store.transaction(async (tx) => {
      const world = await openWorld(tx, now(), seedOf)
      const result = await run(world)
      await world.flush()
      return result
    })
  const answer = async (request: Request, call: DemoCall): Promise<Response> => {
    const { method, headers } = request
    const bytes = await request.arrayBuffer()
    const { delayMs, fault } = await takeFaults(store, method, call.path)
    if (delayMs > 0) await sleep(delayMs)
    const faulty = fault && insteadOfActing(fault)
    if (faulty) return faulty
    const incoming = { method, url: new URL(request.url), headers, bytes }
    const outcome = await act((world) => dispatcher.dispatch(incoming, world))
    call.user = outcome.user
    call.acted = outcome.answer.status < 300 && outcome.answer.status !== 202
    if (fault?.kind === 'lostAnswer') throw new TypeError('Failed to fetch')
    return fault?.kind === 'status' ? faultResponse(fault) : toResponse(outcome.answer, request, etags)
  }
  return {
    /** Answers a call. @throws TypeError, as the browser's `fetch` does, if a fault blocks the response */
    fetch: async (request: Request): Promise<Response> => {
      request.signal.throwIfAborted()
      const { pathname, search } = new URL(request.url)
      const path = pathname + search
      const call = { at: now(), method: request.method, path, status: 0, acted: false, user: '' }
      if (calls.push(call) > CALLS_MAX) calls.shift()
      const done = answer(request, call).then((response) => {
        call.status = response.status
        return response
      })
      return Promise.race([done, abortOf(request.signal)])
    },
    faults: createFaultControl(store),
    inspect: () => act(inspectWorld),
    calls: calls as readonly DemoCall[],
    /** Returns to the seed data: removes stored changes, faults and calls, and invalidates all tokens. */
    reset: async () => {
      await store.transaction((tx) => tx.clear())
      calls.length = 0
    },
    actAsOtherCompany: () => act(editAsOtherCompany),
    changePassword: (userName: string, password: string) =>
      act((world) => changePassword(world, userName, password)),
    /** True if the path belongs to the CRM. A host that serves other content too calls this function. */
    handles: dispatcher.handles,
  }
}

/** Rejects if the caller aborts. The work that has begun continues. */
const abortOf = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
  })

/** Returns the response of a fault that prevents the execution of the call; null if the CRM executes the call. */
function insteadOfActing(fault: Fault): Response | null {
  switch (fault.kind) {
    case 'unreachable':
      throw new TypeError('Failed to fetch')
    case 'captivePortal':
      return new Response(CAPTIVE_PORTAL, { headers: { 'content-type': 'text/html; charset=utf-8' } })
    case 'status':
      return fault.after ? null : faultResponse(fault)
    default:
      return null
  }
}

function faultResponse({ status = 500, body, headers = {} }: Fault): Response {
  const isText = typeof body === 'string'
  const type = isText ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8'
  const bodiless = status === 204 || status === 304
  return new Response(bodiless ? null : isText ? body : JSON.stringify(body ?? {}), {
    status,
    headers: { 'content-type': type, ...headers },
  })
}

async function toResponse(answer: DemoResponse, request: Request, etags: boolean) {
  const { status, json, raw, headers = {} } = answer
  const common = { 'cache-control': 'no-store', ...headers }
  if (raw) return new Response(raw.body, { status, headers: { 'content-type': raw.type, ...common } })
  if (json === undefined) return new Response(null, { status, headers })
  const body = JSON.stringify(json)
  const all = new Headers({ 'content-type': 'application/json; charset=utf-8', ...common })
  if (etags && request.method === 'GET' && status === 200) {
    all.set('cache-control', 'private, no-cache')
    const etag = await etagOf(body)
    all.set('etag', etag)
    if (request.headers.get('if-none-match') === etag)
      return new Response(null, { status: 304, headers: all })
  }
  return new Response(body, { status, headers: all })
}
