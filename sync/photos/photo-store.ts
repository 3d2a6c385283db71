/**
 * The writes of photos to the device. Bytes are put before a photo is there and taken away after it is gone, so that no
 * crash leaves a photo without bytes; bytes without a photo are swept at a start when they are older than an hour, except
 * those that a form's draft names (RULES SV1, SV3).
 */
import type { MangoQuerySelector } from 'rxdb/plugins/core'
import type { FormDraft } from '#schemas/device/form-draft.ts'
import type { PhotoRecord } from '#schemas/resources/photo.ts'
import type { SyncDatabase } from '../storage/database.ts'
import { readOnce } from '../storage/read-once.ts'
import type { Report, SendStates } from '#sync/changes/send-states.ts'
import { mayWrite, type Lease } from '#sync/leadership/lease.ts'
import { createPhotoStates } from './photo-states.ts'
import type { PhotoBytes } from './ports.ts'

/** Bytes younger than this may be those of a photo that is being saved. */
const SWEEP_AFTER_MS = 3_600_000

export interface PhotoStore {
  name: string
  states: SendStates
  /** The same, as long as the hold of a lock allows: a write after it throws. */
  within(hold: Lease): PhotoStore
  bytes: PhotoBytes
  /** What is unsent of these, or of all, in the order of saving. */
  unsent(keys?: Iterable<string>): Promise<PhotoRecord[]>
  photo(key: string): Promise<PhotoRecord | null>
  ofRecord(resource: string, recordKey: string): Promise<PhotoRecord[]>
  /** Atomic: no save in between is lost. */
  modify(key: string, change: (photo: PhotoRecord) => PhotoRecord): Promise<void>
  add(photos: readonly PhotoRecord[]): Promise<void>
  /** The photo, then its bytes. */
  remove(key: string): Promise<void>
  /** Takes away bytes that no photo goes with, nor one of a form's draft. */
  sweep(now: number): Promise<void>
}

export function createPhotoStore(
  db: SyncDatabase,
  bytes: PhotoBytes,
  report?: Report,
  hold?: Lease,
): PhotoStore {
  const find = (key: string) => db.photos.findOne(key).exec()
  const modify: PhotoStore['modify'] = async (key, change) => {
    const doc = await find(key)
    await doc?.incrementalModify((photo) => {
      mayWrite(hold)
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
    states: createPhotoStates({ all, modify }, { hold, report }),
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
      mayWrite(hold)
      await doc?.incrementalRemove()
      await bytes.remove(key)
    },
    async sweep(now) {
      const keys = await bytes.keys(now - SWEEP_AFTER_MS)
      // drafts first: a save makes the photo before it takes it out of the draft, so that one of the two has it
      const drafts = await db.drafts.find().exec()
      const photos = await db.photos.findByIds(keys).exec()
      const kept = new Set([...photos.keys(), ...namedIn(drafts)])
      const loose = keys.filter((key) => !kept.has(key))
      if (loose.length === 0) return
      const named = new Set(await namedInStore(db, loose))
      for (const key of loose) if (!named.has(key)) await bytes.remove(key)
    },
  }
}

const namedIn = (drafts: readonly Pick<FormDraft, 'photos'>[]): string[] =>
  drafts.flatMap(({ photos }) => photos.map(({ key }) => key))

/** Drafts and photos as the store has them: a query of RxDB's may not have heard yet of a tab that has just died. */
async function namedInStore(db: SyncDatabase, keys: readonly string[]): Promise<string[]> {
  const drafts = await readOnce(db.drafts, {})
  const photos = await readOnce(db.photos, { selector: { key: { $in: [...keys] } } })
  return [...namedIn(drafts), ...photos.map(({ key }) => key)]
}
