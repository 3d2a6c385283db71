/** The two tables of the bytes of photos. */
import { Dexie, type DexieOptions, type Table } from 'dexie'
import { evicted } from '#data/database/eviction.ts'
import type { Sealed } from '#data/encryption/seal.ts'
import type { PhotoMarks } from '#lib/image/marks.ts'
import { opensAgain } from '#data/storage/opens-again.ts'

/** The source of a photo's time and place, and its marks. Stored for photos taken here, as long as their bytes are here. */
export interface PhotoOrigin {
  /** EXIF, the time of the file, the device's clock. */
  taken: 'exif' | 'file' | 'clock'
  /** EXIF, or the device's position, if there is one. */
  place: 'exif' | 'device'
  /** What was drawn on it. */
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
  /** Epoch ms. */
  putAt: number
  usedAt: number
  size: number
  cached: 0 | 1
  origin?: PhotoOrigin | Sealed
}

/** `indexedDB` and `IDBKeyRange` where they are not the global ones (tests). */
export type StoreSettings = Pick<DexieOptions, 'indexedDB' | 'IDBKeyRange'>

export function openPhotoTables(name: string, settings: StoreSettings) {
  const db = new Dexie(name, { ...settings, chromeTransactionDurability: 'strict' })
  let isClosed = false
  opensAgain(db, () => isClosed)
  db.version(1).stores({ bytes: 'key', info: 'key, putAt, [cached+usedAt]' })
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
    close() {
      isClosed = true
      db.close()
    },
  }
}
