/** What was saved on phones ends as one effect in the CRM, or is still there to be seen (RULES SV2, SV3). */
import type { CrmState, Kind, Row } from './crm-state.ts'
import { isSameContent } from '#schemas/change-history.ts'
import { fieldsSet, isCreating } from '#schemas/changes/change-queue.ts'
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

  /**
   * True for an edit that later ones have replaced: each field that it changed has another value in a later edit of the
   * record, which the CRM took, than the record had before. Such an edit saw this one, or is newer than this one, which
   * was locked meanwhile and is not sent over it (MG1, `earlier-edit.ts`). An edit that repeats what the record had
   * before proves nothing: it may have been made on a record that had lost this one.
   */
  private isReplaced({ id, kind, resource, recordKey, stamp, fields, madeOn }: Saved): boolean {
    const later = this.accepted.filter(
      (other) =>
        other.id !== id &&
        other.resource === resource &&
        other.recordKey === recordKey &&
        other.stamp > stamp,
    )
    const differs = (name: string, value: unknown) =>
      !madeOn || !isSameContent(Reflect.get(madeOn.fields, name), value)
    const changed = Object.entries(fieldsSet(fields)).filter(([name, value]) => differs(name, value))
    const isReplacedIn = (name: string) =>
      later.some((other) => name in other.fields && differs(name, Reflect.get(other.fields, name)))
    return !isCreating({ kind }) && later.length > 0 && changed.every(([name]) => isReplacedIn(name))
  }
}

type Saved = Pick<Change, 'id' | 'kind' | 'resource' | 'recordKey' | 'stamp' | 'fields' | 'madeOn'>

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
