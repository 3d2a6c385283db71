/**
 * The store of a user's locked rows: rows that were encrypted under an earlier password (`lock-rows.ts`). It is
 * read row by row, because rows include photos and memory has room for one at a time.
 */
import { BYTES, CHANGES } from '#data/database/what-stays.ts'
import {
  deleteDatabase,
  openExisting,
  openOrCreate,
  resultOf,
  withDatabase,
  writeDurably,
} from '#data/storage/idb.ts'
import type { Row } from '#data/storage/row-codec.ts'
import { isCreating } from '#schemas/changes/change-queue.ts'
import { PHOTOS } from '#schemas/changes/photo-queue.ts'
import { isPushCollection } from '#schemas/collections/push-collections.ts'
import { isSealed, type Sealed } from '#data/encryption/seal.ts'
import { SEALED } from '#data/encryption/sealed-rows.ts'

export const ROWS = 'rows'

export interface LockedRow {
  /** Made by `lockedRowId` from the collection, the row's key, and the id of the data key that encrypts the row. */
  id: string
  /** Collection name, or `bytes` for the bytes of a photo. */
  collection: string
  /** Schema version of the collection; 0 for bytes. */
  version: number
  /** Key of the row in its original store. */
  key: string
  row: Row
  /** For the bytes of a photo: the metadata of the bytes. */
  info?: Row
}

/**
 * The id of a locked row. A record can be locked under two passwords, with a different state under each.
 * Photo bytes are stored once: bytes that are locked later replace the earlier ones.
 * @param sealedBy id of the data key that encrypts the row
 */
export const lockedRowId = (collection: string, key: string, sealedBy: string): string =>
  collection === BYTES ? `${collection} ${key}` : `${collection} ${key} ${sealedBy}`

const lockedDbName = (user: string) => user.replace(/^genba-|^/, 'genba-aside-')

/** Opens the locked store, and creates it if needed. */
export const openLockedRows = (indexedDB: IDBFactory, user: string): Promise<IDBDatabase> =>
  openOrCreate(indexedDB, lockedDbName(user), 1, (db) => db.createObjectStore(ROWS, { keyPath: 'id' }))

/** Ids of all locked rows; empty if there is no locked store. */
export const lockedRowIds = async (indexedDB: IDBFactory, user: string): Promise<string[]> =>
  (await withLocked(
    indexedDB,
    user,
    async (db) => (await resultOf(db.transaction(ROWS).objectStore(ROWS).getAllKeys())) as string[],
  )) ?? []

const withLocked = <T>(indexedDB: IDBFactory, user: string, run: (db: IDBDatabase) => Promise<T>) =>
  withDatabase(indexedDB, lockedDbName(user), run)

/** Yields the rows with these ids, or all rows, one at a time. */
export async function* readLockedRows(
  indexedDB: IDBFactory,
  user: string,
  ids?: readonly string[],
): AsyncGenerator<LockedRow, void, undefined> {
  const lockedDb = await openExisting(indexedDB, lockedDbName(user))
  if (!lockedDb) return
  try {
    for (const id of ids ?? (await lockedRowIds(indexedDB, user))) {
      const rows = lockedDb.transaction(ROWS).objectStore(ROWS)
      const row: LockedRow | undefined = await resultOf(rows.get(id))
      if (row) yield row
    }
  } finally {
    lockedDb.close()
  }
}

/** True if the id is of photo bytes. */
export const isOfBytes = (id: string): boolean => id.startsWith(`${BYTES} `)

/** True for rows that a sweep deletes unless another row needs them: photo bytes, and records of the CRM. */
export const isNeeded = ({ collection }: LockedRow): boolean =>
  collection === BYTES || isPushCollection(collection)

const fieldsOf = (rows: unknown, name: string): string[] =>
  Array.isArray(rows) ? rows.map((row) => String(Reflect.get(Object(row), name))) : []

interface OfRecord {
  resource: string
  recordKey: string
}

/** Identifies the record of a photo or change: its collection and key. */
export const recordPlace = ({ resource, recordKey }: OfRecord): string => `${resource} ${recordKey}`

/** Identifies all changes of one record, which are restored together. */
export const changesPlace = (record: OfRecord): string => `${CHANGES} ${recordPlace(record)}`

/** The places (collection and key) of the rows that a row needs, from its plain-text fields (`clearFacts`). */
export function neededBy({ collection, row }: Pick<LockedRow, 'collection' | 'row'>): string[] {
  const record = { resource: String(row['resource']), recordKey: String(row['recordKey']) }
  // The kind of a change is encrypted; until it is decrypted, the change counts as an edit.
  if (collection === CHANGES) return isCreating({ kind: String(row['kind']) }) ? [] : [recordPlace(record)]
  const isPhoto = collection === PHOTOS
  const photos = isPhoto ? [String(row['key'])] : fieldsOf(row['photos'], 'key')
  return [
    ...photos.map((key) => lockedRowId(BYTES, key, '')),
    ...(isPhoto ? [recordPlace(record), changesPlace(record)] : []),
  ]
}

/** The encrypted values of a row. */
export const sealedIn = ({ row }: LockedRow): Sealed[] => [row[SEALED], row['bytes']].filter(isSealed)

/** Replaces a locked row if it still has the same keys: another tab may have discarded or restored it. */
export async function replaceLocked(
  indexedDB: IDBFactory,
  user: string,
  { before, next }: { before: LockedRow; next: LockedRow },
): Promise<void> {
  const keysOf = (row: LockedRow) =>
    sealedIn(row)
      .map(({ key }) => key)
      .join()
  await withLocked(indexedDB, user, (db) =>
    writeDurably(db, ROWS, (store) => {
      const request: IDBRequest<LockedRow | undefined> = store.get(before.id)
      request.addEventListener('success', () => {
        if (request.result && keysOf(request.result) === keysOf(before)) store.put(next)
      })
    }),
  )
}

/** Deletes rows that have been restored. */
export const deleteLocked = (indexedDB: IDBFactory, user: string, ids: readonly string[]) =>
  withLocked(indexedDB, user, (db) =>
    writeDurably(db, ROWS, (store) => ids.forEach((id) => store.delete(id))),
  )

/** Deletes all locked data for good. The empty database is deleted once no other tab uses it. */
export async function discardLocked(indexedDB: IDBFactory, user: string): Promise<void> {
  await withLocked(indexedDB, user, (db) => writeDurably(db, ROWS, (store) => store.clear()))
  await deleteDatabase(indexedDB, lockedDbName(user)).catch(() => undefined)
}

/** True for rows that count as locked items: saved changes, photos, drafts. */
export const isCounted = ({ collection, row }: LockedRow): boolean =>
  collection === CHANGES
    ? row['state'] !== 'accepted' && row['state'] !== 'discarded'
    : collection !== BYTES && (row['unsent'] === 'yes' || 'saving' in row)
