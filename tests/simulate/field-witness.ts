/**
 * The witness of single fields (RULES MG3, SV2). A PUT changes only what its saves have touched, unless somebody else wrote
 * in the moment between the read before it and the PUT itself; what they have touched it says; and it has a read of its own,
 * that no PUT before it has used. So the last save of a field is what the CRM holds, unless a later edit came from elsewhere.
 */
import type { HttpCall } from '#sync/transport/http.ts'
import type { CrmReport } from './model-crm.ts'

export type ContentField = 'outTime' | 'type' | 'reason1' | 'reason2' | 'reportContent'
export type Content = Pick<CrmReport, ContentField>
export const CONTENT: readonly ContentField[] = ['outTime', 'type', 'reason1', 'reason2', 'reportContent']

/** What a PUT may and must say of a report, as its saves have it. */
export interface Said {
  may: ReadonlySet<ContentField>
  must: ReadonlySet<ContentField>
  content: Content
}

/** Who writes. */
export interface Writer {
  device: string
  /** null where it is none of ours */
  said: ((report: CrmReport) => Said) | null
  /** With If-Match, to a CRM that honours it or not. */
  isConditional: boolean
}

export type Broken = (text: string) => void

const isTime = (field: ContentField) => field === 'outTime'
const same = (field: ContentField, a: string | null, b: string | null) =>
  a === b || (isTime(field) && a !== null && b !== null && Date.parse(a) === Date.parse(b))

/** Fields that a person has changed of what was shown; type and reasons go together. */
export function touchedOf(shown: Content, saved: Content): ContentField[] {
  const changed = CONTENT.filter((field) => !same(field, shown[field], saved[field]))
  const together: ContentField[] = ['type', 'reason1', 'reason2']
  return together.some((field) => changed.includes(field))
    ? CONTENT.filter((field) => changed.includes(field) || together.includes(field))
    : changed
}

/** The report that a read or a PUT is about; a bulk exit is about several. */
export function reportIdsOf({ method, url, body = '{}' }: HttpCall): string[] {
  const [, path] = /\/quickReport\/([^?]+)/.exec(url) ?? []
  if (!path || method === 'POST') return []
  if (path !== 'requestUpdate') return [decodeURIComponent(path)]
  const { quickReports = [] } = JSON.parse(body) as { quickReports?: { id: string }[] }
  return quickReports.map(({ id }) => id)
}

export class FieldWitness {
  /** When a report was last read by a device, and when each field of it was last written. */
  private readonly reads = new Map<string, number>()
  private readonly writes = new Map<string, number>()
  /** Reads of a device that no PUT has used yet. */
  private readonly unused = new Set<string>()
  /** What was said last of each field. */
  private readonly last = new Map<string, string | null>()
  private order = 0

  /** A read has arrived in the CRM, or its answer on the device. */
  read(device: string, call: HttpCall, hasArrived: boolean): void {
    if (call.method !== 'GET') return
    for (const id of reportIdsOf(call)) {
      if (hasArrived) this.reads.set(`${device} ${id}`, (this.order += 1))
      this.unused.add(`${device} ${id}`)
    }
  }

  /** @returns the reports that a PUT leaves for without a read of its own */
  unreadBefore(device: string, call: HttpCall): string[] {
    return call.method === 'PUT' ? reportIdsOf(call).filter((id) => !this.unused.has(`${device} ${id}`)) : []
  }

  used(device: string, call: HttpCall): void {
    if (call.method === 'PUT') for (const id of reportIdsOf(call)) this.unused.delete(`${device} ${id}`)
  }

  written(by: Writer, before: readonly CrmReport[], after: readonly CrmReport[], broken: Broken): void {
    this.order += 1
    for (const report of after) {
      const old = before.find(({ id }) => id === report.id)
      const changed = CONTENT.filter((field) => old && !same(field, old[field], report[field]))
      if (by.said) this.judge(by, by.said(report), changed, report, broken)
      for (const field of changed) this.writes.set(`${report.id} ${field}`, this.order)
      for (const field of changed) this.last.set(`${report.id} ${field}`, report[field])
    }
  }

  private judge(by: Writer, said: Said, changed: ContentField[], report: CrmReport, broken: Broken) {
    const read = this.reads.get(`${by.device} ${report.id}`)
    // a PUT that says which state it was made for is not late: the CRM would have said so (MG4)
    const isRace = (field: ContentField) =>
      !by.isConditional && read !== undefined && (this.writes.get(`${report.id} ${field}`) ?? 0) > read
    for (const field of changed)
      if (!said.may.has(field) && !isRace(field))
        broken(`${report.id} ${field} written over, nobody here had touched it`)
    for (const field of said.must) {
      this.last.set(`${report.id} ${field}`, said.content[field])
      if (!same(field, report[field], said.content[field]))
        broken(`${report.id} ${field} is ${report[field]}, saved was ${said.content[field]}`)
    }
  }

  /** What was said last of each field is what the CRM holds. */
  atTheEnd(reports: readonly CrmReport[], broken: Broken): void {
    for (const report of reports)
      for (const field of CONTENT) {
        const last = this.last.get(`${report.id} ${field}`)
        if (last !== undefined && !same(field, report[field], last))
          broken(`${report.id} ${field} is ${report[field]} in the end, said last was ${last}`)
      }
  }
}
