/**
 * Two states of one record that were saved without knowing of each other: what was locked, and what is on the device
 * (sync RULES MG1, SV3). Pure. Fields are last-writer-wins registers here as well:
 *
 *     both edits unsent           the later one, with the fields that only the earlier one touched
 *     the later one is sent       the earlier one, without the fields that have changed since
 */
import { isSameContent } from '#schemas/change-history.ts'
import { effectiveChanges, isCreating, likeIn, TOGETHER } from '#schemas/changes/change-queue.ts'
import type { AnyChange, PushableRecord } from '#schemas/change.ts'

interface Sent {
  /** Stamp of the last edit of the record that the CRM has accepted from this device; '' where there is none. */
  lastEdit: string
}

/** Follows the id of a change that has taken fields of another: a call of the change as it was may be under way. */
const JOINED = '+'

/**
 * @param here as it is on the device, its changes may be on their way
 * @param back as it was locked, without the changes that are known to be done
 * @returns the record that is on the device, with the changes of both
 */
export function joinedRecord(here: PushableRecord, back: PushableRecord, { lastEdit }: Sent): PushableRecord {
  const server = newer(here.server, back.server)
  const known = new Set(here.changes.map(({ id }) => withoutSuffix(id)))
  const more = back.changes
    .filter(({ id }) => !known.has(withoutSuffix(id)))
    .flatMap((change) =>
      isCreating(change) || change.stamp > lastEdit ? change : (withoutOverdue(change, back, server) ?? []),
    )
  const changes = together(here.changes, more)
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

export const withoutSuffix = (id: string) => id.replace(/\++$/, '')

const newer = <S extends { stamp: string } | undefined>(a: S, b: S): S =>
  (a?.stamp ?? '') >= (b?.stamp ?? '') ? a : b

const isSameEntry = (a: object, b: object) => JSON.stringify(a) === JSON.stringify(b)

/** The changes of both, of which the last edit has what only the other side's last edit touched. */
function together(here: readonly AnyChange[], more: readonly AnyChange[]): AnyChange[] {
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

/** Fields that the earlier edit touched and the later one did not. */
function untouched(earlier: AnyChange, later: AnyChange): string[] {
  const taken = new Set(touchedBy(later))
  return touchedBy(earlier).filter((name) => !taken.has(name))
}

/** Fields that an edit changed; those that make sense only together are all of them changed where one is. */
function touchedBy({ fields, madeOn }: Pick<AnyChange, 'fields' | 'madeOn'>): string[] {
  const base = likeIn(madeOn?.fields ?? {}, fields)
  const names = Object.keys(fields)
  const touched = names.filter((name) => !madeOn || !isSameContent(base[name], Reflect.get(fields, name)))
  return touched.some((name) => TOGETHER.includes(name))
    ? names.filter((name) => touched.includes(name) || TOGETHER.includes(name))
    : touched
}

/**
 * An edit that an accepted one of this device is later than: fields that have changed in the CRM since it was made are
 * taken out of it.
 * @returns null where nothing is left: a later save has replaced it
 */
function withoutOverdue(
  change: AnyChange,
  back: PushableRecord,
  server: PushableRecord['server'],
): AnyChange | null {
  const base =
    change.madeOn ?? (back.server && { stamp: back.server.stamp, fields: likeIn(back.server, change.fields) })
  if (!server || !base) return change
  const now = likeIn(server, change.fields)
  const was = likeIn(base.fields, change.fields)
  const touched = touchedBy({ ...change, madeOn: base })
  const changedSince = touched.filter((name) => !isSameContent(was[name], now[name]))
  const isApart = changedSince.some((name) => TOGETHER.includes(name))
  const overdue = touched.filter(
    (name) => changedSince.includes(name) || (isApart && TOGETHER.includes(name)),
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
