/**
 * Merges edits from two devices as a CRDT (RULES MG1, MG2). Each field is a last-writer-wins register that
 * remembers replaced values. Its state is a set of stamped values, newest first:
 *
 *     value = the newest           history = the rest, at most HISTORY_MAX
 *     join  = union of both sets, the newest ones first
 *
 * Union is commutative, associative and idempotent, also if only the newest n values stay. The base
 * of an edit is the CRM's state that the user edited. Where the CRM's current state differs from the base, somebody
 * else has edited the field. These edits are stamped just after the base and not at the time of reading. So the local
 * edit is the later one in a field that both have edited, and edits of other fields survive.
 */
import { HISTORY_MAX, isSameContent, newestFirst, type FieldValue } from '#schemas/change-history.ts'
import { isStoredContent } from '#schemas/stored-text.ts'
import { isSame, sameInstant } from '#sync/wire/declared.ts'
import { isCreating, pickSameKeys } from '#schemas/changes/change-queue.ts'
import type { AnyChange, PushableRecord, ReplacedValue } from '#schemas/change.ts'

type Stamped = Omit<ReplacedValue, 'field'>

export type Registers = Readonly<Record<string, readonly Stamped[]>>
export type Fields = Readonly<Record<string, FieldValue>>

const DATE_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/

/**
 * True if the CRM treats two values as equal. It sends null for empty values and may write a time in another form
 * (crm-contract 2).
 */
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
  return Object.fromEntries([...fields].map((field) => [field, joinField(a[field] ?? [], b[field] ?? [])]))
}

const joinField = (a: readonly Stamped[], b: readonly Stamped[]): Stamped[] =>
  [...a, ...b]
    .toSorted(newestFirst)
    .filter((entry, i, all) => {
      const before = all[i - 1]
      return !before || newestFirst(entry, before) !== 0
    })
    .slice(0, HISTORY_MAX + 1)

export const valuesOf = (registers: Registers): Record<string, FieldValue> =>
  Object.fromEntries(Object.entries(registers).map(([field, [newest]]) => [field, newest?.value ?? null]))

/** Returns replaced values that differ from the current value, newest first. */
export const historyOf = (registers: Registers): ReplacedValue[] =>
  Object.entries(registers)
    .flatMap(([field, [newest, ...older]]) =>
      older.filter(({ value }) => !sameValue(value, newest?.value)).map((entry) => ({ field, ...entry })),
    )
    .toSorted(newestFirst)

/**
 * Other people's edits: the CRM's current values that differ from the base (the values that the user edited). They
 * are stamped just after `baseAt`, the base's stamp, or before every other stamp if it is empty (MG2).
 */
function serverOperation(base: Fields, serverFields: Fields, baseAt: string): Registers {
  const changed = Object.entries(serverFields).filter(([field, value]) => !showsTheSame(base[field], value))
  return registersAt(Object.fromEntries(changed), baseAt === '' ? ' ' : `${baseAt}~`)
}

interface ServerMerge {
  fields: Record<string, FieldValue>
  /** Names of fields that differ from the CRM's values. */
  changed: string[]
  /** Other people's values that this edit replaces. The record's history shows them. */
  replaced: ReplacedValue[]
}

interface Edit {
  edited: Fields
  editedAt: string
  /** Fields that only make sense together. An edit of one is an edit of all. */
  together?: readonly string[]
}

/**
 * Merges an edit with the CRM's current values (MG3).
 * @param base the CRM's values that the edit was made on, confirmed at stamp `baseAt`
 * @param serverFields the CRM's current values
 * @param edited the content as saved at `editedAt`
 */
export function mergeWithServer(
  { base, baseAt }: { base: Fields; baseAt: string },
  serverFields: Fields,
  { edited, editedAt, together = [] }: Edit,
): ServerMerge {
  const differs = (field: string) => !sameValue(edited[field], base[field])
  const isGroupEdited = together.some(differs)
  const touched = Object.entries(edited).filter(
    ([field]) => differs(field) || (isGroupEdited && together.includes(field)),
  )
  const serverEdits = serverOperation(base, serverFields, baseAt)
  const server = join(registersAt(base, baseAt), serverEdits)
  const merged = join(server, registersAt(Object.fromEntries(touched), editedAt))
  const fields = valuesOf(merged)
  return {
    fields,
    // Another notation is no change: `sameValue` compares times as moments, `isSameContent` ignores other spellings
    // of texts.
    changed: Object.keys(fields).filter(
      (field) =>
        !sameValue(fields[field], serverFields[field]) && !isSameContent(fields[field], serverFields[field]),
    ),
    replaced: historyOf(merged).filter(({ field, stamp }) => serverEdits[field]?.[0]?.stamp === stamp),
  }
}

export interface EditRules {
  /** Returns the fields that a change sets. */
  edited(change: AnyChange): object
  /** Fields that only make sense together. */
  together: readonly string[]
}

/**
 * Merges a local edit with the CRM's current state (RULES MG2, MG3). The result depends on the arguments alone, so a
 * retry after a crash sends the same body.
 */
export function mergedEdit(
  { edited, together }: EditRules,
  record: PushableRecord,
  change: AnyChange,
): ServerMerge {
  const editedFields = edited(change) as Fields
  const serverFields = pickSameKeys(record.server ?? {}, editedFields) as Fields
  const base = change.madeOn
  return mergeWithServer(
    // Without a base, every field that differs from the CRM's current values counts as edited.
    { base: base ? baseFieldsOf(edited, record, change, base) : serverFields, baseAt: base?.stamp ?? '' },
    serverFields,
    { edited: editedFields, editedAt: change.stamp, together },
  )
}

/**
 * Returns the values that an edit is compared with. If an unsent earlier edit changed a field and this edit changes
 * it back, the earlier edit's value is returned, so that the field counts as edited.
 */
function baseFieldsOf(
  edited: EditRules['edited'],
  { changes }: PushableRecord,
  change: AnyChange,
  base: NonNullable<AnyChange['madeOn']>,
): Fields {
  const editedFields = edited(change) as Fields
  const earlierEdits = changes
    .filter((each) => !isCreating(each) && each.stamp > base.stamp && each.stamp < change.stamp)
    .map((each) => edited(each) as Fields)
  const baseEntry = ([name, value]: [string, unknown]) => {
    const earlier = earlierEdits.findLast((each) => name in each && !sameValue(each[name], value))
    const isReverted = earlier && sameValue(value, editedFields[name])
    return [name, isReverted ? earlier[name] : value]
  }
  return Object.fromEntries(Object.entries(pickSameKeys(base.fields, editedFields)).map(baseEntry)) as Fields
}

/** Replaces the record's CRM state, unless the record already has a newer one. */
export function withServerState<R extends PushableRecord>(record: R, read: NonNullable<R['server']>): R {
  const before = record.server
  return before && before.stamp > read.stamp ? record : { ...record, server: { ...before, ...read } }
}
