/**
 * Adds to a record's history what other people have changed between two reads (RULES MG5): every difference that no
 * change on this device explains.
 */
import type { AnyChange, PushableRecord } from '#schemas/change.ts'
import { isSameContent, othersEntry, withReplaced, type FieldValue } from '#schemas/change-history.ts'
import type { Declaration, Field } from '#schemas/declare/declare.ts'
import { declared } from '#schemas/collections/declared.ts'
import { isPushCollection } from '#schemas/collections/push-collections.ts'
import { isStoredContent } from '#schemas/stored-text.ts'
import { showsTheSame } from './merge.ts'

/** The fields of a record that this file uses. A read-only record has no `changes`. */
interface Known {
  server?: { stamp: string; detailed?: boolean; outTime?: string | null } | undefined
  changes?: readonly Pick<AnyChange, 'fields'>[]
  history?: PushableRecord['history']
}

/**
 * Returns the record as read, with other people's edits in its history.
 * @param resource name of the collection
 * @param before the record on the device before the read; undefined if there was none
 */
export function withOthersEdits<R extends Known>(resource: string, before: Known | undefined, read: R): R {
  const fields = isPushCollection(resource) ? editedByOthers(declared[resource]) : null
  const [oldState, newState] = [before?.server, read.server]
  if (!fields || !oldState || !newState) return read
  // Before the exit (`outTime`), and in a summary, a quick report lacks fields. Filling them is nobody's edit.
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
 * Fields that other people may edit; null if only the author may edit the record, as for notes and safety measures.
 */
const editedByOthers = ({ fields, editedByOthers: isEditable }: Declaration): string[] | null =>
  isEditable ? Object.entries<Field>(fields).flatMap(([name, { fixed }]) => (fixed ? [] : [name])) : null

const valueOf = (state: object, field: string): FieldValue =>
  (Reflect.get(state, field) ?? null) as FieldValue

const isBlank = (value: FieldValue) => value === null || value === '' || isSameContent(value, [])

/** True if a change on this device set this value. */
const isOurs = (changes: NonNullable<Known['changes']>, field: string, value: FieldValue) =>
  changes.some(({ fields }) => field in fields && isStoredContent(Reflect.get(fields, field), value))
