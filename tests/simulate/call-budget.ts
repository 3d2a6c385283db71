/**
 * How often a phone calls an API that answers nothing of use (RULES OC10), as the network sees it: over all tabs and lanes,
 * crashes and reloads, whatever the engine thinks of it. What a logout stops counts as if it had never left; so does a probe
 * that is answered while nothing has failed. A login or a refresh that is refused has been answered.
 */
import type { Answer } from '#sync/transport/outcome.ts'
import type { Http, HttpCall } from '#sync/transport/http.ts'
import { laneOf, type Lane } from './calls.ts'
import { PROBE_URL } from './model-crm.ts'
import type { Link } from './network-witness.ts'
import { LOST } from './outages.ts'

const MOST = 12
const MINUTE_MS = 60_000

interface Tally {
  /** Calls that left after the last answer of use. */
  begun: number[]
  notBefore: number
  /** A call has failed since the last answer of use. */
  isFailing: boolean
}

export class CallBudget {
  private readonly tallies = new Map<string, Tally>()
  private readonly broken: (rule: string, text: string) => void

  constructor(broken: (rule: string, text: string) => void) {
    this.broken = broken
  }

  private of(device: string, lane: string): Tally {
    const key = `${device} ${lane}`
    const tally = this.tallies.get(key) ?? { begun: [], notBefore: 0, isFailing: false }
    this.tallies.set(key, tally)
    return tally
  }

  /** A call is begun. */
  begun(device: string, lane: string, now: number): void {
    const tally = this.of(device, lane)
    if (now < tally.notBefore)
      this.broken('OC10', `${device} calls ${lane} ${tally.notBefore - now} ms before Retry-After is over`)
    tally.begun.push(now)
    tally.begun = tally.begun.filter((at) => at > now - MINUTE_MS)
    if (tally.begun.length > MOST)
      this.broken('OC10', `${device} calls ${lane} ${tally.begun.length} times in a minute, all in vain`)
  }

  /** It was taken back before it left. */
  unsent(device: string, lane: string, begunAt: number): void {
    const { begun } = this.of(device, lane)
    if (begun.includes(begunAt)) begun.splice(begun.indexOf(begunAt), 1)
  }

  /** A probe came to this end. */
  probed(device: string, lane: string, begunAt: number, answer: Answer): void {
    const tally = this.of(device, lane)
    if (answer.kind === 'no-answer') tally.isFailing = true
    else if (!tally.isFailing) this.unsent(device, lane, begunAt)
  }

  /** A call came to this end. */
  ended(
    device: string,
    { lane, headers }: { lane: Lane } & Pick<HttpCall, 'headers'>,
    begunAt: number,
    answer: Answer,
    now: number,
  ): void {
    const tally = this.of(device, lane)
    if (answer.kind === 'no-answer') {
      if (answer.sent) tally.isFailing = true
      else this.unsent(device, lane, begunAt)
      return
    }
    const { status, isJson, retryAfter } = answer
    const isThrottled = status === 429 || status === 503
    if (isThrottled) tally.notBefore = Math.max(tally.notBefore, now + Number(retryAfter ?? 0) * 1000)
    const isOfToken = status === 401 || status === 498
    const isOfSession = isOfToken && isJson && lane === 'crm' && !new Headers(headers).has('Authorization')
    const isOk = status >= 200 && status < 300 && (isJson || status === 204)
    const isRefusal = status >= 400 && status < 500 && ![401, 408, 429, 498].includes(status) && isJson
    if (isOk || isRefusal || isOfSession) Object.assign(tally, { begun: [], isFailing: false })
    else if (!isOfToken) tally.isFailing = true
  }
}

/** A way whose calls are counted. What is stopped ends at once, and nobody hears how. */
export const counted =
  (budget: CallBudget, { device, stopped }: Link, now: () => number, http: Http): Http =>
  (call) => {
    const lane = laneOf(call)
    const begunAt = now()
    budget.begun(device, lane, begunAt)
    return new Promise((resolve, reject) => {
      const stop = () => {
        budget.unsent(device, lane, begunAt)
        resolve(LOST)
      }
      stopped?.addEventListener('abort', stop)
      void http(call).then((answer) => {
        stopped?.removeEventListener('abort', stop)
        if (stopped?.aborted) return
        if (call.url === PROBE_URL) budget.probed(device, lane, begunAt, answer)
        else budget.ended(device, { ...call, lane }, begunAt, answer, now())
        resolve(answer)
      }, reject)
    })
  }
