/**
 * Merges an edit with the CRM's current state (RULES MG2, MG3). Pure and computed from the record alone, so
 * that the body, the resulting record and its history are the same after a crash.
 */
import { CREATING_KINDS, likeIn } from '#schemas/changes/change-queue.ts'
import type { AnyChange, PushableRecord } from '#schemas/change.ts'
import { mergeWithServer, sameValue, type Fields, type ServerMerge } from './merge.ts'

/** Returns the fields that a change sets; others are absent. */
export interface EditRules {
  edited(change: AnyChange): object
  /** Fields that only make sense together. */
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
    // If the edit has no base, every field that differs counts as changed here.
    { assumed: base ? madeOnIn(edited, record, change, base) : fresh, assumedAt: base?.stamp ?? '' },
    fresh,
    { edited: said as Fields, editedAt: change.stamp, together },
  )
}

/**
 * The base of an edit. A field that an unsent earlier save changed and this edit changes back counts as
 * changed, because both would have been written if sent one after the other.
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

/** The record with the CRM's state as just read. */
export function movedOn<R extends PushableRecord>(record: R, now: NonNullable<R['server']>): R {
  const before = record.server
  return before && before.stamp > now.stamp ? record : { ...record, server: { ...before, ...now } }
}

/** Values of others that a call of this edit replaces. */
export const replacedBy = (rules: EditRules, record: PushableRecord, change: AnyChange) =>
  mergedEdit(rules, record, change).replaced
