/**
 * The way between a device and the CRM, at the level of `Http`: signing is left out, everything above it is real. Calls
 * of one device arrive in the order they left. Two things happen only where the CRM honours Idempotency-Key, because no
 * client could notice them: a POST that the network delivers twice, and one that arrives after it was read back.
 */
import type { Answer } from '#sync/outcome.ts'
import type { Http, HttpCall } from '#sync/transport/http.ts'
import { LOGIN_URL, REFRESH_URL, type Crm, type CrmReport } from './model-crm.ts'
import type { FaultName, Item } from './plan.ts'
import { chanceAt } from './random.ts'
import { never, sleepIn, type Proc, type Scheduler } from './scheduler.ts'

const TIMEOUT_MS = 20_000
const STREAM = 2

export interface Link {
  device: string
  proc: Proc
  crash: () => void
}

/** Who is told of the calls. */
export interface NetworkWitness {
  dispatched(device: string, call: HttpCall, user: string): void
  acted(device: string, call: HttpCall, answer: Answer, user: string): void
  answered(device: string, call: HttpCall, answer: Answer): void
  /** A call, or somebody without one, may have changed reports. */
  edited(device: string, call: HttpCall | null, before: CrmReport[], after: CrmReport[]): void
  note(text: string): void
}

interface Parts {
  time: Scheduler
  crm: Crm
  seed: number
  faults: readonly Extract<Item, { kind: 'fault' }>[]
  honourIdempotency: boolean
  poison: boolean
  witness: NetworkWitness
}

type Fault = { name: FaultName; chance: number } | undefined

const LOST: Answer = { kind: 'no-answer', sent: true }
const NOT_SENT: Answer = { kind: 'no-answer', sent: false }
const status = (code: number, body: unknown = { errors: ['故障'] }, isJson = true): Answer => ({
  kind: 'answer',
  status: code,
  body,
  isJson,
  total: null,
  retryAfter: code === 429 ? '2' : null,
})

export class Network {
  faultsOn = true
  readonly radioOff = new Set<string>()
  private calls = 0
  private readonly userOfToken = new Map<string, string>()
  private readonly userOfRefresh = new Map<string, string>()
  private readonly lastArrival = new Map<string, number>()

  private readonly parts: Parts

  constructor(parts: Parts) {
    this.parts = parts
  }

  /** Without faults: the login form, which a person tries until it works. */
  plainHttp = (): Http => async (call) => this.act('', call)

  http(link: Link): Http {
    return async (call) => {
      const { time, seed } = this.parts
      const number = (this.calls += 1)
      const fault = this.faultFor(number)
      const chance = (part: number) => chanceAt(seed, STREAM, number * 8 + part)
      await sleepIn(time, link.proc, Math.round(chance(0) * 3))
      if (this.radioOff.has(link.device)) return LOST
      if (call.hold && !call.hold.allows(TIMEOUT_MS)) return NOT_SENT
      if (fault?.name === 'crashBefore') return this.crash(link)
      const user = this.userOf(call)
      this.parts.witness.note(`#${number} ${link.device} ${describe(call)} ${fault?.name ?? ''}`)
      this.parts.witness.dispatched(link.device, call, user)
      const answer = this.travel(link, call, fault, chance)
      if (fault?.name === 'crashAfter') return this.crash(link)
      return answer
    }
  }

  private crash(link: Link): Promise<never> {
    link.crash()
    return never()
  }

  private faultFor(number: number): Fault {
    const item = this.faultsOn && this.parts.faults.find(({ call }) => call === number - 1)
    return item ? { name: item.fault, chance: item.chance } : undefined
  }

  private travel(
    link: Link,
    call: HttpCall,
    fault: Fault,
    chance: (part: number) => number,
  ): Promise<Answer> {
    const { time, witness } = this.parts
    return new Promise((resolve) => {
      let ended = false
      const end = (answer: Answer, ms: number) =>
        void sleepIn(time, link.proc, ms).then(() => {
          if (ended) return
          ended = true
          if (fault?.name === 'crashOnAnswer') return link.crash()
          witness.note(`  ← ${answer.kind === 'answer' ? answer.status : 'no answer'} ${describe(call)}`)
          witness.answered(link.device, call, answer)
          resolve(answer)
        })
      end(LOST, TIMEOUT_MS)
      const there = this.arrivalMs(link, call, fault, chance)
      const back = fault?.name === 'slow' ? fault.chance * 15_000 : 5 + chance(2) * 200
      if (fault?.name === 'dropBefore') return end(LOST, fault.chance < 0.5 ? 50 : TIMEOUT_MS)
      time.after(there, async () => {
        if (this.radioOff.has(link.device) && fault?.name !== 'late') return
        const answer = await this.answerTo(link.device, call, fault)
        if (answer) end(answer, back)
        else if (fault?.name !== 'late') end(LOST, (fault?.chance ?? 0) < 0.5 ? 50 : TIMEOUT_MS)
      })
    })
  }

  /** How long a call is under way. Later calls of the device never overtake it. */
  private arrivalMs(link: Link, call: HttpCall, fault: Fault, chance: (part: number) => number): number {
    const { time, honourIdempotency } = this.parts
    if (fault?.name === 'late' && honourIdempotency && call.method === 'POST')
      return TIMEOUT_MS + fault.chance * 60_000
    const ms = fault?.name === 'late' ? TIMEOUT_MS + fault.chance * 300 : 5 + chance(1) * 200
    const at = Math.max(time.now + ms, (this.lastArrival.get(link.device) ?? 0) + 1)
    this.lastArrival.set(link.device, at)
    return at - time.now
  }

  /** @returns null where the answer is lost */
  private async answerTo(device: string, call: HttpCall, fault: Fault): Promise<Answer | null> {
    const instead = this.insteadOfActing(call, fault)
    if (instead) return instead
    const answer = await this.act(device, call)
    switch (fault?.name) {
      case 'twice': {
        if (call.method === 'PUT') await this.act(device, call)
        const again = () => this.act(device, call).then(() => undefined)
        if (call.method === 'POST' && this.parts.honourIdempotency && isCreate(call))
          this.parts.time.after(fault.chance * 60_000, again)
        return answer
      }
      case 'dropAfter':
      case 'late':
        return null
      case '500after':
        return status(500)
      case '502after':
        return status(502, '<html>', false)
      case 'truncated':
        return answer.kind === 'answer' && answer.status === 200 ? status(200, '{"id":', false) : null
      default:
        return answer
    }
  }

  private insteadOfActing(call: HttpCall, fault: Fault): Answer | null {
    if (this.parts.poison && isCreate(call) && call.body?.includes(`"${this.parts.crm.requests.at(-1)?.id}"`))
      return status(500)
    if (fault?.name === 'captivePortal') return status(200, '<!doctype html>', false)
    return fault && /^\d{3}$/.test(fault.name) ? status(Number(fault.name)) : null
  }

  private async act(device: string, call: HttpCall): Promise<Answer> {
    const user = this.userOf(call)
    const before = call.method === 'PUT' ? await this.reports() : null
    const answer = await this.parts.crm.act(call)
    if (before) this.parts.witness.edited(device, call, before, await this.reports())
    this.learnTokens(call, answer)
    this.parts.witness.acted(device, call, answer, user)
    return answer
  }

  /** Another company does something in the CRM. */
  async elsewhere(act: () => void | Promise<void>): Promise<void> {
    const before = await this.reports()
    await act()
    this.parts.witness.edited('', null, before, await this.reports())
  }

  private async reports(): Promise<CrmReport[]> {
    const { crm } = this.parts
    return (await Promise.all(crm.requests.map((request) => crm.report(request)))).filter(
      (row) => row !== null,
    )
  }

  private userOf({ headers = {} }: HttpCall): string {
    return this.userOfToken.get((headers['Authorization'] ?? '').replace('Bearer ', '')) ?? ''
  }

  private learnTokens({ url, body = '' }: HttpCall, answer: Answer): void {
    if (answer.kind !== 'answer' || answer.status !== 200) return
    const pair = answer.body as { accessToken: string; refreshToken: string; userInfo?: { id: string } }
    const user =
      url === LOGIN_URL
        ? pair.userInfo?.id
        : url === REFRESH_URL && this.userOfRefresh.get((JSON.parse(body) as typeof pair).refreshToken)
    if (!user) return
    this.userOfToken.set(pair.accessToken, user)
    this.userOfRefresh.set(pair.refreshToken, user)
  }
}

export const isCreate = ({ method, url }: HttpCall) => method === 'POST' && url.endsWith('/quickReport/')

const describe = ({ method, url, body }: HttpCall) =>
  `${method} ${url.replace(/^.*?\/v1\//, '')} ${body?.slice(0, 160) ?? ''}`
