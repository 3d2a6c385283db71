/**
 * An edit over what the CRM holds now (RULES MG2, MG3): pure, from the record alone, so that what is sent, what the record
 * becomes and what its history keeps are the same also after a crash.
 */
import { CREATING_KINDS, likeIn } from '#schemas/change-queue.ts'
import type { AnyChange, PushableRecord } from '#schemas/change.ts'
import {
  mergeWithServer,
  sameValue,
  showsTheSame,
  withReplaced,
  type Fields,
  type ServerMerge,
} from './merge.ts'

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

/** Whether the CRM's state says something else than the record's, of what an edit is about. */
export const hasMovedOn = (record: PushableRecord, now: object, said: object): boolean =>
  Object.keys(said).some(
    (field) => !showsTheSame(Reflect.get(record.server ?? {}, field), Reflect.get(now, field)),
  )

/** The record over the CRM's state as it was just read; an edit that was made on the one before says so. */
export function movedOn<R extends PushableRecord>(record: R, now: NonNullable<R['server']>): R {
  const before = record.server
  if (before && before.stamp > now.stamp) return record
  return {
    ...record,
    server: { ...before, ...now },
    changes: record.changes.map((change) =>
      change.madeOn || !before || CREATING_KINDS.includes(change.kind)
        ? change
        : { ...change, madeOn: { stamp: before.stamp, fields: likeIn(before, change.fields) } },
    ),
  }
}

/** What was saved on top of an edit that has been sent was made on that one. */
export const madeOnSent = (change: AnyChange, sent: AnyChange): AnyChange =>
  change.stamp > sent.stamp ? { ...change, madeOn: { stamp: sent.stamp, fields: sent.fields } } : change

/** A call of this edit may have arrived: then it has replaced what the CRM held before it. */
export function withHistory(rules: EditRules, record: PushableRecord, change: AnyChange): PushableRecord {
  const history = historyAfter(rules, record, change)
  return history.length > 0 ? { ...record, history } : record
}

/** The record's history with what this edit replaces. */
export const historyAfter = (rules: EditRules, record: PushableRecord, change: AnyChange) =>
  withReplaced(record.history ?? [], mergedEdit(rules, record, change).replaced)
