/** Saves changes of records, all documents of one save together (sync RULES SV1). The replication sends them later. */
import { isSameContent } from '#schemas/change-history.ts'
import {
  blankFacts,
  effectiveChanges,
  dependsOnCreate,
  isCreating,
  isWhole,
  pickSameKeys,
  baseOfNewEdit,
  TOGETHER,
} from '#schemas/changes/change-queue.ts'
import type { AnyChange, Change, ChangeBase, PushableRecord } from '#schemas/change.ts'
import type { PushCollection } from '#schemas/collections/push-collections.ts'
import { isOpen, ownOf } from '#schemas/changes/record-view.ts'
import { regularText } from '#schemas/text.ts'
import type { Clock } from '#lib/time/stamp.ts'
import { measureSave } from '#lib/time/user-timing.ts'
import { isNotShown } from '#data/database/counting.ts'
import type { Database } from '#data/database/database.ts'
import { changesOf, keysOfId, viewOf } from './record-views.ts'
import { writeTogether, type Write } from '#data/storage/stored-docs.ts'

export type Saver = { db: Database; clock: Clock; newId: () => string; userId: string; offline: boolean }

export interface NotingSaver extends Saver {
  /** Stamp of the save's first change or photo. The draft stores it first, so that the next start finds a begun save. */
  first: string
}

/** Returns a saver for one save. `stamps` collects the stamps that identify its changes and photos in the queue. */
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
  // Text is normalised before it is stored, so that the CRM later shows exactly the text that was sent.
  fields: Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      typeof value === 'string' ? regularText(value) : value,
    ]),
  ) as F,
})

type Save = { seen: PushableRecord; change: AnyChange }

/**
 * Saves a change of a record.
 * @param seen the record that the screen showed, blank for a new one; the edit is compared with it (sync RULES MG2)
 */
export const addChange = (db: Database, resource: PushCollection, seen: PushableRecord, change: AnyChange) =>
  addChanges(db, resource, [{ seen, change }])

/** The form's record may have been merged into another record with the same CRM id meanwhile (merge-rows). */
async function keyOfSave(db: Database, resource: PushCollection, { key, serverId }: PushableRecord) {
  if (key !== serverId || (await viewOf(db, resource, key))) return key
  const [holder = key] = await keysOfId(db, resource, serverId)
  return holder
}

/** Saves changes of several records in one write: all or none (sync RULES SV1). */
export async function addChanges(db: Database, resource: PushCollection, saves: readonly Save[]) {
  const documents = await Promise.all(saves.map((save) => documentOf(db, resource, save)))
  const writes = documents.flatMap(({ document, replaced }): [string, Write<Change>][] => [
    // A save that is repeated after a crash may find its change stored already.
    [document.id, (stored) => stored ?? document],
    ...replaced.map(({ id }): [string, Write<Change>] => [id, () => null]),
  ])
  await writeTogether(db.changes, new Map(writes))
  measureSave()
}

/** `replaced`: failed changes of the same record that the save replaces. */
async function documentOf(db: Database, resource: PushCollection, { seen: seenRecord, change }: Save) {
  const seen = { ...seenRecord, key: await keyOfSave(db, resource, seenRecord) }
  const all = await changesOf(db, resource, seen.key)
  const failed = isCreating(change) ? [] : failedUnder(seen, all)
  const withoutFailed = seen.changes.filter(({ id }) => failed.every((each) => each.id !== id))
  // If the form opened without any data of the record, the edit is based on the record that is on the device now.
  const isOnNothing = !isCreating(change) && seen.changes.length === 0 && !seen.server
  const current = isOnNothing ? await viewOf(db, resource, seen.key) : null
  const base = current ?? { ...seen, changes: withoutFailed }
  return {
    document: {
      ...change,
      ...baseOfNewEdit(base, change, (each) => isAcceptedIn(all, each)),
      fields: overNewest(seen, all.filter(isOpen), change),
      ...blankFacts({ record: { resource, ...seen }, change }),
      own: ownOf(seen),
    },
    // A failed creation and its edits are replaced. A failed entry (入館) is not: the user must resend or discard it.
    replaced: failed.some(isWhole) ? failed : [],
  }
}

/** If the device no longer has the change, a later accepted change counts. */
function isAcceptedIn(all: readonly Change[], { id, stamp }: AnyChange): boolean {
  const stored = all.find((each) => each.id === id)
  if (stored) return stored.state === 'accepted'
  return all.some((each) => each.state === 'accepted' && each.stamp >= stamp)
}

/**
 * Returns the failed creation by this device of a record that a colleague has created meanwhile, and the edits based
 * on it. The new save then edits the colleague's record (sync RULES OR3).
 */
function failedUnder(seen: PushableRecord, all: readonly Change[]): AnyChange[] {
  if (seen.serverId === '' || !seen.server) return []
  const creating = effectiveChanges(seen.changes).find(isCreating)
  const stored = all.find(({ id }) => id === creating?.id)
  if (!creating || !stored || !isNotShown(stored)) return []
  return seen.changes.filter((each) => isCreating(each) || dependsOnCreate(seen, each))
}

/**
 * Returns the fields of a save. Fields that the user did not touch get the values of a save by another form since
 * this form opened, because a save contains all fields (sync RULES MG2).
 * @param seen the record as this form opened with it
 */
function overNewest(seen: PushableRecord, open: readonly Change[], { kind, fields }: AnyChange): object {
  const newest = effectiveChanges(open).at(-1)
  const isUnseen = newest && newest.kind !== 'entry' && seen.changes.every(({ id }) => id !== newest.id)
  if (!isUnseen || kind === 'entry') return fields
  const opened = pickSameKeys(effectiveChanges(seen.changes).at(-1)?.fields ?? seen.server ?? {}, fields)
  const isTouched = ([name, value]: [string, unknown]) => !isSameContent(opened[name], value)
  const touched = Object.entries(fields).filter(isTouched)
  // If the user touched one of the fields that belong together, all of them keep the user's values.
  const isOwn = (name: string) =>
    TOGETHER.includes(name)
      ? touched.some(([other]) => TOGETHER.includes(other))
      : touched.some(([other]) => other === name)
  const others = Object.entries(pickSameKeys(newest.fields, fields)).filter(([name]) => !isOwn(name))
  return { ...fields, ...Object.fromEntries(others) }
}

/**
 * Decides whether a save creates or edits its record. `edit` if the CRM may have the record, because a second
 * creation would duplicate it (sync RULES OC6). `create` if its creation was refused or has expired (EX2).
 * @param shown the record that the form showed; null if it showed none; the record on the device by default
 */
export async function kindOfSave(
  db: Database,
  { collection, key }: { collection: PushCollection; key: string },
  shown?: PushableRecord | null,
): Promise<'create' | 'edit'> {
  const record: PushableRecord | null | undefined = (await viewOf(db, collection, key)) ?? shown
  if (!record) return 'create'
  const creating = effectiveChanges(record.changes).find(isCreating) as Change | undefined
  if (!creating) return record.serverId === '' ? 'create' : 'edit'
  const { state, serverErrors } = creating
  // A creation with server errors may be in the CRM after all. An expired one is not: the CRM was searched for it.
  const isAbsent = state === 'expired' || (state === 'refused' && serverErrors === 0)
  // A record with a CRM id is in the CRM, for example a colleague's. If the form showed it, the save edits it.
  const seen = shown === undefined ? record : shown
  const isShown = record.serverId !== '' && record.serverId === seen?.serverId
  return isAbsent && !isShown ? 'create' : 'edit'
}

export const NOTHING_SENT = { serverId: '', changes: [], unsent: 'no' as const }
