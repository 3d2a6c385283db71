/**
 * The bytes of photos, in a Dexie database of their own (one per user, SV4): ArrayBuffers, because WebKit cannot put a
 * Blob into IndexedDB. A put is on disk when it resolves (SV1). What the file store has too is `cached`: the longest
 * unused of it goes when there is more than `PHOTO_CACHE_BYTES`; what is unsent is never touched (SV3).
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

/** The source of a photo's time and place, and its marks. Stored for photos taken here, as long as their bytes are here. */
export interface PhotoOrigin {
  /** EXIF, the time of the file, the device's clock. */
  taken: 'exif' | 'file' | 'clock'
  /** EXIF, or the device's position, if there is one. */
  place: 'exif' | 'device'
  marks?: PhotoMarks
  /** Key of the photo that this one shows with marks, or of the draft of the sheet that it shows. */
  markedOf?: string
}

/** Sealed where the user has a key (decisions/encryption). */
export interface BytesRow {
  key: string
  bytes: ArrayBuffer | Sealed
  thumb?: ArrayBuffer | Sealed
}

/** Beside the bytes, so that nothing has to read them to know how many there are. */
export interface BytesInfo {
  key: string
  putAt: number
  usedAt: number
  size: number
  cached: 0 | 1
  origin?: PhotoOrigin | Sealed
}

/** `indexedDB` and `IDBKeyRange` where they are not the global ones (tests). */
type StoreSettings = Pick<DexieOptions, 'indexedDB' | 'IDBKeyRange'>

interface PhotoBytesParts {
  databaseName: string
  now: () => number
  cacheBytes?: number
  /** How they lie on the disk; as they are without it. */
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
  const { rows, infos, inOne } = tables
  const sealing = sealingOf(databaseName, sealer)
  return {
    async put(
      key: string,
      bytes: ArrayBuffer,
      { thumb, cached = false, origin }: PutOptions = {},
    ): Promise<void> {
      // before the transaction: it ends while something else is waited for
      const row = await sealing.row(key, bytes, thumb)
      const sealedOrigin = origin && (await sealing.origin(key, origin))
      await inOne(async () => {
        const at = now()
        const info: BytesInfo = { key, putAt: at, usedAt: at, size: bytes.byteLength, cached: cached ? 1 : 0 }
        await Promise.all([
          infos.put({ ...info, ...(sealedOrigin && { origin: sealedOrigin }) }),
          rows.put(row),
        ])
        if (cached) await tables.makeRoom(cacheBytes)
      })
    },
    async get(key: string): Promise<ArrayBuffer | undefined> {
      const row = await rows.get(key)
      // a full device takes no note of it, and shows and sends it all the same
      if (row) await infos.update(key, { usedAt: now() }).catch(() => undefined)
      return row && sealing.open('bytes', key, row.bytes)
    },
    async thumb(key: string): Promise<ArrayBuffer | undefined> {
      const stored = (await rows.get(key))?.thumb
      return stored && sealing.open('thumb', key, stored)
    },
    /** Undefined where nobody noted it. */
    async origin(key: string): Promise<PhotoOrigin | undefined> {
      const stored = (await infos.get(key))?.origin
      return stored && sealer.openStored(photoPlace(databaseName, 'origin', key), stored)
    },
    /** Changes nothing if the bytes are not here. */
    async setOrigin(key: string, origin: PhotoOrigin): Promise<void> {
      await infos.update(key, { origin: await sealing.origin(key, origin) })
    },
    async setThumb(key: string, thumb: ArrayBuffer): Promise<void> {
      await rows.update(key, { thumb: await sealing.seal('thumb', key, thumb) })
    },
    remove: (key: string): Promise<void> => inOne(() => tables.removeAll([key])),
    release: (key: string): Promise<void> =>
      inOne(async () => {
        await infos.update(key, { cached: 1, usedAt: now() })
        await tables.makeRoom(cacheBytes)
      }),
    keys: async (putBefore: number): Promise<string[]> => infos.where('putAt').below(putBefore).primaryKeys(),
    /** Bytes of what the file store has too. */
    cachedBytes: async (): Promise<number> => sizeOf(await tables.cached()),
    /** All of that goes. */
    dropCached: (): Promise<void> => inOne(() => tables.makeRoom(0)),
    close: tables.close,
  }
}

/** What a row of a photo is on the disk: sealed each part in its place, or as it is where there is no key. */
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

/** The two tables of the bytes of photos. */
function openPhotoTables(name: string, settings: StoreSettings) {
  const stores = { bytes: 'key', info: 'key, putAt, [cached+usedAt]' }
  const { db, close } = openDexie(name, { ...settings, chromeTransactionDurability: 'strict' }, stores)
  const rows: Table<BytesRow, string> = db.table('bytes')
  const infos: Table<BytesInfo, string> = db.table('info')
  /** What can be fetched again, the longest unused first. */
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
    /** Both tables in one; nothing else may be waited for in it. */
    inOne: (run: () => Promise<void>): Promise<void> => db.transaction('rw', rows, infos, run),
    /** Within a transaction: the longest unused of what can be fetched again goes first. */
    async makeRoom(cacheBytes: number): Promise<void> {
      const gone = evicted(await cached(), cacheBytes)
      if (gone.length > 0) await removeAll(gone.map(({ key }) => key))
    },
    close,
  }
}
