/**
 * The bytes of photos, in a Dexie database beside RxDB, one for each user (SV4). They are ArrayBuffers, because WebKit
 * cannot store a Blob in IndexedDB.
 *
 * Invariants: a `put` is on disk when it resolves (SV1). Bytes of unsent photos are never removed to make room (SV3).
 * Bytes that the file store has too are marked `cached`. Above `PHOTO_CACHE_BYTES`, the least recently used cached
 * bytes are removed.
 */
import type { Sealer } from '#data/encryption/key-ring.ts'
import type { Sealed, SealedPlace } from '#data/encryption/seal.ts'
import { sizeOf, evicted } from '#data/database/eviction.ts'
import type { DexieOptions, Table } from 'dexie'
import type { PhotoMarks } from '#lib/image/marks.ts'
import { openDexie } from '#data/storage/open-dexie.ts'

const PHOTO_CACHE_BYTES = 100 * 1024 * 1024

type PutOptions = { thumb?: ArrayBuffer | undefined; cached?: boolean; origin?: PhotoOrigin }

/** Where a photo's time and position come from, and what the user drew on it. Only this device's photos have it. */
export interface PhotoOrigin {
  /** Source of the time: EXIF, the file's time, or the device's clock. */
  taken: 'exif' | 'file' | 'clock'
  /** Source of the position: EXIF or the device. */
  place: 'exif' | 'device'
  marks?: PhotoMarks
  /** Key of the photo on which the user has drawn; for a filled-in sheet, key of the sheet's draft. */
  markedOf?: string
}

/** Bytes and thumbnail of a photo, encrypted (decisions/encryption). */
export type BytesRow = { key: string; bytes: Sealed; thumb?: Sealed }

export interface BytesInfo {
  key: string
  /** Epoch ms. */
  putAt: number
  usedAt: number
  size: number
  /** 1 if the file store has the photo too. */
  cached: 0 | 1
  origin?: Sealed
}

/** Replacements of the global `indexedDB` and `IDBKeyRange`, for tests. */
type StoreSettings = Pick<DexieOptions, 'indexedDB' | 'IDBKeyRange'>

interface PhotoBytesParts {
  databaseName: string
  now: () => number
  cacheBytes?: number
  sealer: Sealer
  settings?: StoreSettings
}

/** `genba-<hash>-<key>` → `genba-photos-<hash>-<key>`. A name without `genba-` (in tests) gets the whole prefix. */
export const photoBytesName = (databaseName: string) => databaseName.replace(/^genba-|^/, 'genba-photos-')
type What = 'bytes' | 'thumb' | 'origin'
export const photoPlace = (database: string, what: What, key: string): SealedPlace => [database, what, key]
export type PhotoBytesTable = ReturnType<typeof openPhotoBytes>

export function openPhotoBytes(parts: PhotoBytesParts) {
  const { databaseName, now, cacheBytes = PHOTO_CACHE_BYTES, sealer, settings = {} } = parts
  const tables = openPhotoTables(photoBytesName(databaseName), settings)
  const { rows, infos, inTransaction } = tables
  const sealing = sealingOf(databaseName, sealer)
  return {
    async put(key: string, bytes: ArrayBuffer, { thumb, cached = false, origin }: PutOptions = {}) {
      // The encryption runs before the transaction, because a transaction ends during a wait.
      const row = await sealing.row(key, bytes, thumb)
      const sealedOrigin = origin && (await sealing.origin(key, origin))
      await inTransaction(async () => {
        const putAt = now()
        const info: BytesInfo = { key, putAt, usedAt: putAt, size: bytes.byteLength, cached: cached ? 1 : 0 }
        if (sealedOrigin) info.origin = sealedOrigin
        await Promise.all([infos.put(info), rows.put(row)])
        if (cached) await tables.makeRoom(cacheBytes)
      })
    },
    async get(key: string): Promise<ArrayBuffer | undefined> {
      const row = await rows.get(key)
      // The time of use is written without waiting. An error, for example on a full device, is ignored.
      if (row) infos.update(key, { usedAt: now() }).catch(() => undefined)
      return row && sealing.open('bytes', key, row.bytes)
    },
    async thumb(key: string): Promise<ArrayBuffer | undefined> {
      const stored = (await rows.get(key))?.thumb
      return stored && sealing.open('thumb', key, stored)
    },
    async origin(key: string): Promise<PhotoOrigin | undefined> {
      const stored = (await infos.get(key))?.origin
      return (
        stored && ((await sealer.openValue(photoPlace(databaseName, 'origin', key), stored)) as PhotoOrigin)
      )
    },
    async setOrigin(key: string, origin: PhotoOrigin): Promise<void> {
      await infos.update(key, { origin: await sealing.origin(key, origin) })
    },
    async setThumb(key: string, thumb: ArrayBuffer): Promise<void> {
      await rows.update(key, { thumb: await sealing.seal('thumb', key, thumb) })
    },
    remove: (key: string): Promise<void> => inTransaction(() => tables.removeAll([key])),
    /** Marks the bytes as cached, because the file store now has the photo. */
    release: (key: string): Promise<void> =>
      inTransaction(async () => {
        await infos.update(key, { cached: 1, usedAt: now() })
        await tables.makeRoom(cacheBytes)
      }),
    /** Returns the keys of photos that were stored before this time, epoch ms. */
    keys: async (putBefore: number): Promise<string[]> => infos.where('putAt').below(putBefore).primaryKeys(),
    /** Total size in bytes of the photos that the file store has too. */
    cachedBytes: async (): Promise<number> => sizeOf(await tables.cached()),
    /** Removes the bytes of all photos that the file store has too. */
    dropCached: (): Promise<void> => inTransaction(() => tables.makeRoom(0)),
    close: tables.close,
  }
}

/** Encrypts and decrypts rows. Bytes, thumbnail and origin are encrypted separately, each bound to its own place. */
function sealingOf(databaseName: string, sealer: Sealer) {
  const place = (what: What, key: string) => photoPlace(databaseName, what, key)
  const seal = (what: 'bytes' | 'thumb', key: string, bytes: ArrayBuffer) =>
    sealer.sealBytes(place(what, key), bytes)
  return {
    seal,
    async row(key: string, bytes: ArrayBuffer, thumb: ArrayBuffer | undefined): Promise<BytesRow> {
      const row = { key, bytes: await seal('bytes', key, bytes) }
      return thumb ? { ...row, thumb: await seal('thumb', key, thumb) } : row
    },
    open: (what: 'bytes' | 'thumb', key: string, stored: BytesRow['bytes']) =>
      sealer.openBytes(place(what, key), stored),
    origin: (key: string, origin: PhotoOrigin) => sealer.sealValue(place('origin', key), origin),
  }
}

function openPhotoTables(name: string, settings: StoreSettings) {
  const stores = { bytes: 'key', info: 'key, putAt, [cached+usedAt]' }
  const { db, close } = openDexie(name, { ...settings, chromeTransactionDurability: 'strict' }, stores)
  const rows: Table<BytesRow, string> = db.table('bytes')
  const infos: Table<BytesInfo, string> = db.table('info')
  const cached = () => infos.where('[cached+usedAt]').between([1, 0], [1, Infinity]).toArray()
  const removeAll = async (keys: string[]) => {
    await rows.bulkDelete(keys)
    await infos.bulkDelete(keys)
  }
  return {
    rows,
    infos,
    cached,
    removeAll,
    /** Calls `run` in a transaction over both tables. `run` may wait only for requests of these tables. */
    inTransaction: (run: () => Promise<void>): Promise<void> => db.transaction('rw', rows, infos, run),
    /** Removes the least recently used photos that can be fetched again. Must be called inside a transaction. */
    async makeRoom(cacheBytes: number): Promise<void> {
      const removed = evicted(await cached(), cacheBytes)
      if (removed.length > 0) await removeAll(removed.map(({ key }) => key))
    },
    close,
  }
}
