/**
 * The bytes of photos, in a Dexie database beside RxDB, one for each user (SV4). They are ArrayBuffers, because WebKit cannot
 * store a Blob in IndexedDB.
 *
 * Invariants: a `put` is on disk when it resolves (SV1). Bytes of unsent photos are never removed to make room (SV3).
 * Bytes that the file store has as well are marked `cached`; above `PHOTO_CACHE_BYTES` the least recently used of them
 * are removed.
 */
import { PLAIN, type Sealer } from '#data/encryption/key-ring.ts'
import type { Sealed, SealedPlace } from '#data/encryption/seal.ts'
import { sizeOf, evicted } from '#data/database/eviction.ts'
import type { DexieOptions, Table } from 'dexie'
import type { PhotoMarks } from '#lib/image/marks.ts'
import { openDexie } from '#data/storage/open-dexie.ts'

const PHOTO_CACHE_BYTES = 100 * 1024 * 1024

interface PutOptions {
  thumb?: ArrayBuffer | undefined
  cached?: boolean
  origin?: PhotoOrigin
}

/** The source of a photo's time and place, and its marks. Stored together with the bytes of photos taken on this device. */
export interface PhotoOrigin {
  /** Source of the time: EXIF, the file's time, or the device's clock. */
  taken: 'exif' | 'file' | 'clock'
  /** Source of a known position: EXIF or the device. */
  place: 'exif' | 'device'
  marks?: PhotoMarks
  /** For a picture with marks: the key of the photo that it shows. For a filled-in sheet: the key of its draft. */
  markedOf?: string
}

/** A photo's bytes and thumbnail; encrypted if the user has a key (decisions/encryption). */
export interface BytesRow {
  key: string
  bytes: ArrayBuffer | Sealed
  thumb?: ArrayBuffer | Sealed
}

/** Metadata in a table of its own, so that sizes and ages are known without reading the bytes. */
export interface BytesInfo {
  key: string
  /** Epoch ms. */
  putAt: number
  usedAt: number
  size: number
  /** 1 if the file store has the photo as well. */
  cached: 0 | 1
  origin?: PhotoOrigin | Sealed
}

/** `indexedDB` and `IDBKeyRange` in place of the global objects, for tests. */
type StoreSettings = Pick<DexieOptions, 'indexedDB' | 'IDBKeyRange'>

interface PhotoBytesParts {
  databaseName: string
  now: () => number
  cacheBytes?: number
  /** Encrypts the bytes. Without a sealer, the bytes are stored in plain text. */
  sealer?: Sealer
  settings?: StoreSettings
}

export const photoBytesName = (databaseName: string) => databaseName.replace(/^genba-|^/, 'genba-photos-')

export const photoPlace = (
  databaseName: string,
  what: 'bytes' | 'thumb' | 'origin',
  key: string,
): SealedPlace => [databaseName, what, key]

export type PhotoBytesTable = ReturnType<typeof openPhotoBytes>

export function openPhotoBytes(parts: PhotoBytesParts) {
  const { databaseName, now, cacheBytes = PHOTO_CACHE_BYTES, sealer = PLAIN, settings = {} } = parts
  const tables = openPhotoTables(photoBytesName(databaseName), settings)
  const { rows, infos, inTransaction } = tables
  const sealing = sealingOf(databaseName, sealer)
  return {
    async put(
      key: string,
      bytes: ArrayBuffer,
      { thumb, cached = false, origin }: PutOptions = {},
    ): Promise<void> {
      // Encrypted before the transaction, which would end during the wait.
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
      // Nobody waits for the time of use, and on a full device it is not stored.
      if (row) infos.update(key, { usedAt: now() }).catch(() => undefined)
      return row && sealing.open('bytes', key, row.bytes)
    },
    async thumb(key: string): Promise<ArrayBuffer | undefined> {
      const stored = (await rows.get(key))?.thumb
      return stored && sealing.open('thumb', key, stored)
    },
    async origin(key: string): Promise<PhotoOrigin | undefined> {
      const stored = (await infos.get(key))?.origin
      return stored && sealer.openStored(photoPlace(databaseName, 'origin', key), stored)
    },
    /** Stores the origin of a photo whose bytes are on the device. */
    async setOrigin(key: string, origin: PhotoOrigin): Promise<void> {
      await infos.update(key, { origin: await sealing.origin(key, origin) })
    },
    async setThumb(key: string, thumb: ArrayBuffer): Promise<void> {
      await rows.update(key, { thumb: await sealing.seal('thumb', key, thumb) })
    },
    remove: (key: string): Promise<void> => inTransaction(() => tables.removeAll([key])),
    /** Marks the bytes as cached, because the file store has the photo by now. */
    release: (key: string): Promise<void> =>
      inTransaction(async () => {
        await infos.update(key, { cached: 1, usedAt: now() })
        await tables.makeRoom(cacheBytes)
      }),
    /** Keys of the photos that were put before this time, epoch ms. */
    keys: async (putBefore: number): Promise<string[]> => infos.where('putAt').below(putBefore).primaryKeys(),
    /** Total size of the photos that the file store has as well, in bytes. */
    cachedBytes: async (): Promise<number> => sizeOf(await tables.cached()),
    /** Removes all bytes that the file store has as well. */
    dropCached: (): Promise<void> => inTransaction(() => tables.makeRoom(0)),
    close: tables.close,
  }
}

/** Converts rows to their form on disk and back: each part is encrypted for its own place, if the user has a key. */
function sealingOf(databaseName: string, sealer: Sealer) {
  const place = (what: 'bytes' | 'thumb' | 'origin', key: string) => photoPlace(databaseName, what, key)
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
    origin: async (key: string, origin: PhotoOrigin) =>
      (await sealer.sealValue(place('origin', key), origin)) ?? origin,
  }
}

/** Opens the two tables: bytes and metadata. */
function openPhotoTables(name: string, settings: StoreSettings) {
  const stores = { bytes: 'key', info: 'key, putAt, [cached+usedAt]' }
  const { db, close } = openDexie(name, { ...settings, chromeTransactionDurability: 'strict' }, stores)
  const rows: Table<BytesRow, string> = db.table('bytes')
  const infos: Table<BytesInfo, string> = db.table('info')
  /** Metadata of the photos that can be fetched again, least recently used first. */
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
    /** Runs a transaction over both tables. `run` may only wait for requests of these tables. */
    inTransaction: (run: () => Promise<void>): Promise<void> => db.transaction('rw', rows, infos, run),
    /** Removes the least recently used of the photos that can be fetched again. Called inside a transaction. */
    async makeRoom(cacheBytes: number): Promise<void> {
      const removed = evicted(await cached(), cacheBytes)
      if (removed.length > 0) await removeAll(removed.map(({ key }) => key))
    },
    close,
  }
}
