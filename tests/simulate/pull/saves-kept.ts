/** What was saved on phones ends as one effect in the CRM, or is still there to be seen (RULES SV2, SV3). */
import type { CrmState, Kind, Row } from './crm-state.ts'
import { isCreating } from '#schemas/changes/change-queue.ts'
import type { Change } from '#schemas/change.ts'
import { rowsOn } from './on-disk.ts'
import { whoseOf, type Watched } from './watched.ts'

export class SavesKept {
  /** By the change's id: on which phone, and whose. */
  private readonly unsent = new Map<string, { whose: string; change: Saved }>()
  private readonly accepted: Saved[] = []

  saved(phone: Watched, change: Saved): void {
    this.unsent.set(change.id, { whose: whoseOf(phone), change })
  }

  taken(change: Saved): void {
    this.accepted.push(change)
  }

  over(id: string): void {
    this.unsent.delete(id)
  }

  /** What the CRM does not have, nobody has discarded, and the disk does not hold either. */
  lost(phone: Watched): string[] {
    const here = new Set(rowsOn(phone.disk(), 'changes').map(({ id }) => id))
    return [...this.unsent].flatMap(([id, { whose, change }]) =>
      whose === whoseOf(phone) && !here.has(id) && !this.isReplaced(change) ? [id] : [],
    )
  }

  /** An edit of which a later one that the CRM took says every field: what was aside so long is not sent over it (MG1). */
  private isReplaced({ id, kind, resource, recordKey, stamp, fields }: Saved): boolean {
    const isLater = (other: Saved) =>
      other.id !== id &&
      other.resource === resource &&
      other.recordKey === recordKey &&
      other.stamp > stamp &&
      Object.keys(fields).every((name) => name in other.fields)
    return !isCreating({ kind }) && this.accepted.some(isLater)
  }
}

type Saved = Pick<Change, 'id' | 'kind' | 'resource' | 'recordKey' | 'stamp' | 'fields'>

/** What people wrote is a text of its own each time, and a visit has one report. */
const NAMES: readonly [Kind, (row: Row) => string][] = [
  ['emergencyReports', ({ emergencyContentsDetails: text }) => ofPeople(text, '緊急 ')],
  ['noteLocationAreas', ({ note }) => ofPeople(note, 'メモ ')],
  ['quickReports', ({ requestId, workingDate }) => `${String(requestId)} ${String(workingDate)}`],
]
const ofPeople = (text: unknown, begin: string) => (String(text).startsWith(begin) ? String(text) : '')

/** @returns what the CRM has twice */
export function doubled(state: CrmState): string[] {
  return NAMES.flatMap(([kind, nameOf]) => {
    const names = [...state.of(kind).values()].map(nameOf).filter((name) => name !== '')
    return names.filter((name, at) => names.indexOf(name) !== at).map((name) => `${kind} ${name}`)
  })
}
