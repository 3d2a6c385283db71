/**
 * Merges edits from two devices as a CRDT (RULES MG1, MG2). Each field is a last-writer-wins register that
 * remembers replaced values. Its state is a set of stamped values, newest first:
 *
 *     value = the newest           history = the rest, at most HISTORY_MAX
 *     join  = union of both sets, the newest ones first
 *
 * Union is commutative, associative and idempotent, also if only the newest n values stay. The base of an edit is the
 * CRM's state that the user edited. Where the CRM's current state differs from it, somebody else has edited the field.
 * These edits are stamped just after the base, so that the local edit is the later one, and edits of other fields stay.
 */
import {
  HISTORY_MAX,
  isSameContent,
  newestFirst,
  othersEntry,
  withReplaced,
  type FieldValue,
} from '#schemas/change-history.ts'
import type { AnyChange, PushableRecord, ReplacedValue } from '#schemas/change.ts'
import { isCreating, pickSameKeys } from '#schemas/changes/change-queue.ts'
import type { Field } from '#schemas/declare/declare.ts'
import { declared } from '#schemas/collections/declared.ts'
import { isPushCollection } from '#schemas/collections/push-collections.ts'
import { isStoredContent } from '#schemas/stored-text.ts'
import { isSame, sameInstant } from '#sync/wire/declared.ts'

type Stamped = Omit<ReplacedValue, 'field'>

export type Registers = Readonly<Record<string, readonly Stamped[]>>
export type Fields = Readonly<Record<string, FieldValue>>

const DATE_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/

/** True if the CRM treats two values as equal: empty as null, a time in another form (crm-contract 2). */
export function sameValue(a: unknown, b: unknown): boolean {
  if (typeof a === 'string' && typeof b === 'string' && DATE_TIME.test(a) && DATE_TIME.test(b))
    return sameInstant(a, b)
  return isSame(a, b)
}

/** True if `shown` is only the CRM's notation of `known`, so that nobody else has edited the field. */
export const showsTheSame = (known: unknown, shown: unknown): boolean =>
  sameValue(known, shown) || isStoredContent(known, shown)

/** Gives all fields one stamp. */
export const registersAt = (fields: Fields, stamp: string): Registers =>
  Object.fromEntries(Object.entries(fields).map(([field, value]) => [field, [{ value, stamp }]]))

export function join(a: Registers, b: Registers): Registers {
  const fields = new Set([...Object.keys(a), ...Object.keys(b)])
  const joined = [...fields].map((field) => {
    const all = [...(a[field] ?? []), ...(b[field] ?? [])].toSorted(newestFirst)
    const distinct = all.filter((entry, i) => {
      const before = all[i - 1]
      return !before || newestFirst(entry, before) !== 0
    })
    return [field, distinct.slice(0, HISTORY_MAX + 1)] as const
  })
  return Object.fromEntries(joined)
}

export const valuesOf = (registers: Registers): Record<string, FieldValue> =>
  Object.fromEntries(Object.entries(registers).map(([field, [newest]]) => [field, newest?.value ?? null]))

/** Returns replaced values that differ from the current value, newest first. */
export const historyOf = (registers: Registers): ReplacedValue[] =>
  Object.entries(registers)
    .flatMap(([field, [newest, ...older]]) =>
      older.filter(({ value }) => !sameValue(value, newest?.value)).map((entry) => ({ field, ...entry })),
    )
    .toSorted(newestFirst)

/** `changed`: fields that differ from the CRM's values. `replaced`: other people's values that this edit replaces. */
type ServerMerge = { fields: Record<string, FieldValue>; changed: string[]; replaced: ReplacedValue[] }

/**
 * Merges an edit with the CRM's current values `serverFields` (MG3). `base`: the CRM's values that the edit was made on,
 * confirmed at stamp `baseAt`. `together`: an edit of one of these fields is an edit of all.
 */
export function mergeWithServer(
  { base, baseAt }: { base: Fields; baseAt: string },
  serverFields: Fields,
  { edited, editedAt, together = [] }: { edited: Fields; editedAt: string; together?: readonly string[] },
): ServerMerge {
  const differs = (field: string) => !sameValue(edited[field], base[field])
  const isGroupEdited = together.some(differs)
  const touched = Object.entries(edited).filter(
    ([field]) => differs(field) || (isGroupEdited && together.includes(field)),
  )
  // Other people's edits are stamped just after the base, or before every other stamp if the base has none.
  const theirs = Object.entries(serverFields).filter(([field, value]) => !showsTheSame(base[field], value))
  const serverEdits = registersAt(Object.fromEntries(theirs), baseAt === '' ? ' ' : `${baseAt}~`)
  const server = join(registersAt(base, baseAt), serverEdits)
  const merged = join(server, registersAt(Object.fromEntries(touched), editedAt))
  const fields = valuesOf(merged)
  return {
    fields,
    // Another notation is no change: of times (`sameValue`), of texts (`isSameContent`).
    changed: Object.keys(fields).filter(
      (field) =>
        !sameValue(fields[field], serverFields[field]) && !isSameContent(fields[field], serverFields[field]),
    ),
    replaced: historyOf(merged).filter(({ field, stamp }) => serverEdits[field]?.[0]?.stamp === stamp),
  }
}

export interface EditRules {
  edited(change: AnyChange): object
  /** Fields that only make sense together. */
  together: readonly string[]
}

/** Merges an edit with the CRM's current state (RULES MG2, MG3). A retry after a crash sends the same body. */
export function mergedEdit(
  { edited, together }: EditRules,
  record: PushableRecord,
  change: AnyChange,
): ServerMerge {
  const editedFields = edited(change) as Fields
  const serverFields = pickSameKeys(record.server ?? {}, editedFields) as Fields
  const edit = { edited: editedFields, editedAt: change.stamp, together }
  const base = change.madeOn
  // Without a base, every field that differs from the CRM's current values counts as edited.
  if (!base) return mergeWithServer({ base: serverFields, baseAt: '' }, serverFields, edit)
  const earlierEdits = record.changes
    .filter((each) => !isCreating(each) && each.stamp > base.stamp && each.stamp < change.stamp)
    .map((each) => edited(each) as Fields)
  // An edit that takes back an unsent earlier edit is compared with the earlier one, so that the field is edited.
  const baseEntry = ([name, value]: [string, unknown]) => {
    const earlier = earlierEdits.findLast((each) => name in each && !sameValue(each[name], value))
    return [name, earlier && sameValue(value, editedFields[name]) ? earlier[name] : value]
  }
  const known = Object.entries(pickSameKeys(base.fields, editedFields)).map(baseEntry)
  const madeOn = { base: Object.fromEntries(known) as Fields, baseAt: base.stamp }
  return mergeWithServer(madeOn, serverFields, edit)
}

/** Replaces the record's CRM state, unless nothing was read or the record already has a newer one. */
export function withServerState<R extends PushableRecord>(record: R, read: R['server']): R {
  const before = record.server
  return !read || (before && before.stamp > read.stamp)
    ? record
    : { ...record, server: { ...before, ...read } }
}

interface Known {
  server?: { stamp: string; detailed?: boolean; outTime?: string | null } | undefined
  changes?: readonly Pick<AnyChange, 'fields'>[]
  history?: PushableRecord['history']
}

/**
 * Adds to a record's history what other people have changed between two reads (RULES MG5): every difference that no
 * change on this device explains. Of records that only their author may edit, nothing is added.
 * @param resource name of the collection
 * @param before the record on the device before the read; undefined if there was none
 */
export function withOthersEdits<R extends Known>(resource: string, before: Known | undefined, read: R): R {
  const [oldState, newState] = [before?.server, read.server]
  if (!isPushCollection(resource) || !declared[resource].editedByOthers || !oldState || !newState) return read
  // Before the exit (`outTime`), and in a summary, a quick report lacks fields. Filling them is nobody's edit.
  const hasAllFields =
    !('outTime' in oldState) || (oldState.outTime !== null && oldState.detailed && newState.detailed)
  const isOurs = (field: string, value: FieldValue) =>
    read.changes?.some(({ fields }) => field in fields && isStoredContent(Reflect.get(fields, field), value))
  const edits = Object.entries<Field>(declared[resource].fields).flatMap(([field, { fixed }]) => {
    const [old = null, next = null] = [oldState, newState].map((state): FieldValue =>
      Reflect.get(state, field),
    )
    const isFilled = !hasAllFields && (old === null || old === '' || isSameContent(old, []))
    if (fixed || isFilled || showsTheSame(old, next) || isOurs(field, next)) return []
    return [othersEntry({ field, before: old, after: next, stamp: newState.stamp })]
  })
  return edits.length === 0 ? read : { ...read, history: withReplaced(read.history ?? [], edits) }
}
