/**
 * The witness of whose fault an answer is (RULES OR3, OC8): what the CRM answers 5xx again and again, while it accepts
 * others of the same phone, does not wait for ever. What a tab has seen is forgotten with it, and what reaches one that
 * stood still and no longer leads is told to nobody.
 */
import type { HttpCall } from '#sync/transport/http.ts'

interface Seen {
  /** Writes of the phone that had been accepted at its last 5xx. */
  accepted: number
  /** 5xx since another write was accepted between two of them; 0 before. */
  own: number
}

/** Somewhat more than the engine bears. */
const ENOUGH = 8

export class OwnFaultWitness {
  private readonly accepted = new Map<string, number>()
  private readonly seen = new Map<string, Map<string, Seen>>()

  /** How often the lead of a device has changed, now and when a call left, and who has it. */
  private readonly terms = new Map<string, number>()
  private readonly leaders = new Map<string, object>()
  private readonly began = new WeakMap<HttpCall, number>()

  /** Another tab leads, or a new one. */
  leads(device: string, tab: object): void {
    this.leaders.set(device, tab)
    this.seen.set(device, new Map())
    this.terms.set(device, this.termOf(device) + 1)
  }

  /** A tab that stood still may go on for a while, and knows nothing of what the one that leads has seen. */
  dispatched(device: string, tab: object, call: HttpCall): void {
    if (this.leaders.get(device) === tab) this.began.set(call, this.termOf(device))
  }

  private termOf = (device: string) => this.terms.get(device) ?? 0

  answered(device: string, call: HttpCall, ids: readonly string[], status: number): void {
    if (ids.length === 0 || this.began.get(call) !== this.termOf(device)) return
    const accepted = this.accepted.get(device) ?? 0
    const seen = this.seen.get(device) ?? new Map<string, Seen>()
    this.seen.set(device, seen)
    if (status === 200 || status === 204) this.accepted.set(device, accepted + 1)
    for (const id of ids) {
      const before = seen.get(id)
      if (status < 500 || status === 503) seen.delete(id)
      else {
        const isOwn = before && (before.own > 0 || before.accepted < accepted)
        seen.set(id, { accepted, own: isOwn ? before.own + 1 : 0 })
      }
    }
  }

  /** Whether it was to be called 失敗 by now. */
  isOverdue = (device: string, id: string) => (this.seen.get(device)?.get(id)?.own ?? 0) >= ENOUGH
}
