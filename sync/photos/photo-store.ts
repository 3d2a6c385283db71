/**
 * Stores photos on the device. Bytes are written before their photo's document and removed after it, so that a crash
 * never leaves a photo without bytes. A start removes bytes older than an hour that no photo and no draft names
 * (RULES SV1, SV3).
 */
import type { MangoQuerySelector } from 'rxdb/plugins/core'
import type { PhotoRecord } from '#schemas/resources/photo.ts'
import { readByKeys, readOnce, writeTogether, type SyncDatabase } from '../storage/database.ts'
import { stateWrites, type Report, type SendStates } from '#sync/changes/send-adapter.ts'
import { mayWrite, type Lease, type Locks } from '#sync/leadership/lease.ts'
import { blankProgress } from '#schemas/changes/change-queue.ts'
import { isActOf, isBeingSent, photoAct, photoFacts, withUnsent } from '#schemas/changes/photo-queue.ts'
import type { StateEvent } from '#schemas/send-state.ts'

/** The bytes of photos, in a table of their own. A `put` resolves when the bytes are on disk (RULES SV1). */
export interface PhotoBytes {
  put(key: string, bytes: ArrayBuffer, options?: { cached?: boolean }): Promise<void>
  get(key: string): Promise<ArrayBuffer | undefined>
  thumb(key: string): Promise<ArrayBuffer | undefined>
  remove(key: string): Promise<void>
  /** Called when the file store has the bytes. The device may then remove them when it needs space. */
  release(key: string): Promise<void>
  /** Keys of bytes that were stored before this time (epoch ms). */
  keys(putBefore: number): Promise<string[]>
}

/** Size of the test write: more than a page of 50 requests with long texts. */
const PAGE_BYTES = 128 * 1024
const KEY = 'room'

/** Tests whether the device can store a page of the CRM's answers (RULES ST4). @throws the storage error */
export async function tryRoom(bytes: Pick<PhotoBytes, 'put' | 'remove'>): Promise<void> {
  await bytes.put(KEY, new ArrayBuffer(PAGE_BYTES))
  await bytes.remove(KEY)
}

/** Younger bytes (ms) stay, because their photo may still be in the process of being saved. */
const SWEEP_AFTER_MS = 3_600_000

export type PhotoStore = ReturnType<typeof storeOf> & {
  /** Returns a store whose writes throw once the lease has ended. */
  within(lease: Lease): PhotoStore
}

export const createPhotoStore = (
  db: SyncDatabase,
  bytes: PhotoBytes,
  report?: Report,
  lease?: Lease,
): PhotoStore => ({
  ...storeOf(db, bytes, report, lease),
  within: (next) => createPhotoStore(db, bytes, report, next),
})

function storeOf(db: SyncDatabase, bytes: PhotoBytes, report?: Report, lease?: Lease) {
  const find = (key: string) => db.photos.findOne(key).exec()
  const inStore = async (selector: MangoQuerySelector<PhotoRecord>) =>
    (await db.photos.find({ selector }).exec()).map((doc) => doc.toMutableJSON())
  const byKeys = async (keys: Iterable<string>) =>
    [...(await db.photos.findByIds([...keys]).exec()).values()].map((doc) => doc.toMutableJSON())
  const { modify, writes } = stateWrites<PhotoRecord>({
    write: (photos) => writeTogether(db.photos, photos),
    lease,
    report,
    // The user may have saved another name or a deletion during the call. The photo then stays unsent.
    otherwise(photo, item, event, facts) {
      if (event === 'began' ? isActOf(photo, item) : isBeingSent(photo, item)) return null
      if (event !== 'accepted') return photo
      const { fileSeq = photo.fileSeq, folderId = photo.folderId, storeName = photo.storeName } = facts
      return withUnsent({ ...photo, fileSeq, folderId, storeName })
    },
    adjust: settled,
  })
  return {
    ...writes,
    name: db.name,
    bytes,
    /** Changes the stored photo atomically. Does nothing if the photo does not exist. */
    modify,
    sendFacts: async (keys) => new Map((await byKeys(keys)).map((photo) => [photo.key, photoFacts(photo)])),
    /** Unsent photos in the order of saving: those with these keys, or all. */
    async unsent(keys?: Iterable<string>): Promise<PhotoRecord[]> {
      const found = keys ? await byKeys(keys) : await inStore({ unsent: 'yes' })
      return found.filter(({ unsent }) => unsent === 'yes').toSorted((a, b) => (a.stamp < b.stamp ? -1 : 1))
    },
    photo: async (key: string): Promise<PhotoRecord | null> => (await find(key))?.toMutableJSON() ?? null,
    ofRecord: (resource: string, recordKey: string) => inStore({ recordKey, resource }),
    add: async (photos: readonly PhotoRecord[]): Promise<void> =>
      void (await db.photos.bulkInsert([...photos])),
    /** Removes the photo, then its bytes. */
    async remove(key: string): Promise<void> {
      const doc = await find(key)
      mayWrite(lease)
      await doc?.incrementalRemove()
      await bytes.remove(key)
    },
    /** Removes bytes that no photo and no draft names. @param now epoch ms */
    async sweep(now: number): Promise<void> {
      const keys = await bytes.keys(now - SWEEP_AFTER_MS)
      if (keys.length === 0) return
      // RxDB's queries may lack a closed tab's last writes. A save ends the draft last, so drafts are read first.
      const drafts = await readOnce(db.drafts, {})
      const photos = await readByKeys(db.photos, keys)
      const inDrafts = drafts.flatMap((draft) => draft.photos.map(({ key }) => key))
      const named = new Set([...inDrafts, ...photos.map(({ key }) => key)])
      for (const key of keys) if (!named.has(key)) await bytes.remove(key)
    },
  } satisfies SendStates & Record<string, unknown>
}

/** Factor of the lock's usual time limit, because an upload may take two minutes. */
const PATIENCE = 3

/** Calls `run` under the lock of a photo, with a store whose writes throw once the lock's lease has ended (RULES TB1). */
export const withPhotoLock = <T>(
  { locks, store }: { locks: Locks; store: PhotoStore },
  key: string,
  run: (store: PhotoStore, lease: Lease) => Promise<T>,
): Promise<T> =>
  locks.request(`genba-photo-${store.name}-${key}`, (lease) => run(store.within(lease), lease), PATIENCE)

/** Resets `wish` at the end of an item. A photo that still differs from the file store is sent again (RULES SV2b). */
function settled(before: PhotoRecord, now: PhotoRecord, event: StateEvent): PhotoRecord {
  if (event !== 'accepted' && event !== 'discarded') return withUnsent(now)
  const ended = { ...now, wish: 'none' as const, ...(event === 'discarded' && reverted(before)) }
  // If the user deleted the photo during its upload, the upload created a file that must be deleted too.
  const isDeleted = ended.wanted === 'deleted' && (ended.fileSeq === '' || before.fileSeq !== '')
  const anew = { ...ended, ...blankProgress(ended.savedAt) }
  return withUnsent(isDeleted || photoAct(anew) === null ? ended : anew)
}

/** Discarding an upload deletes the photo. Discarding a rename or deletion restores the file store's state. */
function reverted(photo: PhotoRecord): Partial<PhotoRecord> {
  if (photo.fileSeq === '') return { wanted: 'deleted' }
  return photo.wanted === 'deleted' ? { wanted: 'kept' } : { name: photo.storeName }
}
