/**
 * Joins a record's changes from locked data (封印中) with its changes in the present stores (sync RULES MG1, SV3). For
 * each field the last edit wins, sent or not. Pure.
 */
import { isSameContent } from '#schemas/change-history.ts'
import type { AnyChange, Change } from '#schemas/change.ts'
import {
  baseOfNewEdit,
  blankFacts,
  effectiveChanges,
  fieldsSet,
  isCreating,
  TOGETHER,
} from '#schemas/changes/change-queue.ts'
import { isOpen } from '#schemas/changes/record-view.ts'

/** Suffix of the id of a change that contains an edit from locked data and an edit from the present stores. */
const JOINED = '+'

/**
 * Returns the changes to store. If both have an edit, their join is saved as an edit of now, which replaces both, because
 * only the last edit of a record is sent.
 * @param locked the changes from locked data; their key must be that of `here`
 * @param here all changes of the record in the present stores, in any state
 * @param stamp returns a stamp of now
 */
export function joinedChanges(locked: readonly Change[], here: readonly Change[], stamp: () => string) {
  const known = new Set(here.map(({ id }) => id))
  const more = locked.filter(({ id }) => !known.has(id) && !known.has(`${id}${JOINED}`))
  const edit = effectiveChanges(more.filter(isOpen)).findLast((change) => !isCreating(change))
  const edits = here.filter((change) => !isCreating(change) && change.state !== 'discarded')
  const last = effectiveChanges(edits).at(-1)
  if (!edit || !last || (last.stamp < edit.stamp && !isOpen(last))) return more
  const isLastHere = last.stamp > edit.stamp
  const [earlier, later] = isLastHere ? [edit, last] : [last, edit]
  const after = edits.filter((change) => change.stamp > earlier.stamp).flatMap(touchedBy)
  const replaced = new Set([...after, ...touchedBy(later)])
  const onlyEarlier = touchedBy(earlier).filter((name) => !replaced.has(name))
  const others = more.filter((change) => isCreating(change) || !isOpen(change))
  if (onlyEarlier.length === 0) return isLastHere ? others : more
  const change: AnyChange = {
    ...saveOf(later),
    ...baseOfNewEdit({ ...NOTHING, changes: [later] }, later, (each) => !isOpen(each as Change)),
    id: `${edit.id}${JOINED}`,
    stamp: stamp(),
    fields: { ...later.fields, ...pick(earlier.fields, onlyEarlier) },
  }
  const record = { ...edit, key: edit.recordKey }
  return [...others, { ...change, ...blankFacts({ record, change }), fields: change.fields, own: edit.own }]
}

const NOTHING = { key: '', requestId: '', workingDate: '', serverId: '', unsent: 'no' } as const

const saveOf = ({ id, stamp, savedAt, userId, offline, kind, fields, madeOn }: Change): AnyChange => ({
  id,
  stamp,
  savedAt,
  userId,
  offline,
  kind,
  fields,
  ...(madeOn && { madeOn }),
})

/** Returns the names of the fields that an edit has changed. Fields that belong together count as a group. */
function touchedBy({ fields, madeOn }: Pick<AnyChange, 'fields' | 'madeOn'>): string[] {
  const names = Object.keys(fieldsSet(fields))
  const isTouched = (name: string) =>
    !madeOn || !isSameContent(Reflect.get(madeOn.fields, name), Reflect.get(fields, name))
  const isGroupTouched = names.some((name) => TOGETHER.includes(name) && isTouched(name))
  return names.filter((name) => isTouched(name) || (isGroupTouched && TOGETHER.includes(name)))
}

const pick = (from: object, names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, Reflect.get(from, name) as unknown]))
