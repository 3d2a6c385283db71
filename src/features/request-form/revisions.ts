/** Groups a record's history for 変更の記録: changes seen at the same time, newest first. Pure. */
import type { ReplacedValue } from '#schemas/change.ts'
import { othersEdits, replacedHere, type FieldValue } from '#schemas/change-history.ts'

interface Changed {
  field: string
  before: FieldValue
  /** Null also if a later edit on this device replaced it. */
  after: FieldValue
}

export interface Revision {
  /** others: changed by somebody else. here: replaced by an edit on this device. */
  kind: 'others' | 'here'
  stamp: string
  fields: Changed[]
}

export function revisionsOf(history: readonly ReplacedValue[] = []): Revision[] {
  const others = othersEdits(history).map((edit) => ({ kind: 'others' as const, ...edit }))
  const here = replacedHere(history).map(({ field, value, stamp }) => ({
    kind: 'here' as const,
    field,
    before: value,
    after: null,
    stamp,
  }))
  const revisions = new Map<string, Revision>()
  for (const { kind, stamp, ...changed } of [...others, ...here]) {
    const id = `${stamp} ${kind}`
    const revision = revisions.get(id) ?? { kind, stamp, fields: [] }
    revisions.set(id, { ...revision, fields: [...revision.fields, changed] })
  }
  return [...revisions.values()].toSorted((a, b) => (a.stamp > b.stamp ? -1 : 1))
}

/** Returns the wall clock of a stamp, epoch ms (`lib/time/stamp.ts`). */
export const stampMs = (stamp: string): number => Number.parseInt(stamp, 10) || 0
