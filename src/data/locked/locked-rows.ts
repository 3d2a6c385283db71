/**
 * The store of a user's locked rows (`lock-rows.ts`). It is read row by row, because rows include photos and
 * memory has room for one at a time.
 */
import { deleteDatabase, done, openNew, openThere, withDatabase, written } from '#data/migration/idb.ts'
import type { Row } from '#data/storage/row-codec.ts'
import { isCreating } from '#schemas/changes/change-queue.ts'
import type { CollectionName } from '#schemas/collections/collections.ts'
import { PHOTOS } from '#schemas/changes/photo-queue.ts'
import { isPushCollection } from '#schemas/collections/push-collections.ts'
import { isSealed, type Sealed } from '#data/encryption/seal.ts'
import { SEALED } from '#data/encryption/sealed-rows.ts'

export const ROWS = 'rows'
export const OWN: CollectionName = 'own'
export const CHANGES: CollectionName = 'changes'
/** Collection name for photo bytes. */
export const BYTES = 'bytes'

export interface LockedRow {
  /** Store, key, and id of the key that encrypts it (`lockedRowId`). */
  id: string
  /** Collection name, or `bytes`. */
  collection: string
  /** Schema version of the collection; 0 for bytes. */
  version: number
  row: Row
  /** For bytes: their metadata. */
  info?: Row
  /** Id of the key under which it was locked, if it was encrypted again since (`give-back.ts`). */
  was?: string
}

/**
 * The id of a locked row. A record can be locked under two passwords, with a different state under each.
 * Photo bytes are stored once; the last ones win.
 */
export const lockedRowId = (collection: string, key: string, sealedBy: string): string =>
  collection === BYTES ? `${collection} ${key}` : `${collection} ${key} ${sealedBy}`

/** The row's key in its original store. */
export function keyOf(lockedDb: LockedRow): string {
  const key = lockedDb.id.slice(lockedDb.collection.length + 1)
  const [by] = sealedIn(lockedDb).map((sealed) => ` ${lockedDb.was ?? sealed.key}`)
  // Rows locked by early versions have no suffix.
  return by !== undefined && key.endsWith(by) ? key.slice(0, -by.length) : key
}

const lockedDbName = (user: string) => user.replace(/^genba-|^/, 'genba-aside-')

/** Opens the locked store, and creates it if needed. */
export const openLockedRows = (indexedDB: IDBFactory, user: string): Promise<IDBDatabase> =>
  openNew(indexedDB, lockedDbName(user), 1, (db) => db.createObjectStore(ROWS, { keyPath: 'id' }))

/** Ids of all locked rows; empty if there is no locked store. */
export const lockedRowIds = async (indexedDB: IDBFactory, user: string): Promise<string[]> =>
  (await withLocked(
    indexedDB,
    user,
    async (db) => (await done(db.transaction(ROWS).objectStore(ROWS).getAllKeys())) as string[],
  )) ?? []

const withLocked = <T>(indexedDB: IDBFactory, user: string, run: (db: IDBDatabase) => Promise<T>) =>
  withDatabase(indexedDB, lockedDbName(user), run)

/** Yields the rows with these ids, one at a time. */
export async function* readLockedRows(
  indexedDB: IDBFactory,
  user: string,
  ids: readonly string[],
): AsyncGenerator<LockedRow, void, undefined> {
  const lockedDb = await openThere(indexedDB, lockedDbName(user))
  if (!lockedDb) return
  try {
    for (const id of ids) {
      const found: LockedRow | undefined = await done(lockedDb.transaction(ROWS).objectStore(ROWS).get(id))
      if (found) yield found
    }
  } finally {
    lockedDb.close()
  }
}

/** True if the id is of photo bytes. */
export const isOfBytes = (id: string): boolean => id.startsWith(`${BYTES} `)

/** True for rows that other rows need and that a sweep deletes when nothing needs them: photo bytes, records as the CRM has them. */
export const isNeeded = ({ id, collection }: LockedRow): boolean =>
  isOfBytes(id) || isPushCollection(collection)

const fieldsOf = (rows: unknown, name: string): string[] =>
  Array.isArray(rows) ? rows.map((row) => String(Reflect.get(Object(row), name))) : []

interface OfRecord {
  resource: string
  recordKey: string
}

/** Identifies the record of a photo or change: its collection and key. */
export const recordPlace = ({ resource, recordKey }: OfRecord): string => `${resource} ${recordKey}`

/** Identifies all changes of one record, which are restored together. */
export const changesPlace = (of: OfRecord): string => `${CHANGES} ${recordPlace(of)}`

/**
 * Returns what a row needs, as places (collection and key), read from its plain-text fields
 * (`clearFacts`).
 */
export function neededBy({ collection, row }: Pick<LockedRow, 'collection' | 'row'>): string[] {
  const record = { resource: String(row['resource']), recordKey: String(row['recordKey']) }
  // Without its key, the kind of a change is unknown.
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

/**
 * Replaces a locked row if it is still the one that was read: another tab may have discarded or restored it.
 */
export async function replaceLocked(
  indexedDB: IDBFactory,
  user: string,
  { before, next }: { before: LockedRow; next: LockedRow },
): Promise<void> {
  const keysOf = (row: LockedRow) => sealedIn(row).map(({ key }) => key)
  const isUnchanged = (found: LockedRow | undefined) =>
    found && keysOf(found).join() === keysOf(before).join()
  await withLocked(indexedDB, user, (db) =>
    written(db, ROWS, (store) => {
      const request: IDBRequest<LockedRow | undefined> = store.get(before.id)
      request.addEventListener('success', () => isUnchanged(request.result) && store.put(next))
    }),
  )
}

/** Deletes rows that have been restored. */
export const takenBack = (indexedDB: IDBFactory, user: string, ids: readonly string[]) =>
  withLocked(indexedDB, user, (db) => written(db, ROWS, (store) => ids.forEach((id) => store.delete(id))))

/** Deletes all locked data for good. The empty database is deleted once no other tab uses it. */
export async function discardLocked(indexedDB: IDBFactory, user: string): Promise<void> {
  await withLocked(indexedDB, user, (db) => written(db, ROWS, (store) => store.clear()))
  await deleteDatabase(indexedDB, lockedDbName(user)).catch(() => undefined)
}

/** True for rows that a user would count as one item: a saved change, a photo, a draft. */
export const isCounted = ({ collection, row }: LockedRow): boolean =>
  collection === CHANGES
    ? row['state'] !== 'accepted' && row['state'] !== 'discarded'
    : collection !== BYTES && (row['unsent'] === 'yes' || 'saving' in row)
