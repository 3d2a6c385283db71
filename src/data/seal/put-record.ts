/**
 * Puts a record that was locked where it belongs (sync RULES SV3, PL3): there is one record for each id of the CRM. What was
 * read of it meanwhile has the CRM's id as its key; that one gives way to the record that was made here, with its changes,
 * photos and drafts. Done twice it changes nothing.
 */
import type { RxCollection, RxDocument } from 'rxdb/plugins/core'
import { isCreating } from '#schemas/change-queue.ts'
import type { PushableRecord } from '#schemas/change.ts'
import { declaredFacts } from '#schemas/declared-facts.ts'
import type { PushCollection } from '#schemas/push-collections.ts'
import type { Database } from '../database.ts'
import { change as changeDraft, plain } from '../draft-rows.ts'
import { pushedCollection } from '../pushed-collection.ts'
import { joinedRecord } from './joined-record.ts'

/** @param back as it was locked */
export async function putRecord(db: Database, name: PushCollection, back: PushableRecord): Promise<void> {
  const others = await sameRecords(db, name, back)
  const holder = isOnlyRead(back) ? others.find((other) => !isOnlyRead(other)) : undefined
  if (holder) {
    await putUnder(db, name, holder.key, back)
    return moveDrafts(db, name, back.key, holder.key)
  }
  const [other] = others
  // whole in its first write: an edit of before would otherwise be sent over a later one
  await putUnder(db, name, back.key, back, other?.toMutableJSON())
  for (const each of others) await giveWay(db, name, each, back.key)
}

/** Nobody on this device has made it. */
const isOnlyRead = ({ key, serverId }: Pick<PushableRecord, 'key' | 'serverId'>) => key === serverId

async function sameRecords(db: Database, name: PushCollection, { key, serverId }: PushableRecord) {
  if (serverId === '') return []
  const docs = await pushedCollection(db, name).find({ selector: { serverId } }).exec()
  return docs.filter((doc) => doc.key !== key)
}

/** @param beside the same record as it was read meanwhile, where none lies under this key yet */
async function putUnder(
  db: Database,
  name: PushCollection,
  key: string,
  back: PushableRecord,
  beside?: PushableRecord,
): Promise<void> {
  const collection = pushedCollection(db, name)
  const { requestId, workingDate } = back
  const rows = await db.ledger.stored({ selector: { resource: name } })
  const done = new Set(
    rows.filter(({ state }) => state === 'accepted' || state === 'discarded').map(({ id }) => id),
  )
  const keys = [key, back.key, beside?.key]
  const [lastEdit = ''] = rows
    .filter((row) => row.state === 'accepted' && !isCreating(row) && keys.includes(row.recordKey))
    .map(({ stamp }) => stamp)
    .toSorted()
    .reverse()
  const open = { ...back, changes: back.changes.filter(({ id }) => !done.has(id)) }
  const made = (): PushableRecord => {
    const alone: PushableRecord = { ...open, unsent: open.changes.length > 0 ? 'yes' : 'no' }
    const whole = beside ? joinedRecord(beside, open, { lastEdit }) : alone
    return { ...whole, key, requestId, workingDate }
  }
  const doc = await foundOrInserted(collection, key, made)
  const written = await doc?.incrementalModify((now) =>
    now._deleted ? now : joinedRecord(now, open, { lastEdit }),
  )
  // a pull or 破棄 took it away in between
  if (written?.deleted) await putUnder(db, name, key, back, beside)
}

/** @returns the document that was there already, null where this call has inserted it */
export async function foundOrInserted<D>(
  collection: RxCollection<D>,
  key: string,
  made: () => D,
): Promise<RxDocument<D> | null> {
  const find = () => collection.findOne(key).exec()
  const found = await find()
  if (found) return found
  try {
    await collection.insert(made())
    return null
  } catch (error) {
    // another tab has inserted it at this moment
    const theirs = await find()
    if (theirs) return theirs
    throw error
  }
}

/** A record that was only read gives way to the one of this key: what hangs on it first, then the record. */
async function giveWay(
  db: Database,
  name: PushCollection,
  other: RxDocument<PushableRecord>,
  key: string,
): Promise<void> {
  const seen = other.getLatest().toMutableJSON()
  await putUnder(db, name, key, seen)
  const ids = new Set(seen.changes.map(({ id }) => id))
  for (const row of (await db.ledger.findByIds([...ids]).exec()).values())
    await row.incrementalPatch({ recordKey: key })
  for (const photo of await db.photos.find({ selector: { recordKey: seen.key, resource: name } }).exec())
    await photo.incrementalPatch({ recordKey: key })
  await moveDrafts(db, name, seen.key, key)
  const written = await other.incrementalModify((latest) =>
    // what was saved on it meanwhile goes along
    latest.changes.every(({ id }) => ids.has(id))
      ? { ...latest, changes: [], unsent: 'no', _deleted: true }
      : latest,
  )
  if (!written.deleted) await giveWay(db, name, other, key)
}

/** A form's draft names its record in its key. One that finds another text in its place stays where it is. */
async function moveDrafts(db: Database, name: PushCollection, from: string, to: string): Promise<void> {
  const { slug } = declaredFacts[name]
  const renamed = (key: string) =>
    key
      .split('/')
      .map((part) => (part === from ? to : part))
      .join('/')
  for (const doc of await db.drafts.find().exec()) {
    const draft = plain(doc.toMutableJSON())
    const next = renamed(draft.key)
    if (next === draft.key || !draft.key.startsWith(`${slug}/`)) continue
    const moved = { ...draft, key: next, recordKey: draft.recordKey === from ? to : draft.recordKey }
    let isMoved = false
    await changeDraft(db, next, (there) => {
      isMoved = isEmpty(there)
      return isMoved ? moved : there
    })
    if (isMoved) await doc.incrementalRemove()
  }
}

const isEmpty = ({ values, photos, unwanted }: { values: string; photos: unknown[]; unwanted: unknown[] }) =>
  values === '' && photos.length === 0 && unwanted.length === 0
