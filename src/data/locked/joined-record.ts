/**
 * Merges two states of one record that were saved independently: the one that was locked, and the one on the
 * device (sync RULES MG1, SV3). Pure. Each field is a last-writer-wins register:
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

interface Sent {
  /** Stamp of the record's last edit from this device that the CRM has accepted; '' if there is none. */
  lastEdit: string
}

/**
 * Suffix of the id of a change that has absorbed fields of another. The new id distinguishes it from the
 * original, which may be in a call already.
 */
const JOINED = '+'

/**
 * Merges the locked state into the state on the device.
 * @param here the record on the device; its changes may be in a call
 * @param back the locked record, without changes that are known to have ended
 * @returns the record on the device with the changes of both
 */
export function joinedRecord(here: PushableRecord, back: PushableRecord, { lastEdit }: Sent): PushableRecord {
  const server = newer(here.server, back.server)
  const known = new Set(here.changes.map(({ id }) => withoutSuffix(id)))
  const more = back.changes
    .filter(({ id }) => !known.has(withoutSuffix(id)))
    .flatMap((change) =>
      isCreating(change) || change.stamp > lastEdit ? change : (withoutOverdue(change, back, server) ?? []),
    )
  const changes = mergedChanges(here.changes, more)
  const history = [...(here.history ?? []), ...(back.history ?? [])]
  const once = history.filter((entry, i) => history.findIndex((other) => isSameEntry(other, entry)) === i)
  return {
    ...here,
    serverId: here.serverId || back.serverId,
    ...(server && { server }),
    changes,
    unsent: changes.length > 0 ? 'yes' : 'no',
    ...(once.length > 0 && { history: once }),
  }
}

/** The original id of a change that has absorbed another. */
export const withoutSuffix = (id: string) => id.replace(/\++$/, '')

const newer = <S extends { stamp: string } | undefined>(a: S, b: S): S =>
  (a?.stamp ?? '') >= (b?.stamp ?? '') ? a : b

const isSameEntry = (a: object, b: object) => JSON.stringify(a) === JSON.stringify(b)

/**
 * The changes of both sides. The last edit also gets the fields that only the other side's last edit changed.
 */
function mergedChanges(here: readonly AnyChange[], more: readonly AnyChange[]): AnyChange[] {
  const [own, back] = [lastEditOf(here), lastEditOf(more)]
  const all = [...here, ...more]
  if (!own || !back) return all
  const [earlier, later] = own.stamp < back.stamp ? [own, back] : [back, own]
  const fields = { ...later.fields, ...pick(earlier.fields, untouched(earlier, later)) }
  if (isSameContent(JSON.stringify(fields), JSON.stringify(later.fields))) return all
  const id = later === own ? `${later.id}${JOINED}` : later.id
  return all.map((change) => (change === later ? { ...later, id, fields } : change))
}

const lastEditOf = (changes: readonly AnyChange[]) =>
  effectiveChanges(changes).findLast((change) => !isCreating(change))

/** Names of fields that the earlier edit changed and the later one did not. */
function untouched(earlier: AnyChange, later: AnyChange): string[] {
  const touchedLater = new Set(touchedBy(later))
  return touchedBy(earlier).filter((name) => !touchedLater.has(name))
}

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
function withoutOverdue(
  change: AnyChange,
  back: PushableRecord,
  server: PushableRecord['server'],
): AnyChange | null {
  const base =
    change.madeOn ??
    (back.server && { stamp: back.server.stamp, fields: pickSameKeys(back.server, change.fields) })
  if (!server || !base) return change
  const now = pickSameKeys(server, change.fields)
  const was = pickSameKeys(base.fields, change.fields)
  const touched = touchedBy({ ...change, madeOn: base })
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
    madeOn: { stamp: base.stamp, fields: { ...base.fields, ...overlay } },
  }
}

const pick = (from: object, names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, Reflect.get(from, name) as unknown]))
