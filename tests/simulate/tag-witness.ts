/**
 * The witness of If-Match (RULES MG4): a PUT of one record carries the strong ETag of the last read of it, where it had one,
 * and no other; a weak one says nothing. It may go without where the CRM cannot be asked that way: after a 412, and after two
 * such calls without an answer.
 */
import type { Answer } from '#sync/transport/outcome.ts'
import type { HttpCall } from '#sync/transport/http.ts'
import type { Broken } from './field-witness.ts'
import { recordIdsOf } from './record-kinds.ts'

const UNANSWERED_MAX = 2

export class TagWitness {
  /** Of a device's last read of a record that was answered. */
  private readonly tags = new Map<string, string | null>()
  private readonly stale = new Set<string>()
  /** Such calls of a device that had no answer, those that vanished without a signal too. */
  private readonly unanswered = new Map<string, number>()
  private readonly severalTabs: boolean

  constructor(severalTabs: boolean) {
    this.severalTabs = severalTabs
  }

  dispatched(device: string, call: HttpCall, broken: Broken): void {
    const place = this.placeOf(device, call, 'PUT')
    if (!place) return
    const sent = call.headers?.['If-Match']
    const read = this.tags.get(place) ?? null
    const strong = read?.startsWith('"') ? read : null
    if (sent !== undefined && sent !== strong) broken(`${place} If-Match ${sent}, last read was ${read}`)
    const mayGoWithout = this.stale.has(place) || this.countOf(device) >= UNANSWERED_MAX
    if (sent === undefined && strong !== null && !mayGoWithout)
      broken(`${place} written without If-Match ${strong}`)
    this.left(device, call)
  }

  /** It has left the app. */
  left(device: string, call: HttpCall): void {
    const isConditional = call.headers?.['If-Match'] !== undefined
    if (isConditional && this.placeOf(device, call, 'PUT'))
      this.unanswered.set(device, this.countOf(device) + 1)
  }

  private countOf = (device: string) => this.unanswered.get(device) ?? 0

  /** What one tab counts anew after an answer, another one counts on. */
  private afterAnswer(device: string, wasConditional: boolean): number {
    const count = this.countOf(device)
    if (this.severalTabs) return wasConditional ? count - 1 : count
    return wasConditional ? 0 : Math.min(count, UNANSWERED_MAX - 1)
  }

  answered(device: string, call: HttpCall, answer: Answer): void {
    if (answer.kind !== 'answer') return
    const read = this.placeOf(device, call, 'GET')
    if (read && [200, 404].includes(answer.status)) this.tags.set(read, answer.etag ?? null)
    const written = this.placeOf(device, call, 'PUT')
    if (!written) return
    this.unanswered.set(device, this.afterAnswer(device, call.headers?.['If-Match'] !== undefined))
    if (answer.status === 412) this.stale.add(written)
  }

  /** A record of its own, not a bulk exit. */
  private placeOf(device: string, call: HttpCall, method: string): string | null {
    const [id, ...others] = recordIdsOf(call)
    const isOfOne = id !== undefined && others.length === 0 && !call.url.endsWith('/requestUpdate')
    return call.method === method && isOfOne ? `${device} ${id}` : null
  }
}
