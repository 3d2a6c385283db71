/**
 * Writes photos to the device. Bytes are stored before their photo and removed after it, so that no crash leaves a
 * photo without bytes. Bytes without a photo are removed at a start if they are older than an hour and no draft of a
 * form names them (RULES SV1, SV3).
 */
import type { MangoQuerySelector } from 'rxdb/plugins/core'
import type { PhotoRecord } from '#schemas/resources/photo.ts'
import type { SyncDatabase } from '../storage/database.ts'
import { readByKeys, readOnce } from '#sync/storage/device-rows.ts'
import {
  factsOf,
  stateWriter,
  Unwanted,
  unlessUnwanted,
  type FactsOf,
  type Report,
  type SendStates,
  type StatedItem,
  type StateFacts,
  type StateParts,
} from '#sync/changes/send-states.ts'
import { mayWrite, type Lease, type Locks } from '#sync/leadership/lease.ts'
import { blankProgress } from '#schemas/changes/change-queue.ts'
import { isActOf, isBeingSent, photoAct, photoFacts, withUnsent } from '#schemas/changes/photo-queue.ts'
import type { StateEvent } from '#schemas/send-state.ts'

/** The bytes of photos, in a table of their own. A `put` is on disk when it resolves (RULES SV1). */
export interface PhotoBytes {
  put(key: string, bytes: ArrayBuffer, options?: { cached?: boolean }): Promise<void>
  get(key: string): Promise<ArrayBuffer | undefined>
  thumb(key: string): Promise<ArrayBuffer | undefined>
  remove(key: string): Promise<void>
  /** Marks bytes that the file store has as a cache: the device may remove them when it needs room. */
  release(key: string): Promise<void>
  /** Keys of bytes that were put before this time (epoch ms). */
  keys(putBefore: number): Promise<string[]>
}

/** Bytes of the test write: more than a page of 50 requests with long texts. */
const PAGE_BYTES = 128 * 1024
const KEY = 'room'

/**
 * Tests whether the device can store a page of the CRM's answers (RULES ST4). The test bytes are removed again. If
 * the page dies in between, they are removed as bytes without a photo (`sweep`).
 * @throws the error of the device's storage
 */
export async function tryRoom(bytes: Pick<PhotoBytes, 'put' | 'remove'>): Promise<void> {
  await bytes.put(KEY, new ArrayBuffer(PAGE_BYTES))
  await bytes.remove(KEY)
}

/** Bytes younger than this many milliseconds may belong to a photo that is being saved. */
const SWEEP_AFTER_MS = 3_600_000

export interface PhotoStore {
  name: string
  states: SendStates
  /** The same store, bound to a lease: a write after the lease has ended throws. */
  within(lease: Lease): PhotoStore
  bytes: PhotoBytes
  /** The unsent photos of these keys, or all unsent photos, in the order of saving. */
  unsent(keys?: Iterable<string>): Promise<PhotoRecord[]>
  photo(key: string): Promise<PhotoRecord | null>
  ofRecord(resource: string, recordKey: string): Promise<PhotoRecord[]>
  /** Atomic: a save at the same time is not lost. Does nothing if there is no such photo. */
  modify(key: string, change: (photo: PhotoRecord) => PhotoRecord): Promise<void>
  add(photos: readonly PhotoRecord[]): Promise<void>
  /** Removes the photo, then its bytes. */
  remove(key: string): Promise<void>
  /** Removes bytes that belong to no photo and no draft. @param now epoch ms */
  sweep(now: number): Promise<void>
}

export function createPhotoStore(
  db: SyncDatabase,
  bytes: PhotoBytes,
  report?: Report,
  lease?: Lease,
): PhotoStore {
  const find = (key: string) => db.photos.findOne(key).exec()
  const modify: PhotoStore['modify'] = async (key, change) => {
    const doc = await find(key)
    await doc?.incrementalModify((photo) => {
      mayWrite(lease)
      return change(photo)
    })
  }
  const inStore = async (selector: MangoQuerySelector<PhotoRecord>) => {
    const docs = await db.photos.find({ selector }).exec()
    return docs.map((doc) => doc.toMutableJSON())
  }
  const byKeys = async (keys: Iterable<string>) => {
    const docs = await db.photos.findByIds([...keys]).exec()
    return [...docs.values()].map((doc) => doc.toMutableJSON())
  }
  return {
    name: db.name,
    states: createPhotoStates(byKeys, modify, { lease, report }),
    within: (next) => createPhotoStore(db, bytes, report, next),
    bytes,
    async unsent(keys) {
      const found = keys ? await byKeys(keys) : await inStore({ unsent: 'yes' })
      return found.filter(({ unsent }) => unsent === 'yes').toSorted((a, b) => (a.stamp < b.stamp ? -1 : 1))
    },
    photo: async (key) => (await find(key))?.toMutableJSON() ?? null,
    ofRecord: (resource, recordKey) => inStore({ recordKey, resource }),
    modify,
    async add(photos) {
      await db.photos.bulkInsert([...photos])
    },
    async remove(key) {
      const doc = await find(key)
      mayWrite(lease)
      await doc?.incrementalRemove()
      await bytes.remove(key)
    },
    async sweep(now) {
      const keys = await bytes.keys(now - SWEEP_AFTER_MS)
      if (keys.length === 0) return
      // Read from the disk, because RxDB's queries may not yet know the last writes of a tab that has died. Drafts
      // first: a save creates the photo before it leaves the draft, so one of the two reads finds it.
      const drafts = await readOnce(db.drafts, {})
      const photos = await readByKeys(db.photos, keys)
      const inDrafts = drafts.flatMap((draft) => draft.photos.map(({ key }) => key))
      const named = new Set([...inDrafts, ...photos.map(({ key }) => key)])
      for (const key of keys) if (!named.has(key)) await bytes.remove(key)
    },
  }
}

/** Multiplies the usual time limit of a lock, because an upload alone may take two minutes. */
const PATIENCE = 3

/**
 * Runs with the lock of a photo. All users of the lock wait equally long for it (RULES TB1).
 * @param run receives the store bound to the lock's lease
 */
export const withPhotoLock = <T>(
  { locks, store }: { locks: Locks; store: PhotoStore },
  key: string,
  run: (store: PhotoStore, lease: Lease) => Promise<T>,
): Promise<T> =>
  locks.request(`genba-photo-${store.name}-${key}`, (lease) => run(store.within(lease), lease), PATIENCE)

/**
 * Writes the send states of photos, each in the photo's own document. One write has the event of sending (began,
 * accepted …), the file store's answer, and what was saved meanwhile.
 */
function createPhotoStates(
  byKeys: (keys: readonly string[]) => Promise<PhotoRecord[]>,
  modify: PhotoStore['modify'],
  parts: StateParts,
): SendStates {
  const { after, checkBegin } = stateWriter<PhotoRecord>(parts)
  const stateAfter = (photo: PhotoRecord, event: StateEvent, facts: StateFacts) =>
    settled(photo, after(photo, event, facts), event)
  const put = async (items: readonly StatedItem[], event: StateEvent, facts: FactsOf, check?: Check) => {
    const written = items.map((item) =>
      modify(item.record.key, (photo) => {
        check?.(item, photo)
        if (isBeingSent(photo, item)) return stateAfter(photo, event, factsOf(facts, item))
        // another name or a deletion was saved during the call and is still pending
        return event === 'accepted' ? withPlace(photo, factsOf(facts, item)) : photo
      }),
    )
    await Promise.all(written)
  }
  const check: Check = (item, photo) => {
    if (!isActOf(photo, item)) throw new Unwanted(photo.key)
    checkBegin(item, photo)
  }
  return {
    read: async (keys) => new Map((await byKeys(keys)).map((photo) => [photo.key, photoFacts(photo)])),
    begin: (items, payload) => unlessUnwanted(put(items, 'began', { payload }, check)),
    put: (items, event, facts = {}) => put(items, event, facts),
    putById: (key, event, facts = {}) => modify(key, (photo) => stateAfter(photo, event, facts)),
    clearWish: (key, wish) =>
      modify(key, (photo) => (photo.wish === wish ? { ...photo, wish: 'none' } : photo)),
  }
}

/** @throws if the call must not begin */
type Check = (item: StatedItem, photo: PhotoRecord) => void

const withPlace = (
  photo: PhotoRecord,
  { fileSeq = photo.fileSeq, folderId = photo.folderId, storeName = photo.storeName }: StateFacts,
): PhotoRecord => withUnsent({ ...photo, fileSeq, folderId, storeName })

/** Ends an act: the user's `wish` is reset, and the remaining difference to the file store is a new act (RULES SV2b). */
function settled(before: PhotoRecord, now: PhotoRecord, event: StateEvent): PhotoRecord {
  if (event !== 'accepted' && event !== 'discarded') return withUnsent(now)
  const ended = { ...now, wish: 'none' as const, ...(event === 'discarded' && reverted(before)) }
  // a photo that was deleted during its upload has a file that must still be deleted
  const isDeleted = ended.wanted === 'deleted' && (ended.fileSeq === '' || before.fileSeq !== '')
  const anew = { ...ended, ...blankProgress(ended.savedAt) }
  return withUnsent(isDeleted || photoAct(anew) === null ? ended : anew)
}

/** Discarding an upload deletes the photo. Discarding a deletion or a rename restores what the file store has. */
function reverted(photo: PhotoRecord): Partial<PhotoRecord> {
  if (photo.fileSeq === '') return { wanted: 'deleted' }
  return photo.wanted === 'deleted' ? { wanted: 'kept' } : { name: photo.storeName }
}
