/**
 * The witness of single fields (RULES MG3, SV2). Of all resources: a PUT changes only what its saves have touched, unless somebody else wrote
 * in the moment between the read before it and the PUT itself; what they have touched it says; and it has a read of its own,
 * that no PUT before it has used. So the last save of a field is what the CRM holds, unless a later edit came from elsewhere.
 */
import type { HttpCall } from '#sync/transport/http.ts'
import { isSameValue, recordIdsOf, type Content, type Held } from './record-kinds.ts'

/** What a PUT may and must say of a report, as its saves have it. */
export interface Said {
  may: ReadonlySet<string>
  must: ReadonlySet<string>
  content: Content
}

/** Who writes. */
export interface Writer {
  device: string
  /** null where it is none of ours */
  said: ((record: Held) => Said) | null
  /** With If-Match, to a CRM that honours it or not. */
  isConditional: boolean
}

export type Broken = (text: string) => void

export class FieldWitness {
  /** When a record was last read by a device, and when each field of it was last written. */
  private readonly reads = new Map<string, number>()
  private readonly writes = new Map<string, number>()
  /** Reads that have arrived, and whose answer nobody has had yet. */
  private readonly asked = new WeakMap<HttpCall, number>()
  /** Reads of a device that no PUT has used yet. */
  private readonly unused = new Set<string>()
  /** What was said last of each field. */
  private readonly last = new Map<string, string | null>()
  /** Fields that nobody here has written last. */
  private readonly byOffice = new Set<string>()
  private order = 0

  isByOffice = (id: string, field: string): boolean => this.byOffice.has(`${id} ${field}`)

  /** A read has arrived in the CRM. */
  read(device: string, call: HttpCall): void {
    if (call.method !== 'GET') return
    this.asked.set(call, (this.order += 1))
    for (const id of recordIdsOf(call)) this.unused.add(`${device} ${id}`)
  }

  /** An answer to it is there. @param isOfUse only then the device has what the record was when the read arrived */
  hasRead(device: string, call: HttpCall, isOfUse: boolean): void {
    if (call.method !== 'GET') return
    const at = isOfUse ? this.asked.get(call) : undefined
    for (const id of recordIdsOf(call)) {
      const name = `${device} ${id}`
      this.unused.add(name)
      if (at !== undefined) this.reads.set(name, Math.max(at, this.reads.get(name) ?? 0))
    }
  }

  /** @returns the records that a PUT leaves for without a read of its own */
  unreadBefore(device: string, call: HttpCall): string[] {
    return call.method === 'PUT' ? recordIdsOf(call).filter((id) => !this.unused.has(`${device} ${id}`)) : []
  }

  used(device: string, call: HttpCall): void {
    if (call.method === 'PUT') for (const id of recordIdsOf(call)) this.unused.delete(`${device} ${id}`)
  }

  written(by: Writer, before: readonly Held[], after: readonly Held[], broken: Broken): void {
    this.order += 1
    for (const record of after) {
      const old = before.find(({ id }) => id === record.id)
      const names = Object.keys(record.fields)
      const changed = old ? names.filter((name) => !isSameValue(old.fields[name], record.fields[name])) : []
      if (by.said) this.judge(by, by.said(record), changed, record, broken)
      for (const field of changed) {
        this.writes.set(`${record.id} ${field}`, this.order)
        this.last.set(`${record.id} ${field}`, record.fields[field] ?? null)
        this.byOffice[by.said ? 'delete' : 'add'](`${record.id} ${field}`)
      }
    }
  }

  private judge(by: Writer, said: Said, changed: readonly string[], { id, fields }: Held, broken: Broken) {
    const read = this.reads.get(`${by.device} ${id}`)
    // a PUT that says which state it was made for is not late: the CRM would have said so (MG4)
    const isRace = (field: string) =>
      !by.isConditional && read !== undefined && (this.writes.get(`${id} ${field}`) ?? 0) > read
    for (const field of changed)
      if (!said.may.has(field) && !isRace(field))
        broken(`${id} ${field} written over, nobody here had touched it`)
    for (const field of said.must) {
      this.last.set(`${id} ${field}`, said.content[field] ?? null)
      if (!isSameValue(fields[field], said.content[field]))
        broken(`${id} ${field} is ${fields[field]}, saved was ${said.content[field]}`)
    }
  }

  /** What was said last of each field is what the CRM holds. */
  atTheEnd(records: readonly Held[], broken: Broken): void {
    for (const { id, fields } of records)
      for (const [field, value] of Object.entries(fields)) {
        const last = this.last.get(`${id} ${field}`)
        if (last !== undefined && !isSameValue(value, last))
          broken(`${id} ${field} is ${value} in the end, said last was ${last}`)
      }
  }
}
