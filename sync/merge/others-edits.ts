/**
 * What somebody else changed in the CRM, kept in the record (RULES MG5): pure. A state that was read is held against the
 * one before; what differs and does not come from here is noted with both values.
 *
 * Of a report the device may hold only the request's summary, which says nothing of its text: there a field counts only
 * where a value stood before. Of all else the whole content is known once the CRM has it. Times are compared by their
 * moment.
 */
import type { AnyChange, PushableRecord } from '#schemas/change.ts'
import { isSameContent, othersEntry, withReplaced, type FieldValue } from '#schemas/change-history.ts'
import type { Declaration, Field } from '#schemas/declare/declare.ts'
import { declared } from '#schemas/collections/declared.ts'
import { isPushCollection } from '#schemas/collections/push-collections.ts'
import { isStoredContent } from '#schemas/stored-text.ts'
import { showsTheSame } from './merge.ts'

/** A record as far as this looks at it: one that only comes from the CRM has no `changes`. */
interface Held {
  server?: { stamp: string; detailed?: boolean; outTime?: string | null } | undefined
  changes?: readonly Pick<AnyChange, 'fields'>[]
  history?: PushableRecord['history']
}

/**
 * The record as it was read, with what others changed since it was held before.
 * @param resource its collection
 * @param before undefined where it was not on the device
 */
export function withOthersEdits<R extends Held>(resource: string, before: Held | undefined, now: R): R {
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

/** What somebody else may edit, field by field: of a note nothing, only its author may; of a safety measure nobody. */
const editedByOthers = ({ fields, editedByOthers: may }: Declaration): string[] | null =>
  may ? Object.entries<Field>(fields).flatMap(([name, { fixed }]) => (fixed ? [] : [name])) : null

const valueOf = (state: object, field: string): FieldValue =>
  (Reflect.get(state, field) ?? null) as FieldValue

const isBlank = (value: FieldValue) => value === null || value === '' || isSameContent(value, [])

/** Something that was saved here says so, and is on its way or just accepted. */
const isOurs = (changes: NonNullable<Held['changes']>, field: string, value: FieldValue) =>
  changes.some(({ fields }) => field in fields && isStoredContent(Reflect.get(fields, field), value))
