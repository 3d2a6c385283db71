/**
 * Adds edits by others to a record's history (RULES MG5). Pure. Compares the state just read with the previous one;
 * each difference that no local change explains becomes a history entry with both values. A report's summary has no
 * texts, so in a report known only by its summary a field counts only if it had a value before. Times are compared as
 * moments.
 */
import type { AnyChange, PushableRecord } from '#schemas/change.ts'
import { isSameContent, othersEntry, withReplaced, type FieldValue } from '#schemas/change-history.ts'
import type { Declaration, Field } from '#schemas/declare/declare.ts'
import { declared } from '#schemas/collections/declared.ts'
import { isPushCollection } from '#schemas/collections/push-collections.ts'
import { isStoredContent } from '#schemas/stored-text.ts'
import { showsTheSame } from './merge.ts'

/** The part of a record that is used. A read-only record has no `changes`. */
interface Known {
  server?: { stamp: string; detailed?: boolean; outTime?: string | null } | undefined
  changes?: readonly Pick<AnyChange, 'fields'>[]
  history?: PushableRecord['history']
}

/**
 * The record as read, with other people's edits added to its history.
 * @param resource the name of its collection
 * @param before the record on the device before the read; undefined if there was none
 */
export function withOthersEdits<R extends Known>(resource: string, before: Known | undefined, read: R): R {
  const fields = isPushCollection(resource) ? editedByOthers(declared[resource]) : null
  const [oldState, newState] = [before?.server, read.server]
  if (!fields || !oldState || !newState) return read
  const hasAllFields =
    !('outTime' in oldState) || (oldState.outTime !== null && oldState.detailed && newState.detailed)
  const edits = fields.flatMap((field) => {
    const [old, next] = [valueOf(oldState, field), valueOf(newState, field)]
    if (showsTheSame(old, next) || (!hasAllFields && isBlank(old)) || isOurs(read.changes ?? [], field, next))
      return []
    return [othersEntry({ field, before: old, after: next, stamp: newState.stamp })]
  })
  return edits.length === 0 ? read : { ...read, history: withReplaced(read.history ?? [], edits) }
}

/**
 * The fields that somebody else may edit; null if only the author may edit the record, as for a note or a
 * safety measure.
 */
const editedByOthers = ({ fields, editedByOthers: isEditable }: Declaration): string[] | null =>
  isEditable ? Object.entries<Field>(fields).flatMap(([name, { fixed }]) => (fixed ? [] : [name])) : null

const valueOf = (state: object, field: string): FieldValue =>
  (Reflect.get(state, field) ?? null) as FieldValue

const isBlank = (value: FieldValue) => value === null || value === '' || isSameContent(value, [])

/** True if a local change, pending or just accepted, set this value. */
const isOurs = (changes: NonNullable<Known['changes']>, field: string, value: FieldValue) =>
  changes.some(({ fields }) => field in fields && isStoredContent(Reflect.get(fields, field), value))
