/**
 * What lay on the device before its user had a key is sealed row by row, when there is nothing else to do: rows and bytes,
 * each read, sealed, and put where it is still the same. Killed on the way, it goes on with what is not sealed yet. `_rev`
 * and `_meta` stay, so nothing is pushed again.
 */
import { done, openThere, written } from '../layout/idb.ts'
import { photoBytesName, photoPlace } from '../photo-bytes.ts'
import type { Row } from '../storage/row-codec.ts'
import type { Sealer } from './key-ring.ts'
import { DOCS, eachPiece, rawStores, rowStoreOf } from './raw-stores.ts'
import { isSealed } from './seal.ts'
import { SEALED, sealedRows } from './sealed-rows.ts'

export interface SealStores {
  indexedDB: IDBFactory
  ranges: typeof IDBKeyRange
  /** Name of the user's database. */
  user: string
  sealer: Sealer
  /** Waits until there is nothing else to do. */
  idle: () => Promise<void>
  /** The user's data is being closed. */
  signal: AbortSignal
}

/** @returns whether all of it is sealed */
export async function sealStores(parts: SealStores): Promise<boolean> {
  const { indexedDB, user, sealer } = parts
  if ((await sealer.keyId()) === null) return false
  for (const { name, collection } of await rawStores(indexedDB, user))
    if (!(await within(parts, name, (db) => sealRows(db, collection, parts)))) return false
  return within(parts, photoBytesName(user), (db) => sealBytes(db, parts))
}

async function within(
  { indexedDB }: SealStores,
  name: string,
  run: (db: IDBDatabase) => Promise<boolean>,
): Promise<boolean> {
  const db = await openThere(indexedDB, name)
  if (!db) return true
  // whoever deletes it does not wait for this
  db.addEventListener('versionchange', () => db.close())
  try {
    return await run(db)
  } finally {
    db.close()
  }
}

function sealRows(db: IDBDatabase, collection: string, parts: SealStores): Promise<boolean> {
  const { ranges, sealer, user } = parts
  const store = rowStoreOf(user, collection, db)
  const codec = sealedRows(sealer)(store)
  return eachPiece(db, DOCS, ranges, async (rows) => {
    const plain = rows.filter((row) => !isSealed(row[SEALED]))
    if (plain.length === 0) return !parts.signal.aborted
    await parts.idle()
    if (parts.signal.aborted) return false
    const sealed = (await codec?.encode(plain)) ?? []
    await putWhere(db, DOCS, sealed, store.primary, (row, at) => {
      const before = plain[at]
      return !isSealed(row[SEALED]) && row['_rev'] === before?.['_rev']
    })
    return true
  })
}

/** One photo at a time. */
async function sealBytes(db: IDBDatabase, parts: SealStores): Promise<boolean> {
  const { sealer, user, ranges, signal } = parts
  const sealedPhoto = async ({
    key,
    bytes,
    thumb,
  }: {
    key: string
    bytes: ArrayBuffer
    thumb?: ArrayBuffer
  }) => ({
    key,
    bytes: await sealer.sealBytes(photoPlace(user, 'bytes', key), bytes),
    ...(thumb && { thumb: await sealer.sealBytes(photoPlace(user, 'thumb', key), thumb) }),
  })
  const keys = await done(db.transaction('bytes').objectStore('bytes').getAllKeys())
  for (const key of keys) {
    const row: unknown = await done(db.transaction('bytes').objectStore('bytes').get(key))
    if (!isPlainPhoto(row)) continue
    await parts.idle()
    if (signal.aborted) return false
    await putWhere(
      db,
      'bytes',
      [await sealedPhoto(row)],
      'key',
      (now) => isPlainPhoto(now) && isSamePhoto(now, row),
    )
  }
  return eachPiece(db, 'info', ranges, async (rows) => {
    const plain = rows.filter(({ origin }) => origin !== undefined && !isSealed(origin))
    const sealed = await Promise.all(
      plain.map(async (row) => ({
        ...row,
        origin: await sealer.sealValue(photoPlace(user, 'origin', String(row['key'])), row['origin']),
      })),
    )
    await putWhere(
      db,
      'info',
      sealed,
      'key',
      (row, at) =>
        !isSealed(row['origin']) &&
        row['usedAt'] === plain[at]?.['usedAt'] &&
        row['cached'] === plain[at]?.['cached'],
    )
    return !signal.aborted
  })
}

interface PlainPhoto {
  key: string
  bytes: ArrayBuffer
  thumb?: ArrayBuffer
}
const isPlainPhoto = (row: unknown): row is PlainPhoto =>
  Reflect.get(Object(row), 'bytes') instanceof ArrayBuffer
const isSamePhoto = (a: PlainPhoto, b: PlainPhoto) =>
  a.bytes.byteLength === b.bytes.byteLength && a.thumb?.byteLength === b.thumb?.byteLength

/** In one transaction. @param isStill whether what lies there now may be written over */
async function putWhere(
  db: IDBDatabase,
  table: string,
  rows: readonly object[],
  primary: string,
  isStill: (row: Row, at: number) => boolean,
): Promise<void> {
  if (rows.length === 0) return
  await written(db, table, (store) => {
    for (const [at, row] of rows.entries()) {
      const reading = store.get(Reflect.get(row, primary) as IDBValidKey)
      reading.addEventListener('success', () => {
        const now = reading.result as Row | undefined
        if (now && isStill(now, at)) store.put(row)
      })
    }
  })
}
