/**
 * Removes CRM data a day after the CRM last confirmed it (RULES EX1), unless unsent work or a draft depends on it.
 * The pull passes expired documents to RxDB as deleted, also while the CRM cannot be reached. `purge` and the clean-up
 * remove everything else.
 */
import { firstValueFrom, from, map, race, timer } from 'rxjs'
import type { StoredRecord } from '#schemas/change.ts'
import { declared } from '#schemas/collections/declared.ts'
import { pushCollections } from '#schemas/collections/push-collections.ts'
import { isoOf } from '#schemas/instant.ts'
import { EXPIRY_MS } from '#schemas/limits.ts'
import {
  PHRASES_DRAFT,
  dayOfPhotoChain,
  visitIn,
  visitKey,
  visitOfDraft,
} from '#schemas/resources/visit-key.ts'
import { openChanges, type QueueStore } from '#sync/changes/change-store.ts'
import { whenIdle } from '#sync/lib/slices.ts'
import type { PullClock } from '#sync/lib/trusted-clock.ts'
import type { LocalRecord } from '#sync/merge/merge-rows.ts'
import type { PhotoBytes } from '#sync/photos/photo-store.ts'
import type { Gate } from '#sync/scheduler/scheduler.ts'
import { collectionOf, removeDeleted, type SyncDatabase, fetchRequestsIn } from '#sync/storage/database.ts'

/** The first check comes early. When one document expires, documents that depend on it can expire next. */
const FIRST_CHECK_MS = 1_000
const CHECK_EVERY_MS = 10 * 60_000

/** ISO 8601 time. Data that the CRM confirmed before this time has expired. */
export const expiredBefore = (now: number): string => isoOf(now - EXPIRY_MS)

/** True if a stamp is more than a day old. Stamps begin with the time in milliseconds. */
const isOlder = (stamp: string, now: number) => Number.parseInt(stamp, 10) < now - EXPIRY_MS

/** True for a record without local changes, confirmed more than a day ago, or stamped by a wrong clock (RULES EX3). */
export function isExpiredRecord(
  { server, changes = [] }: LocalRecord,
  clock: Pick<PullClock, 'now' | 'expiryNow'>,
): boolean {
  const stamp = server?.stamp ?? '0'
  const isUndated = !isOlder(stamp, Math.max(clock.now(), clock.expiryNow()) + 2 * EXPIRY_MS)
  return changes.length === 0 && (isOlder(stamp, clock.expiryNow()) || isUndated)
}

/** Lets each document pass once, until `again`: a removal returned twice would repeat the pull forever (traps 8, 14). */
export function eachOnce() {
  const returned = new Set<string>()
  return {
    only: <T extends { key: string }>(docs: readonly T[]): T[] =>
      docs.filter(({ key }) => !returned.has(key) && returned.add(key)),
    again: () => returned.clear(),
  }
}

/** Waits until the gate opens or documents expire. @returns these documents; [] if the gate opened first */
export async function passedOr<T>(gate: Gate, expired: () => Promise<T[]>): Promise<T[]> {
  const passed = gate.passed().then(() => true)
  for (let wait = FIRST_CHECK_MS; ; wait = Math.min(2 * wait, CHECK_EVERY_MS)) {
    const isOpen = await firstValueFrom(race(from(passed), timer(wait).pipe(map(() => false))))
    const docs = isOpen ? [] : await expired()
    if (isOpen || docs.length > 0) return docs
  }
}

/** @returns tests for documents that must stay because unsent work or a draft depends on them (SV3, EX1) */
export async function dependentsOf(db: SyncDatabase) {
  const changes = await openChanges(db)
  const photos = await db.photos.find({ selector: { unsent: 'yes' } }).exec()
  const drafts = await draftsOfRecords(db)
  const isDrafted = (id: string) => drafts.some(({ ids }) => ids.has(id))
  // A report and a change request may share a key, so a draft belongs only to records of its own resource.
  const hasDraft = (resource: string, { key, serverId = '' }: KeyedRecord) =>
    drafts.some((draft) => draft.resource === resource && (draft.ids.has(key) || draft.ids.has(serverId)))
  const collections = pushCollections.filter((name) => drafts.some(({ resource }) => resource === name))
  const edited = collections.map(async (name) =>
    (await collectionOf<StoredRecord>(db, name).find().exec()).filter((record) => hasDraft(name, record)),
  )
  const needed = [...changes, ...photos, ...(await Promise.all(edited)).flat()]
  return {
    onRequest: ({ id, workingDate }: { id: string; workingDate: string }): boolean =>
      isDrafted(id) ||
      isDrafted(visitKey(id, workingDate)) ||
      needed.some(
        ({ requestId, workingDate: day }) => requestId === id && (day === '' || day === workingDate),
      ),
    /** True if the record has unsent changes, unsent photos or a draft. */
    onRecord: (resource: string, record: KeyedRecord): boolean =>
      hasDraft(resource, record) ||
      changes.some((change) => change.resource === resource && change.recordKey === record.key) ||
      photos.some((photo) => photo.resource === resource && photo.recordKey === record.key),
  }
}

/** Drops the removals of documents on which something unsent or a draft depends by now (EX1). */
export async function withoutNeeded<D extends { _deleted: boolean }>(
  db: SyncDatabase,
  docs: readonly D[],
  isNeeded: (doc: D, dependents: Awaited<ReturnType<typeof dependentsOf>>) => boolean,
): Promise<readonly D[]> {
  if (!docs.some(({ _deleted }) => _deleted)) return docs
  const dependents = await dependentsOf(db)
  return docs.filter((doc) => !doc._deleted || !isNeeded(doc, dependents))
}

interface KeyedRecord {
  key: string
  serverId?: string
}

/**
 * The drafts, each with its collection and the ids and keys of the requests and records that it belongs to: each part
 * of a draft's key, for example `noteLocationArea/add/<id>`, may be one. A safety measure's key begins with the key of
 * its visit, returned too.
 */
async function draftsOfRecords(db: SyncDatabase) {
  const drafts = (await db.drafts.find().exec()).filter(({ key }) => visitOfDraft(key) === null)
  return drafts.map(({ key, recordKey }) => {
    const [slug, ...parts] = key.split('/')
    const named = [...parts, recordKey].filter(Boolean)
    const visits = named.flatMap((part) => visitIn(part) ?? [])
    const ofVisits = visits.map(({ requestId, workingDate }) => visitKey(requestId, workingDate))
    const resource = pushCollections.find((name) => declared[name].slug === slug)
    return { resource, ids: new Set([...named, ...ofVisits]) }
  })
}

interface PurgeParts {
  db: SyncDatabase
  store: QueueStore
  bytes: PhotoBytes
  now: number
  typedBefore: number
}

/**
 * Deletes ended changes, deleted photos, photos without a record, old drafts, old history and answered fetch requests
 * (EX1), never unsent work (SV3). @param parts `now`, and when a day-old draft was last changed at the latest, epoch ms
 */
export async function purge({ db, store, bytes, now, typedBefore }: PurgeParts): Promise<void> {
  await store.purge(now)
  const before = expiredBefore(now)
  for (const photo of await db.photos.find({ selector: { unsent: 'no' } }).exec()) {
    const { key, wanted, savedAt, settledAt, resource, recordKey } = photo
    if (savedAt >= before) continue
    const isOldDeletion = wanted === 'deleted' && settledAt < before
    if (!isOldDeletion && (await store.record(resource, recordKey))) continue
    // A photo that was renamed or deleted meanwhile has unsent work and stays.
    const written = await photo.incrementalModify((latest) =>
      latest.unsent === 'no' ? { ...latest, _deleted: true } : latest,
    )
    if (written.deleted) await bytes.remove(key)
  }
  await expireDrafts(db, bytes, typedBefore)
  await expireHistory(db, now)
  const fetchRequests = await fetchRequestsIn(db)
  const answered = fetchRequests.filter(({ state, answeredAt }) => state !== 'asked' && answeredAt < before)
  await db.interests.bulkRemove(answered.map(({ key }) => key))
}

/**
 * Deletes drafts that were not changed for a day, with their photos (RULES EX1, decisions/drafts). A draft whose save
 * has begun stays, because the next start completes the save. A signature, a filled-in sheet and the hash chain of a
 * day's photos stay as long as a visit of theirs, the user's own sentences until the logout.
 * @param touchedBefore drafts last written before this time (epoch ms) are a day old, even if the clock was set (EX3)
 */
export async function expireDrafts(
  db: SyncDatabase,
  bytes: Pick<PhotoBytes, 'remove'>,
  touchedBefore: number,
): Promise<void> {
  for (const doc of await db.drafts.find().exec()) {
    const { saving, photos, _meta } = doc.toMutableJSON(true)
    if (saving !== '' || _meta.lwt >= touchedBefore || doc.key === PHRASES_DRAFT) continue
    if (await belongsToVisit(db, doc.key)) continue
    // The removal fails if the user has just changed the draft. The draft then stays.
    const removed = await doc.remove().catch(() => null)
    if (!removed) continue
    const keys = photos.map(({ key }) => key)
    const saved = await db.photos.findByIds(keys).exec()
    for (const key of keys) if (!saved.has(key)) await bytes.remove(key)
  }
}

async function belongsToVisit({ requests }: SyncDatabase, key: string): Promise<boolean> {
  const visit = visitOfDraft(key)
  const workingDate = dayOfPhotoChain(key)
  if (visit === null && workingDate === null) return false
  const selector = visit === null ? { workingDate: workingDate ?? '' } : { key: visit }
  return (await requests.findOne({ selector }).exec()) !== null
}

/** Removes entries of `history` a day after their read (EX1, MG5), except of a record with an unsent edit, for its merge. */
async function expireHistory(db: SyncDatabase, now: number): Promise<void> {
  const fresh = ({ history = [] }: Pick<StoredRecord, 'history'>) =>
    history.filter(({ stamp }) => !isOlder(stamp, now))
  const unsent = new Set((await openChanges(db)).map(({ resource, recordKey }) => `${resource} ${recordKey}`))
  for (const name of pushCollections) {
    if (!declared[name].editedByOthers) continue
    for (const doc of await collectionOf<StoredRecord>(db, name).find().exec()) {
      if (unsent.has(`${name} ${doc.key}`) || fresh(doc).length === (doc.history ?? []).length) continue
      await doc.incrementalModify((latest) => ({ ...latest, history: fresh(latest) }))
    }
  }
}

/** Milliseconds that a deleted document stays in the storage, because a query of another tab may still read it. */
const DELETED_FOR_MS = 60_000

export type Replicating = { collection: { name: string } }
interface CleanUpParts {
  db: SyncDatabase
  replications: readonly Replicating[]
  /** Epoch ms of the clock that stamps RxDB's writes. */
  now: number
}

/**
 * Removes deleted documents from the storage (RULES EX4), which RxDB keeps whole, and then the copies in the replication's
 * metadata. Without its metadata a document would look like an unsent write, which no pull overwrites. RxDB may write
 * metadata after the document's removal, so each run looks for it again. One collection is cleaned at a time while the
 * screen is idle.
 */
export async function cleanUp({ db, replications, now }: CleanUpParts): Promise<void> {
  for (const collection of Object.values(db.collections)) {
    await whenIdle()
    const own = replications.find((each) => each.collection.name === collection.name)
    await removeDeleted(db, collection, own, { now, deletedForMs: DELETED_FOR_MS })
  }
}
