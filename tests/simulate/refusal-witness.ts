/** What 失敗 says of a save: it was refused itself (RULES OR3), and is not in the CRM all the same (OC3). */
import type { SendFacts } from '#schemas/change.ts'
import type { Held } from './record-kinds.ts'
import { isEntry, type Save } from './save.ts'

export class RefusalWitness {
  /** By change: of how many changes the call spoke that was answered last. */
  private readonly among = new Map<string, number>()

  /** Changes whose request the CRM did not have when they were looked for there: it may have gone to another company. */
  private readonly goneFor = new Set<string>()

  looked({ change: { id } }: Save, status: number): void {
    if (status === 404) this.goneFor.add(id)
    else this.goneFor.delete(id)
  }

  answered(saves: readonly Save[]): void {
    for (const { change } of saves) this.among.set(change.id, saves.length)
  }

  /** @returns the rule and what is wrong; null where nothing is */
  written(save: Save, { state, status, reasons }: SendFacts, held: readonly Held[]): [string, string] | null {
    if (state !== 'refused') return null
    const { id } = save.change
    const isOfCrm = status >= 400 && status < 500
    if (isOfCrm && (this.among.get(id) ?? 0) > 1) return ['OR3', `${id} refused for what was said with it`]
    const isThere = held.some(
      ({ collection, requestId }) => collection === save.collection && requestId === save.requestId,
    )
    const isSecond = isEntry(save) && save.collection === 'quickReports' && reasons.includes('ec00011')
    const couldKnow = !this.goneFor.has(id)
    return isSecond && couldKnow && save.acked && isThere
      ? ['OC3', `${id} is 失敗, and the CRM has it`]
      : null
  }
}
