/**
 * Writes photos to the device. Bytes are stored before their photo and removed after it, so that no crash leaves a
 * photo without bytes. Bytes without a photo are removed at a start if they are older than an hour and no draft of a
 * form names them (RULES SV1, SV3).
 */
import type { MangoQuerySelector } from 'rxdb/plugins/core'
import type { FormDraft } from '#schemas/device/form-draft.ts'
import type { PhotoRecord } from '#schemas/resources/photo.ts'
import type { SyncDatabase } from '../storage/database.ts'
import { readOnce } from '../storage/read-once.ts'
import type { Report, SendStates } from '#sync/changes/send-states.ts'
import { mayWrite, type Lease, type Locks } from '#sync/leadership/lease.ts'
import { createPhotoStates } from './photo-states.ts'
import type { PhotoBytes } from './photo-bytes.ts'

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
  /** Atomic: a save at the same time is not lost. */
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
  const all = async (keys?: readonly string[]) => {
    if (!keys) return inStore({})
    const docs = await db.photos.findByIds([...keys]).exec()
    return [...docs.values()].map((doc) => doc.toMutableJSON())
  }
  return {
    name: db.name,
    states: createPhotoStates({ all, modify }, { lease, report }),
    within: (next) => createPhotoStore(db, bytes, report, next),
    bytes,
    async unsent(keys) {
      const found = keys ? await all([...keys]) : await inStore({ unsent: 'yes' })
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
      // drafts first: a save creates the photo before it leaves the draft, so one of the two reads finds it
      const drafts = await db.drafts.find().exec()
      const photos = await db.photos.findByIds(keys).exec()
      const named = new Set([...photos.keys(), ...namedIn(drafts)])
      const loose = keys.filter((key) => !named.has(key))
      if (loose.length === 0) return
      const namedOnDisk = new Set(await namedInStore(db, loose))
      for (const key of loose) if (!namedOnDisk.has(key)) await bytes.remove(key)
    },
  }
}

const namedIn = (drafts: readonly Pick<FormDraft, 'photos'>[]): string[] =>
  drafts.flatMap(({ photos }) => photos.map(({ key }) => key))

/** Keys in drafts and photos on disk: RxDB's queries may not yet know the last writes of a tab that has died. */
async function namedInStore(db: SyncDatabase, keys: readonly string[]): Promise<string[]> {
  const drafts = await readOnce(db.drafts, {})
  const photos = await readOnce(db.photos, { selector: { key: { $in: [...keys] } } })
  return [...namedIn(drafts), ...photos.map(({ key }) => key)]
}

/** The lock's time limit, in multiples of the usual one: an upload alone may take two. */
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
