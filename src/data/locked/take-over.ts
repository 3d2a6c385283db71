/**
 * Saves what is unsent in the stores of an earlier key into the user's present stores (sync RULES SV3, PL3):
 *
 *     a record, its changes, its photos with bytes ─→ on disk in the present stores ─→ deleted from the earlier ones
 *      └ killed: done again, under the same ids, which changes nothing
 *
 * A draft goes only into an empty form. No tab may have the earlier stores open.
 */
import { ALL_DRAFTS, deleteStores, leaveUnsentOnly } from '#data/user-stores/user-stores.ts'
import { type Layout, migrateStores, NewerStores } from '#data/user-stores/open-stores.ts'
import { layoutAge, storedLayout } from '#data/migration/stored-layout.ts'
import { rxSchemas } from '#schemas/collections/collections.ts'
import { changesOf, keysOfId, pulledCollection, viewOf } from '#data/changes/record-views.ts'
import { collectionStores } from '#data/database/collection-stores.ts'
import type { Database } from '#data/database/database.ts'
import { CHANGES, OWN } from '#data/database/what-stays.ts'
import { unfinishedSheet } from '#data/drafts/draft-list.ts'
import { changeDraft, isEmptyDraft, plain } from '#data/drafts/draft-rows.ts'
import { joinChains } from '#data/drafts/photo-chains.ts'
import { createSealer, ringOf, type Sealer } from '#data/encryption/key-ring.ts'
import { SealError, type DataKey } from '#data/encryption/seal.ts'
import { openedRow, sealedRows } from '#data/encryption/sealed-rows.ts'
import type { PhotoBytesTable } from '#data/photos/photo-bytes.ts'
import { DOCS } from '#data/storage/store-layout.ts'
import { withDatabase, writeDurably } from '#data/storage/idb.ts'
import { writeTogether } from '#data/storage/stored-docs.ts'
import { isSameJson } from '#lib/browser/stored-json.ts'
import type { Clock } from '#lib/time/stamp.ts'
import type { Change, StoredRecord } from '#schemas/change.ts'
import { PHOTOS, progressOf, withUnsent } from '#schemas/changes/photo-queue.ts'
import {
  declaredFacts,
  isPushCollection,
  type PushCollection,
} from '#schemas/collections/push-collections.ts'
import { isOpen, recordView } from '#schemas/changes/record-view.ts'
import type { FormDraft } from '#schemas/device/form-draft.ts'
import type { PhotoRecord } from '#schemas/resources/photo.ts'
import { dayOfPhotoChain, visitOfDraft } from '#schemas/resources/visit-key.ts'
import { joinedChanges } from './earlier-edit.ts'
import { lockedRows, type LockedRow } from './locked-rows.ts'

export interface TakeOver {
  indexedDB: IDBFactory
  ranges: typeof IDBKeyRange
  /** The present stores. */
  db: Database
  bytes: PhotoBytesTable
  clock: Pick<Clock, 'stamp' | 'observe'>
  /** Opens the photo bytes of other stores. */
  openBytes: (stores: string, sealer: Sealer) => PhotoBytesTable
  report: (problem: unknown) => void
  /** Called with the key of each draft that came back, because another tab may have its form open. */
  returned?: (draftKey: string) => void
  layout?: Layout
}

interface Earlier extends TakeOver {
  /** Name of the earlier stores. */
  stores: string
  sealer: Sealer
  earlierBytes: PhotoBytesTable
}

/** Why something stays locked. `typed`: the draft's form contains other text. `spoiled`: it is damaged. */
export type Stays = 'typed' | 'spoiled'

/** Deletes what is not unsent in locked stores. @returns false if nothing remains, and the stores are deleted */
export const leaveLocked = ({ indexedDB }: TakeOver, stores: string): Promise<boolean> =>
  leaveUnsentOnly(indexedDB, stores, ALL_DRAFTS)

/** Deletes locked stores. @returns false, because nothing remains */
export async function discardLocked({ indexedDB }: TakeOver, stores: string): Promise<boolean> {
  await deleteStores(indexedDB, stores)
  return false
}

/**
 * @param stores name of the earlier stores (`storesName`)
 * @returns why something stays in the earlier stores; empty if nothing stays, and the stores are deleted
 * @throws NewerStores, MigrationFailed
 */
export async function takeOver(parts: TakeOver, stores: string, key: DataKey): Promise<ReadonlySet<Stays>> {
  const { indexedDB, layout, report } = parts
  if (!(await leaveLocked(parts, stores))) return new Set()
  const sealer = createSealer(ringOf(key))
  const age = layoutAge(await storedLayout(indexedDB, stores), layout?.schemas ?? rxSchemas)
  if (age === 'newer') throw new NewerStores(`the stores of ${stores} are of a later version`)
  const codecFor = sealedRows(sealer, report)
  if (age === 'older') await migrateStores({ ...parts, name: stores, room: undefined, codecFor, report })
  const earlierBytes = parts.openBytes(stores, sealer)
  const stays = await takeAll({ ...parts, stores, sealer, earlierBytes }).finally(earlierBytes.close)
  const isLeft = await leaveLocked(parts, stores)
  return isLeft && stays.size === 0 ? new Set(['spoiled']) : stays
}

async function takeAll(parts: Earlier): Promise<ReadonlySet<Stays>> {
  const stays = new Set<Stays>()
  const rows = await lockedRows(parts.indexedDB, parts.stores)
  const renamed: Renamed[] = []
  for (const group of recordsIn(rows)) {
    const opened = await opening(group, parts)
    if (!opened || !(await takeRecord(opened, renamed, parts))) stays.add('spoiled')
  }
  for (const row of rows.filter(({ collection }) => collection === OWN)) {
    const draft = (await opening([row], parts))?.[0]?.document as FormDraft | undefined
    if (!draft) stays.add('spoiled')
    else if (await takeDraft(plain(draft), renamed, parts)) await forget(OWN, [row.key], parts)
    else stays.add('typed')
  }
  return stays
}

type Opened = { locked: LockedRow; document: object }

/** Decrypts rows; null if any of them is damaged, which is reported. */
async function opening(rows: readonly LockedRow[], { sealer, stores, report }: Earlier) {
  const open = async (locked: LockedRow): Promise<Opened> => {
    const { collection, version, row } = locked
    const { _deleted, _meta, _rev, _attachments, ...document } = await openedRow(
      sealer,
      { database: stores, collection, version },
      row,
    )
    return { locked, document }
  }
  return Promise.all(rows.map(open)).catch((error: unknown) => {
    if (!(error instanceof SealError)) throw error
    report(`${rows[0]?.collection} stays locked: ${String(error)}`)
    return null
  })
}

/** Groups each record with its changes and photos. */
function recordsIn(rows: readonly LockedRow[]): LockedRow[][] {
  const groups = new Map<string, LockedRow[]>()
  for (const locked of rows.filter(({ collection }) => collection !== OWN)) {
    const { collection, key, row } = locked
    const owner = isPushCollection(collection) ? [collection, key] : [row['resource'], row['recordKey']]
    const name = owner.join(' ')
    groups.set(name, [...(groups.get(name) ?? []), locked])
  }
  return [...groups.values()]
}

/** A record that the present stores have under another key. */
type Renamed = { slug: string; from: string; to: string }

/** Saves a record with its changes and photos. @returns false if a photo is damaged, which stays locked */
async function takeRecord(opened: readonly Opened[], renamed: Renamed[], parts: Earlier): Promise<boolean> {
  const { db, clock } = parts
  const of = <T>(name: string) =>
    opened.flatMap(({ locked, document }) => (locked.collection === name ? [document as T] : []))
  const [changes, photos] = [of<Change>(CHANGES), of<PhotoRecord>(PHOTOS)]
  const stored = opened.find(({ locked }) => isPushCollection(locked.collection))
  const record = stored?.document as StoredRecord | undefined
  const [first] = [...changes, ...photos]
  const [resource, from] = [
    stored?.locked.collection ?? first?.resource ?? '',
    record?.key ?? first?.recordKey ?? '',
  ]
  if (!isPushCollection(resource)) return false
  const key = await presentKey(db, resource, from, recordView(record, changes)?.serverId ?? '')
  if (key !== from) renamed.push({ slug: declaredFacts[resource].slug, from, to: key })
  else if (record)
    await writeTogether(pulledCollection(db, resource), new Map([[key, (now) => now ?? record]]))
  await takeChanges(changes, { resource, key }, parts)
  let isWhole = true
  for (const photo of photos) {
    clock.observe(photo.stamp)
    if (await takeBytes(photo.key, parts)) {
      await takePhoto(db, { ...photo, recordKey: key })
      await forget(PHOTOS, [photo.key], parts)
    } else isWhole = false
  }
  return isWhole
}

/** Saves the changes of a record under its present key, in one write. */
async function takeChanges(
  changes: readonly Change[],
  { resource, key }: { resource: PushCollection; key: string },
  parts: Earlier,
): Promise<void> {
  const { db, clock } = parts
  const present = await viewOf(db, resource, key)
  const here = await changesOf(db, resource, key)
  for (const { stamp } of [...changes, ...here]) clock.observe(stamp)
  const own = changes.map(({ requestId, workingDate, ...change }): Change => {
    const place = { requestId, workingDate, ...present }
    return { ...change, recordKey: key, requestId: place.requestId, workingDate: place.workingDate }
  })
  const joined = joinedChanges(own, here, clock.stamp)
  const writes = joined.map((change) => [change.id, (stored: Change | null) => stored ?? change] as const)
  await writeTogether(db.changes, new Map(writes))
  // Ended changes stay until the end, because only they may know the record's CRM id.
  const ids = changes.filter(isOpen).map(({ id }) => id)
  await forget(CHANGES, ids, parts)
}

/** Returns the key under which the present stores have the record; its own key if they lack it. */
async function presentKey(db: Database, resource: PushCollection, key: string, serverId: string) {
  if (serverId === '' || (await viewOf(db, resource, key))) return key
  return (await keysOfId(db, resource, serverId))[0] ?? key
}

/** Saves a photo. If the present stores list the same file, that photo gets the locked one's unsent change if it is newer. */
async function takePhoto(db: Database, photo: PhotoRecord): Promise<void> {
  const { resource, recordKey, fileSeq, folderId, key } = photo
  const listed =
    fileSeq === ''
      ? []
      : await db.photos.find({ selector: { recordKey, resource, fileSeq, folderId } }).exec()
  const { name, wanted, stamp, savedAt, userId, offline } = photo
  const save = { name, wanted, stamp, savedAt, userId, offline, ...progressOf(photo) }
  const joined = (stored: PhotoRecord | null): PhotoRecord => {
    if (!stored) return photo
    const isNewer = photo.unsent === 'yes' && fileSeq !== '' && stored.stamp < stamp
    return isNewer ? withUnsent({ ...stored, ...save }) : stored
  }
  await writeTogether(db.photos, new Map([[listed[0]?.key ?? key, joined]]))
}

/** Saves the bytes of a photo, if there are any. @returns false if they are damaged */
async function takeBytes(key: string, { bytes, earlierBytes, report }: Earlier): Promise<boolean> {
  try {
    const photo = (await bytes.get(key)) ? undefined : await earlierBytes.get(key)
    if (!photo) return true
    const [thumb, origin] = [await earlierBytes.thumb(key), await earlierBytes.origin(key)]
    await bytes.put(key, photo, { thumb, ...(origin && { origin }) })
    return true
  } catch (error) {
    if (!(error instanceof SealError)) throw error
    report(`a photo stays locked: ${String(error)}`)
    return false
  }
}

/**
 * Saves a draft with its photos. A signature or a finished sheet gives way to other input, because nothing of it is
 * unsent. @returns false if the draft's form contains other text
 */
async function takeDraft(draft: FormDraft, renamed: readonly Renamed[], parts: Earlier): Promise<boolean> {
  const chainDay = dayOfPhotoChain(draft.key)
  if (chainDay !== null) {
    await joinChains(parts.db, chainDay, draft.values)
    return true
  }
  for (const { key } of draft.photos) await takeBytes(key, parts)
  const [slug] = draft.key.split('/')
  const to = (part: string) => renamed.find((each) => each.slug === slug && each.from === part)?.to ?? part
  const key = draft.key.split('/').map(to).join('/')
  const own = { ...draft, key, recordKey: to(draft.recordKey) }
  let isThere = isEmptyDraft(own)
  if (isThere) return true
  await changeDraft(parts.db, key, (latest) => {
    const isFree = isEmptyDraft(latest)
    isThere = isFree || isSameJson(inputOf(latest), inputOf(own))
    return isFree ? own : latest
  })
  if (isThere) parts.returned?.(key)
  return isThere || (visitOfDraft(draft.key) !== null && unfinishedSheet(own) === null)
}

const inputOf = ({ values, photos, unwanted }: FormDraft) => ({ values, photos, unwanted })

/** Deletes rows from the earlier stores, after their copies are on disk. */
async function forget(table: string, keys: readonly string[], { indexedDB, stores }: Earlier): Promise<void> {
  for (const { name, collection } of await collectionStores(indexedDB, stores))
    if (collection === table)
      await withDatabase(indexedDB, name, (db) =>
        writeDurably(db, DOCS, (docs) => keys.forEach((key) => docs.delete(key))),
      )
}
