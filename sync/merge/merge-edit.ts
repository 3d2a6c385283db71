/**
 * An edit over what the CRM holds now (RULES MG2, MG3): pure, from the record alone, so that what is sent, what the record
 * becomes and what its history keeps are the same also after a crash.
 */
import { CREATING_KINDS, likeIn } from '#schemas/changes/change-queue.ts'
import type { AnyChange, PushableRecord } from '#schemas/change.ts'
import { mergeWithServer, sameValue, type Fields, type ServerMerge } from './merge.ts'

/** What a save says; a field that it does not speak of is not in it. */
export interface EditRules {
  edited(change: AnyChange): object
  /** Fields that make sense only together. */
  together: readonly string[]
}

/** The edit merged with the record's `server`. */
export function mergedEdit(
  { edited, together }: EditRules,
  record: PushableRecord,
  change: AnyChange,
): ServerMerge {
  const said = edited(change)
  const fresh = likeIn(record.server ?? {}, said) as Fields
  const base = change.madeOn
  return mergeWithServer(
    // of an edit that does not say what it was made on, everything it differs in was changed here
    { assumed: base ? madeOnIn(edited, record, change, base) : fresh, assumedAt: base?.stamp ?? '' },
    fresh,
    { edited: said as Fields, editedAt: change.stamp, together },
  )
}

/**
 * What an edit was made on. What an unsent save before it changed, and it puts back, was changed all the same: sent one
 * after the other, both would have been written.
 */
function madeOnIn(
  edited: EditRules['edited'],
  { changes }: PushableRecord,
  change: AnyChange,
  base: NonNullable<AnyChange['madeOn']>,
): Fields {
  const said = edited(change) as Fields
  const replaced = changes
    .filter(({ kind, stamp }) => !CREATING_KINDS.includes(kind) && stamp > base.stamp && stamp < change.stamp)
    .map((each) => edited(each) as Fields)
  const assumed = ([name, value]: [string, unknown]) => {
    const other = replaced.findLast((each) => name in each && !sameValue(each[name], value))
    const isPutBack = other && sameValue(value, said[name])
    return [name, isPutBack ? other[name] : value]
  }
  return Object.fromEntries(Object.entries(likeIn(base.fields, said)).map(assumed)) as Fields
}

/** The record over the CRM's state as it was just read. */
export function movedOn<R extends PushableRecord>(record: R, now: NonNullable<R['server']>): R {
  const before = record.server
  return before && before.stamp > now.stamp ? record : { ...record, server: { ...before, ...now } }
}

/** Values of others that a call of this edit replaces. */
export const replacedBy = (rules: EditRules, record: PushableRecord, change: AnyChange) =>
  mergedEdit(rules, record, change).replaced
