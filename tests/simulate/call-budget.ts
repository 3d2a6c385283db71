/**
 * How often a phone calls an API that answers nothing of use (RULES OC10), as the network sees it: over all tabs and lanes,
 * crashes and reloads, whatever the engine thinks of it.
 */
import type { Answer } from '#sync/transport/outcome.ts'

const MOST = 12
const MINUTE_MS = 60_000

interface Tally {
  /** Calls that left after the last answer of use. */
  begun: number[]
  notBefore: number
}

export class CallBudget {
  private readonly tallies = new Map<string, Tally>()
  private readonly broken: (rule: string, text: string) => void

  constructor(broken: (rule: string, text: string) => void) {
    this.broken = broken
  }

  private of(device: string, lane: string): Tally {
    const key = `${device} ${lane}`
    const tally = this.tallies.get(key) ?? { begun: [], notBefore: 0 }
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

  /** Its answer is there. */
  answered(device: string, lane: string, answer: Answer, now: number): void {
    if (answer.kind === 'no-answer') return
    const tally = this.of(device, lane)
    const { status, isJson, retryAfter } = answer
    const isThrottled = status === 429 || status === 503
    if (isThrottled) tally.notBefore = Math.max(tally.notBefore, now + Number(retryAfter ?? 0) * 1000)
    const isOk = status >= 200 && status < 300 && (isJson || status === 204)
    const isRefusal = status >= 400 && status < 500 && ![401, 408, 429, 498].includes(status) && isJson
    if (isOk || isRefusal) tally.begun = []
  }
}
