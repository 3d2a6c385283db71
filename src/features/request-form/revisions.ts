/** A record's history as 変更の記録 tells it: what was seen at one time together, newest first. Pure. */
import type { ReplacedValue } from '#schemas/change.ts'
import { othersEdits, replacedHere, type FieldValue } from '#schemas/change-history.ts'

interface Changed {
  field: string
  before: FieldValue
  /** Null also where an edit made here came after it. */
  after: FieldValue
}

export interface Revision {
  /** others: somebody else changed it; here: an edit made here has replaced it. */
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

/** The wall clock in a stamp, epoch ms (`lib/time/stamp.ts`). */
export const stampMs = (stamp: string): number => Number.parseInt(stamp, 10) || 0
