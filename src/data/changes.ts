/**
 * Saving: a change is added to its record on the device, in one write, and that is the save (sync RULES SV1). Sending is
 * the replication's affair.
 */
import type { MangoQuery, RxCollection } from 'rxdb/plugins/core'
import { isSameContent } from '#schemas/change-history.ts'
import {
  effectiveChanges,
  hangsOnCreating,
  isCreating,
  isWhole,
  likeIn,
  madeOn,
  TOGETHER,
} from '#schemas/change-queue.ts'
import type { AnyChange, ChangeBase, PushableRecord } from '#schemas/change.ts'
import { regularText } from '#schemas/text.ts'
import type { Clock } from '#lib/time/stamp.ts'
import { measureSave } from '#lib/time/user-timing.ts'
import { counting } from './counting.ts'
import type { Database } from './database.ts'
import { writeTogether, type Change } from './storage/write-together.ts'

export interface Saver {
  db: Database
  clock: Clock
  newId: () => string
  userId: string
  offline: boolean
}

/** The saver of one save. */
export interface NotingSaver extends Saver {
  /** The stamp of the first change or photo that it writes: a draft names it before (data/save-draft). */
  first: string
}

/** A saver that notes the stamps of what it writes: changes and photos are told apart by them. */
export function noting(saver: Saver): { saver: NotingSaver; stamps: readonly string[] } {
  const first = saver.clock.stamp()
  const stamps: string[] = []
  const stamp = () => {
    const next = stamps.length === 0 ? first : saver.clock.stamp()
    stamps.push(next)
    return next
  }
  return { saver: { ...saver, clock: { ...saver.clock, stamp }, first }, stamps }
}

/** A change as it is saved: who, when, in which order. */
export const newChange = <K extends string, F extends object>(
  { clock, newId, userId, offline }: Saver,
  kind: K,
  fields: F,
): ChangeBase & { kind: K; fields: F } => ({
  id: newId(),
  stamp: clock.stamp(),
  savedAt: new Date(clock.now()).toISOString(),
  userId,
  offline,
  kind,
  // what no store keeps is not saved: the CRM may otherwise show another text than was sent
  fields: Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      typeof value === 'string' ? regularText(value) : value,
    ]),
  ) as F,
})

/** A change and the record as the screen showed it. */
export interface Save<R extends PushableRecord> {
  seen: R
  change: R['changes'][number]
}

/**
 * Adds a change to its record, which is made where the device has none.
 * @param seen the record as the screen showed it, or a blank one: an edit is made on what was seen, not on what a pull has
 *   brought meanwhile (sync RULES MG2)
 */
export async function addChange<R extends PushableRecord>(
  db: Database,
  collection: RxCollection<R>,
  seen: R,
  change: R['changes'][number],
): Promise<void> {
  const adding = await addingOf(db, { seen, change })
  // looked up first: an insert that finds a record costs a second strict write
  const known = (await collection.findOne(seen.key).exec()) ?? (await holderOf(collection, seen))
  const doc = known ?? (await collection.insertIfNotExists(adding.made()))
  if (doc.changes.some(({ id }) => id === change.id)) return measureSave()
  const written = await doc.incrementalModify(adding.to)
  // 破棄 or a pull took the record away in between: it is made anew (sync RULES SV3)
  if (written.deleted) return addChange(db, collection, seen, change)
  measureSave()
}

/** A record that was only read may have given way to the one that holds its id (`seal/put-record.ts`). */
const holderOf = async <R extends PushableRecord>(
  collection: RxCollection<R>,
  { serverId }: PushableRecord,
) =>
  serverId === ''
    ? null
    : collection.findOne({ selector: { serverId: { $eq: serverId } } } as MangoQuery<R>).exec()

/** Changes of several records as one save: the device has all of them, or none (sync RULES SV1). */
export async function addChanges<R extends PushableRecord>(
  db: Database,
  collection: RxCollection<R>,
  saves: readonly Save<R>[],
): Promise<void> {
  const [only, ...more] = saves
  if (only && more.length === 0) return addChange(db, collection, only.seen, only.change)
  const adding = await Promise.all(
    saves.map(async (save) => [save.seen.key, await addingOf(db, save)] as const),
  )
  const changes = adding.map(([key, { made, to }]): [string, Change<R>] => [
    key,
    (record) => (record ? to(record) : made()),
  ])
  await writeTogether(collection, new Map(changes))
  measureSave()
}

/** What a save makes of its record, as it is by then. */
async function addingOf<R extends PushableRecord>(db: Database, { seen, change }: Save<R>) {
  const dead = isCreating(change) ? [] : await deadOver(db, seen)
  const shown = { ...seen, changes: seen.changes.filter((each) => !dead.includes(each)) }
  // a whole one is replaced by this save; an entry is not, and stays for a person to decide about
  const replaced = dead.some(isWhole) ? dead.map(({ id }) => id) : []
  const added = (record: R, changes: R['changes'], isGivenUp = false): R => {
    const fields = overNewest(seen, record, change)
    const base = { ...madeOn(record, record, change), ...madeOn(shown, record, change, isGivenUp) }
    const left = changes.filter(({ id }) => !replaced.includes(id))
    return { ...record, changes: [...left, { ...change, fields, ...base }], unsent: 'yes' }
  }
  return {
    made: () => added(seen, []),
    to(record: R): R | Promise<R> {
      const gone = goneSince(seen, record)
      if (!gone) return added(record, record.changes)
      return isGivenUp(db, seen, gone).then((isIt) => added(record, record.changes, isIt))
    },
  }
}

/**
 * What came to nothing of a record that the form showed as the CRM has it all the same, for a colleague was first: what was
 * to make it here, and what was made on that. A save is made on theirs (sync RULES OR3).
 */
async function deadOver(db: Database, seen: PushableRecord): Promise<AnyChange[]> {
  if (seen.serverId === '' || !seen.server) return []
  const creating = effectiveChanges(seen.changes).find(isCreating)
  if (!creating || (await isAlive(db, creating))) return []
  return seen.changes.filter((each) => isCreating(each) || hangsOnCreating(seen, each))
}

/** Nobody has refused it or given it up. */
async function isAlive(db: Database, change: AnyChange): Promise<boolean> {
  const entry = await db.ledger.findOne(change.id).exec()
  return counting([change], new Map(entry ? [[change.id, entry.toMutableJSON()]] : [])).length > 0
}

/** What was unsent of the record when the form was opened, and is not in it any more. */
function goneSince(seen: PushableRecord, now: PushableRecord): AnyChange | undefined {
  const before = effectiveChanges(seen.changes).at(-1)
  return now.changes.some(({ id }) => id === before?.id) ? undefined : before
}

/**
 * Whether it went by 破棄: then the CRM never had it (sync RULES MG2). Else it went because it was accepted, or a later one
 * of the record that had replaced it; the state `discarded` is written last.
 */
async function isGivenUp(db: Database, { key }: PushableRecord, { id, stamp }: AnyChange): Promise<boolean> {
  const rows = await db.ledger.stored({ selector: { recordKey: key } })
  const isThere = rows.some((row) => row.state === 'accepted' && row.stamp >= stamp)
  return !isThere && rows.some((row) => row.id === id)
}

/**
 * What a save says where another form of the record was saved since this one opened, and has not been sent: a save carries
 * the whole content, so what this form's user left as it was is as the other one has it (sync RULES MG2).
 * @param seen the record as this form was opened with it
 * @param now as it is on the device
 */
function overNewest(seen: PushableRecord, now: PushableRecord, { kind, fields }: AnyChange): object {
  const newest = effectiveChanges(now.changes).at(-1)
  const isNews = newest && newest.kind !== 'entry' && seen.changes.every(({ id }) => id !== newest.id)
  if (!isNews || kind === 'entry') return fields
  const opened = likeIn(effectiveChanges(seen.changes).at(-1)?.fields ?? seen.server ?? {}, fields)
  const isTouched = ([name, value]: [string, unknown]) => !isSameContent(opened[name], value)
  const touched = Object.entries(fields).filter(isTouched)
  const isOwn = (name: string) =>
    TOGETHER.includes(name)
      ? touched.some(([other]) => TOGETHER.includes(other))
      : touched.some(([other]) => other === name)
  const others = Object.entries(likeIn(newest.fields, fields)).filter(([name]) => !isOwn(name))
  return { ...fields, ...Object.fromEntries(others) }
}

/**
 * How a save of this record travels: `edit` once it is, or may be, in the CRM, so that it is never made twice (sync RULES
 * OC6); `create` where there is none yet, or where what was to make it was refused or expired: it is not in the CRM (EX2),
 * and saving it anew is the word that it may go. Where the form showed one that the CRM has all the same, it is an edit of
 * that (OR3).
 * @param record as it is on the device; null where there is none
 * @param seen as the form showed it
 */
export async function kindOfSave(
  db: Database,
  record: PushableRecord | null,
  seen: PushableRecord | null = record,
): Promise<'create' | 'edit'> {
  if (!record) return 'create'
  const creating = effectiveChanges(record.changes).find(isCreating)
  if (!creating) return record.serverId === '' ? 'create' : 'edit'
  const entry = await db.ledger.findOne(creating.id).exec()
  // whatever was in doubt was read back, and not there, before it was called expired
  const isAbsent = entry?.state === 'expired' || (entry?.state === 'refused' && entry.serverErrors === 0)
  const isShown = record.serverId !== '' && record.serverId === seen?.serverId
  return isAbsent && !isShown ? 'create' : 'edit'
}

/** The part of a new record that all have. */
export const NOTHING_SENT = { serverId: '', changes: [], unsent: 'no' as const }
