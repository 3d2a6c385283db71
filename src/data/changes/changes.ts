/**
 * Saving: one document for each record that is changed, in one write, and that is the save (sync RULES SV1). Sending is the
 * replication's affair.
 */
import { isSameContent } from '#schemas/change-history.ts'
import {
  blankFacts,
  effectiveChanges,
  hangsOnCreating,
  isCreating,
  isWhole,
  likeIn,
  madeOn,
  TOGETHER,
} from '#schemas/changes/change-queue.ts'
import type { AnyChange, Change, ChangeBase, PushableRecord } from '#schemas/change.ts'
import type { PushCollection } from '#schemas/collections/push-collections.ts'
import { isOpen, ownOf } from '#schemas/changes/record-view.ts'
import { regularText } from '#schemas/text.ts'
import type { Clock } from '#lib/time/stamp.ts'
import { measureSave } from '#lib/time/user-timing.ts'
import { isDead } from '#data/database/counting.ts'
import type { Database } from '#data/database/database.ts'
import { changesOf, keysOfId, viewOf } from './record-views.ts'
import { writeTogether, type Write } from '#data/storage/write-together.ts'

export interface Saver {
  db: Database
  clock: Clock
  newId: () => string
  userId: string
  offline: boolean
}

/** The saver of one save. */
export interface NotingSaver extends Saver {
  /** The stamp of the first change or photo that it writes: a draft names it before (data/drafts/save-draft). */
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

/** What a save says of a record, and the record as the screen showed it. */
export interface Save {
  seen: PushableRecord
  change: AnyChange
}

/**
 * Saves a change of a record.
 * @param seen the record as the screen showed it, or a blank one: an edit is made on what was seen, not on what a pull has
 *   brought meanwhile (sync RULES MG2)
 */
export const addChange = (
  db: Database,
  resource: PushCollection,
  seen: PushableRecord,
  change: AnyChange,
): Promise<void> => addChanges(db, resource, [{ seen, change }])

/** The key that a save goes under: a record that was only read may have given way to another (`seal/put-record.ts`). */
async function keyOfSave(
  db: Database,
  resource: PushCollection,
  { key, serverId }: PushableRecord,
): Promise<string> {
  if (key !== serverId || (await viewOf(db, resource, key))) return key
  const [holder = key] = await keysOfId(db, resource, serverId)
  return holder
}

/** Changes of several records as one save: the device has all of them, or none (sync RULES SV1). */
export async function addChanges(
  db: Database,
  resource: PushCollection,
  saves: readonly Save[],
): Promise<void> {
  const made = await Promise.all(saves.map((save) => documentOf(db, resource, save)))
  const writes = made.flatMap(({ document, replaced }): [string, Write<Change>][] => [
    [document.id, (known) => known ?? document],
    ...replaced.map(({ id }): [string, Write<Change>] => [id, () => null]),
  ])
  await writeTogether(db.changes, new Map(writes))
  measureSave()
}

/** A save as it is stored, and what goes with it: it stands for what came to nothing of making the record. */
async function documentOf(
  db: Database,
  resource: PushCollection,
  { seen: opened, change }: Save,
): Promise<{ document: Change; replaced: AnyChange[] }> {
  const seen = { ...opened, key: await keyOfSave(db, resource, opened) }
  const all = await changesOf(db, resource, seen.key)
  const dead = isCreating(change) ? [] : deadOver(seen, all)
  const shown = { ...seen, changes: seen.changes.filter(({ id }) => dead.every((each) => each.id !== id)) }
  const isAccepted = (before: AnyChange) => {
    const now = all.find(({ id }) => id === before.id)
    // one that is gone was covered by a later one
    return now
      ? now.state === 'accepted'
      : all.some((each) => each.state === 'accepted' && each.stamp >= before.stamp)
  }
  const isOnNothing = !isCreating(change) && seen.changes.length === 0 && !seen.server
  const base = isOnNothing ? await viewOf(db, resource, seen.key) : shown
  return {
    document: {
      ...change,
      ...madeOn(base ?? shown, change, isAccepted),
      fields: overNewest(seen, all.filter(isOpen), change),
      ...blankFacts({ record: { resource, ...seen }, change }),
      own: ownOf(seen),
    },
    // a whole one is replaced by this save; an entry is not, and stays for a person to decide about
    replaced: dead.some(isWhole) ? dead : [],
  }
}

/**
 * What came to nothing of a record that the form showed as the CRM has it all the same, for a colleague was first: what was
 * to make it here, and what was made on that. A save is made on theirs (sync RULES OR3).
 */
function deadOver(seen: PushableRecord, all: readonly Change[]): AnyChange[] {
  if (seen.serverId === '' || !seen.server) return []
  const creating = effectiveChanges(seen.changes).find(isCreating)
  const now = all.find(({ id }) => id === creating?.id)
  if (!creating || !now || !isDead(now)) return []
  return seen.changes.filter((each) => isCreating(each) || hangsOnCreating(seen, each))
}

/**
 * What a save says where another form of the record was saved since this one opened, and has not been sent: a save carries
 * the whole content, so what this form's user left as it was is as the other one has it (sync RULES MG2).
 * @param seen the record as this form was opened with it
 * @param open what is unsent of it by now
 */
function overNewest(seen: PushableRecord, open: readonly Change[], { kind, fields }: AnyChange): object {
  const newest = effectiveChanges(open).at(-1)
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
 * @param shown as the form showed it: what it was to make may have been refused since; undefined where none showed it
 */
export async function kindOfSave(
  db: Database,
  { collection, key }: { collection: PushCollection; key: string },
  shown?: PushableRecord | null,
): Promise<'create' | 'edit'> {
  const record: PushableRecord | null | undefined = (await viewOf(db, collection, key)) ?? shown
  if (!record) return 'create'
  const seen = shown === undefined ? record : shown
  const creating = effectiveChanges(record.changes).find(isCreating) as Change | undefined
  if (!creating) return record.serverId === '' ? 'create' : 'edit'
  const { state, serverErrors } = creating
  // whatever was in doubt was read back, and not there, before it was called expired
  const isAbsent = state === 'expired' || (state === 'refused' && serverErrors === 0)
  const isShown = record.serverId !== '' && record.serverId === seen?.serverId
  return isAbsent && !isShown ? 'create' : 'edit'
}

/** The part of a new record that all have. */
export const NOTHING_SENT = { serverId: '', changes: [], unsent: 'no' as const }
