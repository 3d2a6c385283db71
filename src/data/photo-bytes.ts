/**
 * The bytes of photos, in a Dexie database of their own (one per user, SV4): ArrayBuffers, because WebKit cannot put a
 * Blob into IndexedDB. A put is on disk when it resolves (SV1). What the file store has too is `cached`: the longest
 * unused of it goes when there is more than `PHOTO_CACHE_BYTES`; what is unsent is never touched (SV3).
 */
import { Dexie, type DexieOptions, type Table } from 'dexie'
import { PLAIN, type Sealer } from './seal/key-ring.ts'
import { isSealed, type Place, type Sealed } from './seal/seal.ts'

const PHOTO_CACHE_BYTES = 100 * 1024 * 1024

/** Sealed where the user has a key (decision 0075). */
interface Row {
  key: string
  bytes: ArrayBuffer | Sealed
  thumb?: ArrayBuffer | Sealed
}

/** Beside the bytes, so that nothing has to read them to know how many there are. */
interface Info {
  key: string
  /** Epoch ms. */
  putAt: number
  usedAt: number
  size: number
  cached: 0 | 1
  origin?: PhotoOrigin | Sealed
}

/** From what is known when and where a photo was taken; of photos that were taken here, as long as their bytes are. */
export interface PhotoOrigin {
  /** EXIF, the time of the file, the device's clock. */
  taken: 'exif' | 'file' | 'clock'
  /** EXIF, or the device's position, if there is one. */
  place: 'exif' | 'device'
}

export interface PutOptions {
  thumb?: ArrayBuffer | undefined
  cached?: boolean
  origin?: PhotoOrigin
}

export interface PhotoBytesTable {
  put(key: string, bytes: ArrayBuffer, options?: PutOptions): Promise<void>
  get(key: string): Promise<ArrayBuffer | undefined>
  thumb(key: string): Promise<ArrayBuffer | undefined>
  setThumb(key: string, thumb: ArrayBuffer): Promise<void>
  /** Undefined where nobody noted it. */
  origin(key: string): Promise<PhotoOrigin | undefined>
  remove(key: string): Promise<void>
  release(key: string): Promise<void>
  keys(putBefore: number): Promise<string[]>
  /** Bytes of what the file store has too. */
  cachedBytes(): Promise<number>
  /** All of that goes. */
  dropCached(): Promise<void>
  close(): void
}

interface Parts {
  /** Of the user's database: `genba-<hash>`. */
  databaseName: string
  now: () => number
  cacheBytes?: number
  /** How they lie on the disk; as they are without it. */
  sealer?: Sealer
  /** `indexedDB` and `IDBKeyRange` where they are not the global ones (tests). */
  settings?: Pick<DexieOptions, 'indexedDB' | 'IDBKeyRange'>
}

export const photoBytesName = (databaseName: string) => databaseName.replace(/^genba-|^/, 'genba-photos-')

export const photoPlace = (databaseName: string, what: 'bytes' | 'thumb' | 'origin', key: string): Place => [
  databaseName,
  what,
  key,
]

export function openPhotoBytes(parts: Parts): PhotoBytesTable {
  const { databaseName, now, cacheBytes: kept = PHOTO_CACHE_BYTES, sealer = PLAIN, settings = {} } = parts
  const db = new Dexie(photoBytesName(databaseName), { ...settings, chromeTransactionDurability: 'strict' })
  db.version(1).stores({ bytes: 'key', info: 'key, putAt, [cached+usedAt]' })
  const rows: Table<Row, string> = db.table('bytes')
  const infos: Table<Info, string> = db.table('info')

  const place = (what: 'bytes' | 'thumb' | 'origin', key: string) => photoPlace(databaseName, what, key)
  const removeAll = async (keys: string[]) => {
    await rows.bulkDelete(keys)
    await infos.bulkDelete(keys)
  }

  const cachedInfos = () => infos.where('[cached+usedAt]').between([1, 0], [1, Infinity]).toArray()

  /** Within a transaction: the longest unused of what can be fetched again goes first. */
  async function makeRoom(cacheBytes = kept) {
    const cached = await cachedInfos()
    let size = cached.reduce((sum, info) => sum + info.size, 0)
    const gone: string[] = []
    for (const info of cached) {
      if (size <= cacheBytes) break
      size -= info.size
      gone.push(info.key)
    }
    if (gone.length > 0) await removeAll(gone)
  }

  return {
    async put(key, bytes, { thumb, cached = false, origin } = {}) {
      // before the transaction: it ends while something else is waited for
      const row: Row = { key, bytes: await sealer.sealBytes(place('bytes', key), bytes) }
      if (thumb) row.thumb = await sealer.sealBytes(place('thumb', key), thumb)
      const sealedOrigin = origin && ((await sealer.sealValue(place('origin', key), origin)) ?? origin)
      await db.transaction('rw', rows, infos, async () => {
        const at = now()
        await Promise.all([
          infos.put({
            key,
            putAt: at,
            usedAt: at,
            size: bytes.byteLength,
            cached: cached ? 1 : 0,
            ...(sealedOrigin && { origin: sealedOrigin }),
          }),
          rows.put(row),
        ])
        if (cached) await makeRoom()
      })
    },
    async get(key) {
      const row = await rows.get(key)
      if (row) await infos.update(key, { usedAt: now() })
      return row && sealer.openBytes(place('bytes', key), row.bytes)
    },
    async thumb(key) {
      const stored = (await rows.get(key))?.thumb
      return stored && sealer.openBytes(place('thumb', key), stored)
    },
    async origin(key) {
      const stored = (await infos.get(key))?.origin
      return isSealed(stored)
        ? ((await sealer.openValue(place('origin', key), stored)) as PhotoOrigin)
        : stored
    },
    async setThumb(key, thumb) {
      await rows.update(key, { thumb: await sealer.sealBytes(place('thumb', key), thumb) })
    },
    remove: (key) => db.transaction('rw', rows, infos, () => removeAll([key])),
    release: (key) =>
      db.transaction('rw', rows, infos, async () => {
        await infos.update(key, { cached: 1, usedAt: now() })
        await makeRoom()
      }),
    keys: async (putBefore) => infos.where('putAt').below(putBefore).primaryKeys(),
    cachedBytes: async () => (await cachedInfos()).reduce((sum, { size }) => sum + size, 0),
    dropCached: () => db.transaction('rw', rows, infos, () => makeRoom(0)),
    close: () => db.close(),
  }
}
