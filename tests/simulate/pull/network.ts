/** What lies between the pages and the CRM: latency, faults, tags, and the account of all calls. */
import { createHash } from 'node:crypto'
import type { Answer } from '#sync/transport/outcome.ts'
import type { CallBudget } from '../call-budget.ts'
import { LOST } from '../outages.ts'
import { chanceAt } from '../random.ts'
import { answerOf, type CrmAnswer, type CrmTokens, type Served } from './crm.ts'
import type { CrmState, Kind } from './crm-state.ts'
import { after, before, misread, sentOf, strikes } from './faults.ts'
import { OF_WINDOW, type Config, type Fault } from './plan.ts'
import type { Sent } from './sent.ts'
import type { VirtualTime } from './virtual-time.ts'

const MINUTE_MS = 60_000

/**
 * What a phone calls again and again (RULES FL1), also where the CRM answers each time, or answers others: a round that
 * finds nothing done begins anew at once, and the budget of calls in vain does not see it (`call-budget.ts`).
 */
class RepeatedCalls {
  private readonly calls = new Map<string, number[]>()
  private readonly most: number
  private readonly broken: (rule: string, text: string) => void

  /** @param most calls of one phone for the same thing that may begin in any minute */
  constructor(most: number, broken: (rule: string, text: string) => void) {
    this.most = most
    this.broken = broken
  }

  /** @param what the call is for: a read's path with its query, the kind of a write */
  called(phone: string, what: string, now: number): void {
    const key = `${phone} ${what}`
    const lately = [...(this.calls.get(key) ?? []).filter((at) => at > now - MINUTE_MS), now]
    this.calls.set(key, lately)
    if (lately.length > this.most)
      this.broken('FL1', `${phone} calls ${what} over ${this.most} times in a minute: ${lately.length}`)
  }
}

/** Who calls: a page. */
export interface Caller {
  name: string
  phone: string
  isAlive(): boolean
  isOnline(): boolean
  /** It is about to stop. */
  isStopping(): boolean
  /** It was stopped: it has nothing to say any more. */
  isStopped(): boolean
  thawed(): Promise<void>
  /** It has got this row, as it was after `at`. */
  served(kind: Kind, name: string, at: number): void
  /** The CRM gave a window that lacks what it has. */
  misled(): void
  /** A read of this path has its answer. @param isStruck for its own fault: others are taken */
  read(path: string, isStruck: boolean): void
}

interface Parts {
  seed: number
  start: number
  time: VirtualTime
  state: CrmState
  tokens: CrmTokens
  faults: readonly Fault[]
  config: Pick<Config, 'dates' | 'etags'>
  budget: CallBudget
  broken: (rule: string, text: string) => void
  note: (text: string) => void
}

const BASE = 'http://crm.test/api/'
const REST = 'v1/crm-rest/spa/'
const FILES = 'http://crm.test/files/'
/** Beyond the time limit of a call. */
const SLOW_MS = 21_000
/** Of one path. */
const READS_A_MINUTE = 30
/**
 * Of one kind, each answered 503, while others are taken. A back-off makes six calls in its first half minute; a person's
 * refresh, the end of an outage, coming back online and a reload each begin it anew.
 */
const BLOCKED_WRITES_A_MINUTE = 24

export class Network {
  faultsOn = true
  calls = 0
  private readonly parts: Parts
  private readonly reads: RepeatedCalls
  private readonly blockedWrites: RepeatedCalls

  constructor(parts: Parts) {
    this.parts = parts
    this.reads = new RepeatedCalls(READS_A_MINUTE, parts.broken)
    this.blockedWrites = new RepeatedCalls(BLOCKED_WRITES_A_MINUTE, parts.broken)
  }

  fetch(caller: Caller, url: string, init: RequestInit): Promise<Response> {
    const { time, broken } = this.parts
    if (!caller.isAlive()) return new Promise(() => undefined)
    if (caller.isStopped()) broken('TB1', `${caller.name} calls ${url} after it was stopped`)
    if (!caller.isOnline()) return Promise.reject(new TypeError('Failed to fetch'))
    const isProbe = pathOf(url) === 'check'
    const path = pathOf(url)
    const lane = url.startsWith(FILES) ? 'files' : 'crm'
    const begunAt = time.now
    this.calls += 1
    const { budget } = this.parts
    const { phone } = caller
    const call = { lane, headers: Object.fromEntries(new Headers(init.headers)) } as const
    budget.begun(phone, lane, begunAt)
    if ((init.method ?? 'GET') === 'GET') this.reads.called(phone, path, begunAt)
    return new Promise((resolve, reject) => {
      const fail = () => {
        // what was stopped asks for nothing
        if (caller.isStopping()) budget.unsent(phone, lane, begunAt)
        // nobody hears it
        else if (!caller.isAlive()) return
        else if (isProbe) budget.probed(phone, 'crm', begunAt, LOST)
        else budget.ended(phone, call, begunAt, LOST, time.now)
        void caller.thawed().then(() => reject(new TypeError('Failed to fetch')))
      }
      init.signal?.addEventListener('abort', fail, { once: true })
      time.after(this.latency(), () => {
        const { sent, told, fault } = this.served(path, init)
        if (fault?.what === 'blockedWrite')
          this.blockedWrites.called(phone, `${init.method} ${fault.path}`, time.now)
        time.after(sent?.isSlow ? SLOW_MS : this.latency(), () => {
          this.parts.note(`${caller.name} ${init.method} ${path} ${sent?.status ?? 'lost'}`)
          if (!sent || !caller.isOnline()) return fail()
          if (!init.signal?.aborted && caller.isAlive()) {
            if (isProbe) budget.probed(phone, 'crm', begunAt, heardOf(sent))
            else budget.ended(phone, call, begunAt, heardOf(sent), time.now)
          }
          // what gets to a page that has died was given to nobody
          if (!init.signal?.aborted && caller.isAlive()) told(caller, begunAt)
          if (init.method === 'GET' && sent)
            caller.read(path.split('?')[0] ?? path, fault?.what === 'ownTrouble')
          void caller.thawed().then(() => resolve(responseOf(sent, init)))
        })
      })
    })
  }

  private chance = () => chanceAt(this.parts.seed, 11, (this.rolls += 1))
  private rolls = 0
  private latency = () => 10 + Math.floor(this.chance() * 120)

  private struck(path: string, method: string): Fault | undefined {
    const { faults, time, start } = this.parts
    if (!this.faultsOn) return undefined
    const now = time.now - start
    const fault = faults.find((one) => now >= one.at && now < one.at + one.ms && strikes(one, path, method))
    if (!fault) return undefined
    const strikesNow = this.chance() < fault.share || OF_WINDOW.includes(fault.what)
    return strikesNow ? fault : undefined
  }

  /** What goes back, null where nothing does; and what the caller then knows. */
  private served(
    called: string,
    init: RequestInit,
  ): { sent: Sent | null; told: Told; fault?: Fault | undefined } {
    const { dates, etags } = this.parts.config
    const method = init.method ?? 'GET'
    const [path = '', text = ''] = called.split('?')
    const fault = this.struck(path, method)
    const early = fault && before(fault)
    if (early !== undefined) return { sent: early, told: NOTHING, fault }
    if (path === 'check')
      return { sent: { status: 204, body: '', isJson: false, headers: {} }, told: NOTHING }
    if (path.startsWith('files/')) {
      const sent = this.parts.state.files.answer(path.slice('files/'.length), init)
      return { sent: fault ? after(fault, sent) : sent, told: NOTHING }
    }
    const query = new URLSearchParams(text)
    const rows: [Kind, string][] = []
    const serve = (kind: Kind, name: string) => void rows.push([kind, name])
    const answer = this.asked({ method, path, query: fault ? misread(fault, query) : query }, init, serve)
    const sent = sentOf(answer)
    const changed = fault ? after(fault, sent) : sent
    if (!changed) return { sent: null, told: NOTHING }
    const isMisled = changed !== sent && (fault?.what === 'emptyWindow' || fault?.what === 'shortWindow')
    const isTrue = changed === sent || changed.isSlow === true || fault?.what === 'heavy'
    // a list with a row that does not parse counts as read until its life is over, as what no row tells
    const [spoilt] = rows
    if (changed !== sent && fault?.what === 'poison' && spoilt) this.parts.state.silent.add(spoilt[1])
    const told: Told = (caller, at) => {
      if (isMisled) caller.misled()
      if (isTrue) for (const [kind, name] of rows) caller.served(kind, name, at)
    }
    if (dates) changed.headers['date'] = new Date(this.parts.time.now).toUTCString()
    const isTagged = etags && method === 'GET' && changed.status === 200
    return { sent: isTagged ? tagged(changed, init) : changed, told }
  }

  private asked(
    { method, path, query }: { method: string; path: string; query: URLSearchParams },
    init: RequestInit,
    serve: Served,
  ): CrmAnswer {
    const { state, tokens } = this.parts
    const body = typeof init.body === 'string' && init.body !== '' ? JSON.parse(init.body) : {}
    if (path === 'v1/security/refresh-token') return tokens.renew(String(body.refreshToken))
    const bearer = new Headers(init.headers).get('authorization') ?? ''
    const staff = tokens.staffOf(bearer.replace('Bearer ', ''))
    if (staff === null) return { status: 401, json: { error: 'token' } }
    return answerOf(state, { method, path: path.replace(/\/$/, ''), query, body, staff }, serve)
  }
}

/** What a call is for, without where it goes. */
const pathOf = (url: string) =>
  url.startsWith(`${BASE}check`)
    ? 'check'
    : url.replace(FILES, 'files/').replace(`${BASE}${REST}`, '').replace(BASE, '')

type Told = (caller: Caller, at: number) => void
const NOTHING: Told = () => undefined

function tagged(sent: Sent, init: RequestInit): Sent {
  const etag = `"${createHash('sha1').update(sent.body).digest('hex')}"`
  const headers = { ...sent.headers, etag }
  if (new Headers(init.headers).get('if-none-match') !== etag) return { ...sent, headers }
  return { status: 304, body: '', isJson: false, headers }
}

/** What the budget of calls hears of it: the answer to a condition stands for a whole one. */
function heardOf({ status, isJson, body, bytes, headers, isRedirected }: Sent): Answer {
  if (isRedirected)
    return { kind: 'answer', status: 302, isJson: false, body: '', total: null, retryAfter: null }
  const isSame = status === 304
  const retryAfter = headers['retry-after'] ?? null
  return {
    kind: 'answer',
    status: isSame ? 200 : status,
    // a file is what was asked for
    isJson: isSame || isJson || bytes !== undefined,
    body,
    total: null,
    retryAfter,
  }
}

/** A `Response` as far as it is read: a real one costs more than all the rest of a call. */
function responseOf(sent: Sent, { redirect }: RequestInit): Response {
  const { status, body, bytes: file, isJson, headers, isRedirected = false } = sent
  if (isRedirected && redirect === 'manual')
    return { status: 0, ok: false, type: 'opaqueredirect', headers: new Headers(), body: null } as Response
  const type = file ? 'image/png' : isJson ? 'application/json' : 'text/html'
  const bytes = file ?? new TextEncoder().encode(body)
  const response = {
    status,
    ok: status >= 200 && status < 300,
    redirected: isRedirected,
    headers: new Headers({ 'content-type': type, ...headers }),
    body: bytes.length === 0 ? null : streamOf(bytes),
  }
  return response as unknown as Response
}

/** All of it in one piece. */
function streamOf(bytes: Uint8Array) {
  const chunks = [bytes]
  return {
    getReader: () => ({
      read: async () => {
        const value = chunks.shift()
        return value ? { done: false, value } : { done: true }
      },
      cancel: async () => undefined,
    }),
  }
}
