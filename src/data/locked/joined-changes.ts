/**
 * Merges the locked changes of a record with those on the device (sync RULES MG1, SV3). Both were saved
 * independently. Pure. Each field is a last-writer-wins register:
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
import { isSameJson } from '#lib/is-same.ts'

/**
 * Suffix of the id of a change that has absorbed fields of another. The new id distinguishes it from the
 * original, which may be in a call already.
 */
const JOINED = '+'

/**
 * Merges locked changes into a record on the device.
 * @param here the record on the device; its changes may be in a call
 * @param locked the locked changes, without those that are known to have ended
 * @param lastEdit stamp of the record's last edit from this device that the CRM has accepted; '' if there is none
 * @returns the changes of both
 */
export function joinedChanges(
  here: Pick<PushableRecord, 'changes' | 'server'>,
  locked: readonly AnyChange[],
  lastEdit: string,
): AnyChange[] {
  const known = new Set(here.changes.map(({ id }) => withoutSuffix(id)))
  const more = locked
    .filter(({ id }) => !known.has(withoutSuffix(id)))
    .flatMap((change) =>
      isCreating(change) || change.stamp > lastEdit ? change : (withoutOverdue(change, here.server) ?? []),
    )
  return mergedChanges(here.changes, more)
}

/** The original id of a change that has absorbed another. */
export const withoutSuffix = (id: string) => id.replace(/\++$/, '')

/**
 * The changes of both sides. The last edit also gets the fields that only the other side's last edit changed.
 */
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

/**
 * Names of fields that an edit changed. Fields that only make sense together count as changed if one of them
 * is.
 */
function touchedBy({ fields, madeOn }: Pick<AnyChange, 'fields' | 'madeOn'>): string[] {
  const base = pickSameKeys(madeOn?.fields ?? {}, fields)
  const names = Object.keys(fieldsSet(fields))
  const touched = names.filter((name) => !madeOn || !isSameContent(base[name], Reflect.get(fields, name)))
  return touched.some((name) => TOGETHER.includes(name))
    ? names.filter((name) => touched.includes(name) || TOGETHER.includes(name))
    : touched
}

/**
 * Removes from an edit the fields that have changed in the CRM since it was made. Used if the CRM has already
 * accepted a later edit from this device.
 * @returns null if nothing remains, because a later save has replaced the edit
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
  const overlay = pick(now, overdue)
  return {
    ...change,
    fields: { ...change.fields, ...overlay },
    madeOn: { ...madeOn, fields: { ...madeOn.fields, ...overlay } },
  }
}

const pick = (from: object, names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, Reflect.get(from, name) as unknown]))
