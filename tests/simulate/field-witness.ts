/**
 * The witness of single fields (RULES MG3): a PUT changes only what its saves have touched, unless somebody else wrote in
 * the moment between the read before it and the PUT itself.
 */
import type { HttpCall } from '#sync/transport/http.ts'
import type { CrmReport } from './model-crm.ts'

export type ContentField = 'outTime' | 'type' | 'reason1' | 'reason2' | 'reportContent'
export const CONTENT: readonly ContentField[] = ['outTime', 'type', 'reason1', 'reason2', 'reportContent']

export class FieldWitness {
  /** When a report was last read by a device, and when each field of it was last written. */
  private readonly reads = new Map<string, number>()
  private readonly writes = new Map<string, number>()
  private order = 0

  read(device: string, { method, url }: HttpCall): void {
    const [, id] = /\/quickReport\/([^?]+)/.exec(url) ?? []
    if (method === 'GET' && id) this.reads.set(`${device} ${decodeURIComponent(id)}`, (this.order += 1))
  }

  /**
   * @param touched null where somebody wrote who is not of ours
   * @returns the fields that were written over
   */
  written(
    device: string,
    touched: ((report: CrmReport, field: ContentField) => boolean) | null,
    before: readonly CrmReport[],
    after: readonly CrmReport[],
  ): string[] {
    this.order += 1
    return after.flatMap((report) => {
      const old = before.find(({ id }) => id === report.id)
      const changed = CONTENT.filter((name) => old && old[name] !== report[name])
      const read = this.reads.get(`${device} ${report.id}`)
      const over = changed.filter((field) => {
        const isRace = read !== undefined && (this.writes.get(`${report.id} ${field}`) ?? 0) > read
        return touched && !touched(report, field) && !isRace
      })
      for (const field of changed) this.writes.set(`${report.id} ${field}`, this.order)
      return over.map((field) => `${report.id} ${field}`)
    })
  }
}
