/**
 * Records what somebody else has changed in the CRM (RULES MG5). Pure. Compares the state just read with the
 * previous one, and notes differences that no local change explains, with both values. If only the summary of
 * a report is known, which has no texts, a field counts only if it had a value before. Times are compared as
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
 * The record as read, with changes by others added to its history.
 * @param resource its collection
 * @param before undefined if it was not on the device
 */
export function withOthersEdits<R extends Known>(resource: string, before: Known | undefined, now: R): R {
  const fields = isPushCollection(resource) ? editedByOthers(declared[resource]) : null
  const [was, is] = [before?.server, now.server]
  if (!fields || !was || !is) return now
  const isWhole = !('outTime' in was) || (was.outTime !== null && was.detailed && is.detailed)
  const edits = fields.flatMap((field) => {
    const [old, next] = [valueOf(was, field), valueOf(is, field)]
    if (showsTheSame(old, next) || (!isWhole && isBlank(old)) || isOurs(now.changes ?? [], field, next))
      return []
    return [othersEntry({ field, before: old, after: next, stamp: is.stamp })]
  })
  return edits.length === 0 ? now : { ...now, history: withReplaced(now.history ?? [], edits) }
}

/**
 * The fields that somebody else may edit: none of a note, which only its author may edit, and none of a
 * safety measure.
 */
const editedByOthers = ({ fields, editedByOthers: may }: Declaration): string[] | null =>
  may ? Object.entries<Field>(fields).flatMap(([name, { fixed }]) => (fixed ? [] : [name])) : null

const valueOf = (state: object, field: string): FieldValue =>
  (Reflect.get(state, field) ?? null) as FieldValue

const isBlank = (value: FieldValue) => value === null || value === '' || isSameContent(value, [])

/** True if a local change, pending or just accepted, set this value. */
const isOurs = (changes: NonNullable<Known['changes']>, field: string, value: FieldValue) =>
  changes.some(({ fields }) => field in fields && isStoredContent(Reflect.get(fields, field), value))
