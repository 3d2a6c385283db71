/**
 * Merges changes of a record that were encrypted under an earlier password (封印中) with its changes on the device (sync
 * RULES MG1, SV3). Pure. For each field the last edit wins:
 *
 *     both edits unsent           the later one, plus fields that only the earlier one changed
 *     the later one is sent       the earlier one, minus fields that have changed since
 */
import { isSameContent } from '#schemas/change-history.ts'
import {
  effectiveChanges,
  fieldsSet,
  isCreating,
  pickSameKeys,
  TOGETHER,
} from '#schemas/changes/change-queue.ts'
import type { AnyChange, PushableRecord } from '#schemas/change.ts'
import { isSameJson } from '#lib/browser/stored-json.ts'

/** Suffix of the id of a change that got fields of another one. A call with the original id may have begun. */
const JOINED = '+'

/**
 * Returns the changes of a record and those that an earlier password has decrypted, merged.
 * @param locked the decrypted changes, without those that are known to be accepted or discarded
 * @param lastEdit stamp of the last edit from this device that the CRM has accepted; '' if there is none
 */
export function joinedChanges(
  here: Pick<PushableRecord, 'changes' | 'server'>,
  locked: readonly AnyChange[],
  lastEdit: string,
): AnyChange[] {
  const known = new Set(here.changes.map(({ id }) => withoutSuffix(id)))
  const more = locked
    .filter(({ id }) => !known.has(withoutSuffix(id)))
    .flatMap((change) => {
      const isOverdue = !isCreating(change) && change.stamp <= lastEdit
      return isOverdue ? (withoutOverdue(change, here.server) ?? []) : change
    })
  return mergedChanges(here.changes, more)
}

export const withoutSuffix = (id: string) => id.replace(/\++$/, '')

/** Of the last edits of the two lists, the later one also gets the fields that only the earlier one has changed. */
function mergedChanges(here: readonly AnyChange[], more: readonly AnyChange[]): AnyChange[] {
  const [own, locked] = [lastEditOf(here), lastEditOf(more)]
  const all = [...here, ...more]
  if (!own || !locked) return all
  const [earlier, later] = own.stamp < locked.stamp ? [own, locked] : [locked, own]
  const touchedLater = touchedBy(later)
  const onlyEarlier = touchedBy(earlier).filter((name) => !touchedLater.includes(name))
  const fields = { ...later.fields, ...pick(earlier.fields, onlyEarlier) }
  if (isSameJson(fields, later.fields)) return all
  const id = later === own ? `${later.id}${JOINED}` : later.id
  return all.map((change) => (change === later ? { ...later, id, fields } : change))
}

const lastEditOf = (changes: readonly AnyChange[]) =>
  effectiveChanges(changes).findLast((change) => !isCreating(change))

/** Returns the names of the fields that an edit has changed. Fields that belong together count as a group. */
function touchedBy({ fields, madeOn }: Pick<AnyChange, 'fields' | 'madeOn'>): string[] {
  const base = pickSameKeys(madeOn?.fields ?? {}, fields)
  const names = Object.keys(fieldsSet(fields))
  const touched = names.filter((name) => !madeOn || !isSameContent(base[name], Reflect.get(fields, name)))
  return touched.some((name) => TOGETHER.includes(name))
    ? names.filter((name) => touched.includes(name) || TOGETHER.includes(name))
    : touched
}

/**
 * Removes from an edit the fields that have changed in the CRM since, because the CRM has accepted a later edit from
 * this device. Returns null if no field remains.
 */
function withoutOverdue(change: AnyChange, server: PushableRecord['server']): AnyChange | null {
  const { madeOn } = change
  if (!server || !madeOn) return change
  const now = pickSameKeys(server, change.fields)
  const was = pickSameKeys(madeOn.fields, change.fields)
  const touched = touchedBy(change)
  const changedSince = touched.filter((name) => !isSameContent(was[name], now[name]))
  const isGroupChanged = changedSince.some((name) => TOGETHER.includes(name))
  const overdue = touched.filter(
    (name) => changedSince.includes(name) || (isGroupChanged && TOGETHER.includes(name)),
  )
  if (overdue.length === touched.length) return null
  // With the present values as both the old and the new value, the edit no longer changes these fields.
  const present = pick(now, overdue)
  return {
    ...change,
    fields: { ...change.fields, ...present },
    madeOn: { ...madeOn, fields: { ...madeOn.fields, ...present } },
  }
}

const pick = (from: object, names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, Reflect.get(from, name) as unknown]))
