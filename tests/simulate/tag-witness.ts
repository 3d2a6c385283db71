/**
 * The witness of If-Match (RULES MG4): a PUT of one record carries the strong ETag of the last read of it, where it had one,
 * and no other; a weak one says nothing. It may go without where the CRM cannot be asked that way: after a 412, and after two
 * such calls without an answer.
 */
import type { Answer } from '#sync/transport/outcome.ts'
import type { HttpCall } from '#sync/transport/http.ts'
import type { Broken } from './field-witness.ts'
import { recordIdsOf } from './record-kinds.ts'

export class TagWitness {
  /** Of a device's last read of a record that was answered. */
  private readonly tags = new Map<string, string | null>()
  private readonly stale = new Set<string>()
  private readonly unanswered = new Map<string, number>()
  /** Devices that may go without for once. */
  private readonly excused = new Set<string>()

  dispatched(device: string, call: HttpCall, broken: Broken): void {
    const place = this.placeOf(device, call, 'PUT')
    if (!place) return
    const sent = call.headers?.['If-Match']
    const read = this.tags.get(place) ?? null
    const strong = read?.startsWith('"') ? read : null
    if (sent !== undefined && sent !== strong) broken(`${place} If-Match ${sent}, last read was ${read}`)
    const mayGoWithout = this.stale.has(place) || this.excused.has(device)
    if (sent === undefined && strong !== null && !mayGoWithout)
      broken(`${place} written without If-Match ${strong}`)
    if (sent === undefined) return
    const count = (this.unanswered.get(device) ?? 0) + 1
    this.unanswered.set(device, count)
    if (count >= 2) this.excused.add(device)
  }

  answered(device: string, call: HttpCall, answer: Answer): void {
    if (answer.kind !== 'answer') return
    const read = this.placeOf(device, call, 'GET')
    if (read && [200, 404].includes(answer.status)) this.tags.set(read, answer.etag ?? null)
    const written = this.placeOf(device, call, 'PUT')
    if (!written) return
    this.unanswered.set(device, 0)
    if (answer.status === 412) this.stale.add(written)
  }

  /** A record of its own, not a bulk exit. */
  private placeOf(device: string, call: HttpCall, method: string): string | null {
    const [id, ...others] = recordIdsOf(call)
    const isOfOne = id !== undefined && others.length === 0 && !call.url.endsWith('/requestUpdate')
    return call.method === method && isOfOne ? `${device} ${id}` : null
  }
}
