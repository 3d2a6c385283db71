/**
 * The bytes of photos on one disk: each call is a step of its own, beside the database. There is no room for what the
 * file store has too: it goes the moment it is released.
 */
import type { PhotoBytesTable } from '#data/photos/photo-bytes.ts'
import type { BytesOnDisk } from './bytes-on-disk.ts'
import type { StorageStep } from './model-db.ts'

export const modelPhotoBytes = (
  disk: BytesOnDisk,
  step: StorageStep,
  now: () => number,
): PhotoBytesTable => ({
  put: (key, bytes) =>
    step('write', () => void disk.rows.set(key, { bytes, putAt: now() }), bytes.byteLength),
  get: (key) => step('read', () => disk.rows.get(key)?.bytes),
  thumb: async () => undefined,
  origin: async () => undefined,
  setOrigin: async () => undefined,
  setThumb: async () => undefined,
  remove: (key) => step('write', () => disk.drop(key)),
  release: (key) => step('write', () => disk.drop(key)),
  keys: (putBefore) =>
    step('read', () => [...disk.rows].filter(([, { putAt }]) => putAt < putBefore).map(([key]) => key)),
  cachedBytes: async () => 0,
  dropCached: async () => undefined,
  close: () => undefined,
})
