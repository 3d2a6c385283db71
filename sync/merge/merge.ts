/**
 * The merge of edits from two devices, as a CRDT (RULES MG1, MG2): each field is a last-writer-wins register that keeps
 * the values it replaced. A field's state is a set of stamped values, the newest first:
 *
 *     value = the newest           history = the rest, at most HISTORY_MAX
 *     join  = union of both sets, newest kept first
 *
 * Union is commutative, associative and idempotent, and so is keeping the newest n of a union: the laws hold also for
 * what is forgotten. A server snapshot is one operation: its difference to the state the device assumed, stamped just
 * after that assumption, not when it was seen. So an edit saved here since then is later, and edits of other fields stay.
 */

import { HISTORY_MAX, isSameContent, newestFirst } from '#schemas/change-history.ts'
import { isStoredContent } from '#schemas/stored-text.ts'

export type FieldValue = string | number | boolean | null | string[]

interface Stamped {
  value: FieldValue
  stamp: string
}

/** Field by field, newest first. */
export type Registers = Readonly<Record<string, readonly Stamped[]>>
export type Fields = Readonly<Record<string, FieldValue>>

/** A value that a later one replaced. */
interface Replaced extends Stamped {
  field: string
}

const DATE_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/

/** The CRM has null for what says nothing, and may spell a moment in another way (crm-contract 2). */
export function sameValue(a: unknown, b: unknown): boolean {
  const [one, other] = [a, b].map((value) => (value === '' || value === undefined ? null : value))
  if (typeof one === 'string' && typeof other === 'string' && DATE_TIME.test(one) && DATE_TIME.test(other))
    return one === other || Date.parse(one) === Date.parse(other)
  return JSON.stringify(one) === JSON.stringify(other)
}

/** True if the CRM shows `shown` for a field of which `known` was sent, or read before: nobody else has edited it. */
export const showsTheSame = (known: unknown, shown: unknown): boolean =>
  sameValue(known, shown) || isStoredContent(known, shown)

const isSame = (a: Stamped, b: Stamped | undefined) => b !== undefined && newestFirst(a, b) === 0

/** Registers that were all written at one stamp. */
export const registersAt = (fields: Fields, stamp: string): Registers =>
  Object.fromEntries(Object.entries(fields).map(([field, value]) => [field, [{ value, stamp }]]))

/** The merge of two states. */
export function join(a: Registers, b: Registers): Registers {
  const fields = new Set([...Object.keys(a), ...Object.keys(b)])
  return Object.fromEntries([...fields].map((field) => [field, joinField(a[field] ?? [], b[field] ?? [])]))
}

const joinField = (a: readonly Stamped[], b: readonly Stamped[]): Stamped[] =>
  [...a, ...b]
    .toSorted(newestFirst)
    .filter((entry, i, all) => !isSame(entry, all[i - 1]))
    .slice(0, HISTORY_MAX + 1)

/** The fields as they stand. */
export const valuesOf = (registers: Registers): Record<string, FieldValue> =>
  Object.fromEntries(Object.entries(registers).map(([field, [newest]]) => [field, newest?.value ?? null]))

/** The values that were replaced by different ones, newest first. */
export const historyOf = (registers: Registers): Replaced[] =>
  Object.entries(registers)
    .flatMap(([field, [newest, ...older]]) =>
      older.filter(({ value }) => !sameValue(value, newest?.value)).map((entry) => ({ field, ...entry })),
    )
    .toSorted(newestFirst)

/** What the CRM's state says beyond what was assumed of it: stamped just after the assumption (MG2). */
function serverOperation(assumed: Fields, fresh: Fields, assumedAt: string): Registers {
  const changed = Object.entries(fresh).filter(([field, value]) => !showsTheSame(assumed[field], value))
  return registersAt(Object.fromEntries(changed), assumedAt === '' ? ' ' : `${assumedAt}~`)
}

export interface ServerMerge {
  /** The content to send. */
  fields: Record<string, FieldValue>
  /** What it differs in from the CRM's state. */
  changed: string[]
  /** Values of others that this edit replaces: kept in the record's history. */
  replaced: Replaced[]
}

interface Edit {
  edited: Fields
  editedAt: string
  /** Fields that make sense only together: whoever changed one has said all of them. */
  together?: readonly string[]
}

/**
 * An edit over a CRM state that may have moved on (MG3).
 * @param assumed the state the edit was made on, confirmed at `assumedAt`
 * @param fresh the CRM's state now
 * @param edited the content as saved at `editedAt`
 */
export function mergeWithServer(
  { assumed, assumedAt }: { assumed: Fields; assumedAt: string },
  fresh: Fields,
  { edited, editedAt, together = [] }: Edit,
): ServerMerge {
  const differs = (field: string) => !sameValue(edited[field], assumed[field])
  const isWhole = together.some(differs)
  const touched = Object.entries(edited).filter(
    ([field]) => differs(field) || (isWhole && together.includes(field)),
  )
  const theirs = serverOperation(assumed, fresh, assumedAt)
  const server = join(registersAt(assumed, assumedAt), theirs)
  const merged = join(server, registersAt(Object.fromEntries(touched), editedAt))
  const fields = valuesOf(merged)
  return {
    fields,
    // an edit of the spelling alone is one, too
    changed: Object.keys(fields).filter(
      (field) => !sameValue(fields[field], fresh[field]) && !isSameContent(fields[field], fresh[field]),
    ),
    replaced: historyOf(merged).filter(({ field, stamp }) => theirs[field]?.[0]?.stamp === stamp),
  }
}
