/**
 * Merges a local edit with the CRM's current state (RULES MG2, MG3). Pure, and computed from the record
 * alone: a retry after a crash computes the same body, record and history.
 */
import { CREATING_KINDS, pickSameKeys } from '#schemas/changes/change-queue.ts'
import type { AnyChange, PushableRecord } from '#schemas/change.ts'
import { mergeWithServer, sameValue, type Fields, type ServerMerge } from './merge.ts'

export interface EditRules {
  /** Returns the fields that a change sets. */
  edited(change: AnyChange): object
  /** Fields that only make sense together. */
  together: readonly string[]
}

/** Merges an edit with the record's `server`. */
export function mergedEdit(
  { edited, together }: EditRules,
  record: PushableRecord,
  change: AnyChange,
): ServerMerge {
  const editedFields = edited(change)
  const serverFields = pickSameKeys(record.server ?? {}, editedFields) as Fields
  const base = change.madeOn
  return mergeWithServer(
    // An edit without a base counts as made on the server state: every field that differs from it is edited.
    { base: base ? baseFieldsOf(edited, record, change, base) : serverFields, baseAt: base?.stamp ?? '' },
    serverFields,
    { edited: editedFields as Fields, editedAt: change.stamp, together },
  )
}

/**
 * The field values that an edit is compared with. If an unsent earlier edit changed a field and this edit
 * reverts it, the earlier value is returned, so that the field counts as edited: sent one after the other,
 * both edits would have been written.
 */
function baseFieldsOf(
  edited: EditRules['edited'],
  { changes }: PushableRecord,
  change: AnyChange,
  base: NonNullable<AnyChange['madeOn']>,
): Fields {
  const editedFields = edited(change) as Fields
  const earlierEdits = changes
    .filter(({ kind, stamp }) => !CREATING_KINDS.includes(kind) && stamp > base.stamp && stamp < change.stamp)
    .map((each) => edited(each) as Fields)
  const baseEntry = ([name, value]: [string, unknown]) => {
    const earlier = earlierEdits.findLast((each) => name in each && !sameValue(each[name], value))
    const isReverted = earlier && sameValue(value, editedFields[name])
    return [name, isReverted ? earlier[name] : value]
  }
  return Object.fromEntries(Object.entries(pickSameKeys(base.fields, editedFields)).map(baseEntry)) as Fields
}

/** The record with a state just read from the CRM; unchanged if its own server state is newer. */
export function withServerState<R extends PushableRecord>(record: R, read: NonNullable<R['server']>): R {
  const before = record.server
  return before && before.stamp > read.stamp ? record : { ...record, server: { ...before, ...read } }
}

/** The values set by other people that sending this edit replaces in the CRM. */
export const replacedBy = (rules: EditRules, record: PushableRecord, change: AnyChange) =>
  mergedEdit(rules, record, change).replaced
