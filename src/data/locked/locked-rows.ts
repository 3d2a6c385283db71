/**
 * The store of a user's rows that are encrypted under an earlier password. Rows are read one at a time, because they
 * include photos, which would fill the memory.
 */
import { BYTES, CHANGES, isOwnSentences } from '#data/database/what-stays.ts'
import {
  deleteDatabase,
  openExisting,
  openOrCreate,
  resultOf,
  withDatabase,
  writeDurably,
  eachPiece,
} from '#data/storage/idb.ts'
import type { Row } from '#data/storage/docs-table.ts'
import { isCreating } from '#schemas/changes/change-queue.ts'
import { PHOTOS } from '#schemas/changes/photo-queue.ts'
import { isPushCollection } from '#schemas/collections/push-collections.ts'
import { isSealed, type Sealed } from '#data/encryption/seal.ts'
import { SEALED } from '#data/encryption/sealed-rows.ts'
import { movedCollections } from '#schemas/collections/collections.ts'
import { photoBytesName } from '#data/photos/photo-bytes.ts'
import { DOCS } from '#data/storage/connection.ts'
import { collectionStores, type CollectionStore } from '#data/database/collection-stores.ts'

const ROWS = 'rows'

export interface LockedRow {
  id: string
  /** Name of the row's former collection; `bytes` for the bytes of a photo. */
  collection: string
  /** Schema version of the collection; 0 for bytes. */
  version: number
  /** Key of the row in the store from which it was moved. */
  key: string
  row: Row
  info?: Row
}

/**
 * Returns the id that a row gets in this store. It contains the id of the data key, because two states of a record
 * can be encrypted under two passwords. The bytes of a photo have one row, whatever the key.
 */
export const lockedRowId = (collection: string, key: string, sealedBy: string): string =>
  collection === BYTES ? `${collection} ${key}` : `${collection} ${key} ${sealedBy}`

/** `genba-<hash>` → `genba-aside-<hash>`. */
const lockedDbName = (user: string) => user.replace(/^genba-|^/, 'genba-aside-')

const openLockedRows = (indexedDB: IDBFactory, user: string): Promise<IDBDatabase> =>
  openOrCreate(indexedDB, lockedDbName(user), 1, (db) => db.createObjectStore(ROWS, { keyPath: 'id' }))

/** Returns the ids of all rows of this store; an empty list if the store does not exist. */
export const lockedRowIds = async (indexedDB: IDBFactory, user: string): Promise<string[]> =>
  (await withLocked(
    indexedDB,
    user,
    async (db) => (await resultOf(db.transaction(ROWS).objectStore(ROWS).getAllKeys())) as string[],
  )) ?? []

const withLocked = <T>(indexedDB: IDBFactory, user: string, run: (db: IDBDatabase) => Promise<T>) =>
  withDatabase(indexedDB, lockedDbName(user), run)

/** Yields the rows with these ids, or all rows, one at a time. */
export async function* readLockedRows(indexedDB: IDBFactory, user: string, ids?: readonly string[]) {
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

export const isOfBytes = (id: string): boolean => id.startsWith(`${BYTES} `)

/** True for rows that other rows can need: photo bytes, and records of the CRM. */
export const isNeeded = ({ collection }: LockedRow): boolean =>
  collection === BYTES || isPushCollection(collection)

const fieldsOf = (rows: unknown, name: string): string[] =>
  Array.isArray(rows) ? rows.map((row) => String(Reflect.get(Object(row), name))) : []

type OfRecord = { resource: string; recordKey: string }

/** Returns the name by which a photo or change refers to its record (`neededBy`). */
export const recordPlace = ({ resource, recordKey }: OfRecord): string => `${resource} ${recordKey}`

/** Returns the name by which a photo refers to all changes of its record (`neededBy`). */
export const changesPlace = (record: OfRecord): string => `${CHANGES} ${recordPlace(record)}`

/** Returns the names of the rows without which this row cannot be restored, from its plain-text fields. */
export function neededBy({ collection, row }: Pick<LockedRow, 'collection' | 'row'>): string[] {
  const record = { resource: String(row['resource']), recordKey: String(row['recordKey']) }
  // While a change is encrypted, `kind` is missing, and the change counts as an edit.
  if (collection === CHANGES) return isCreating({ kind: String(row['kind']) }) ? [] : [recordPlace(record)]
  const isPhoto = collection === PHOTOS
  const photos = isPhoto ? [String(row['key'])] : fieldsOf(row['photos'], 'key')
  return [
    ...photos.map((key) => lockedRowId(BYTES, key, '')),
    ...(isPhoto ? [recordPlace(record), changesPlace(record)] : []),
  ]
}

export const sealedIn = ({ row }: LockedRow): Sealed[] => [row[SEALED], row['bytes']].filter(isSealed)

/** Replaces a row of this store, unless another tab has discarded, restored or replaced it meanwhile. */
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

export const deleteLocked = (indexedDB: IDBFactory, user: string, ids: readonly string[]) =>
  withLocked(indexedDB, user, (db) =>
    writeDurably(db, ROWS, (store) => ids.forEach((id) => store.delete(id))),
  )

/** Deletes all rows of the store, and the empty database once no other tab uses it. */
export async function discardLocked(indexedDB: IDBFactory, user: string): Promise<void> {
  await withLocked(indexedDB, user, (db) => writeDurably(db, ROWS, (store) => store.clear()))
  await deleteDatabase(indexedDB, lockedDbName(user)).catch(() => undefined)
}

/** True for rows that the user sees as one item each: saved changes, photos and drafts. */
export const isCounted = ({ collection, row }: LockedRow): boolean =>
  collection === CHANGES
    ? row['state'] !== 'accepted' && row['state'] !== 'discarded'
    : collection !== BYTES && (row['unsent'] === 'yes' || 'saving' in row)

const PIECE = 60

interface Locking {
  indexedDB: IDBFactory
  ranges: typeof IDBKeyRange
  user: string
  isOpen: (keyId: string) => boolean
}

/**
 * Moves rows that no usable key decrypts out of the stores, before RxDB reads them. They stay locked (封印中) until the
 * user enters the earlier password or discards them (sync RULES SV3):
 *
 *     rows of the stores ─→ copied to the locked store, on disk ─→ deleted from the stores
 *      └ killed: done again      └ killed: both exist; the next start deletes the originals
 *
 * Only rows that the CRM may lack are copied, because all others can be fetched again. No tab may have the stores open.
 */
export async function lockRows(parts: Locking): Promise<void> {
  const { indexedDB, user } = parts
  const lockedDb = await openLockedRows(indexedDB, user)
  try {
    for (const store of await collectionStores(indexedDB, user))
      await withDatabase(indexedDB, store.name, (db) => moveRows(db, store, lockedDb, parts))
    await withDatabase(indexedDB, photoBytesName(user), (db) => moveBytes(db, lockedDb, parts))
  } finally {
    lockedDb.close()
  }
}

const isLocked = (sealed: unknown, { isOpen }: Locking): sealed is Sealed =>
  isSealed(sealed) && !isOpen(sealed.key)

async function moveRows(
  db: IDBDatabase,
  { collection, version }: CollectionStore,
  lockedDb: IDBDatabase,
  parts: Locking,
): Promise<void> {
  const isPreserved = movedCollections.some((name) => name === collection)
  const pieces = { table: DOCS, ranges: parts.ranges, size: PIECE }
  await eachPiece<Row>(db, pieces, async (rows, primary) => {
    const locked = rows.filter((row) => isLocked(row[SEALED], parts))
    if (locked.length === 0) return
    const keyOf = (row: Row) => row[primary] as string
    if (isPreserved)
      await writeDurably(lockedDb, ROWS, (store) => {
        for (const row of locked.filter((each) => each['_deleted'] !== '1' && !isOwnSentences(each))) {
          const key = keyOf(row)
          const id = lockedRowId(collection, key, (row[SEALED] as Sealed).key)
          store.put({ id, collection, version, key, row } satisfies LockedRow)
        }
      })
    await writeDurably(db, DOCS, (store) => locked.forEach((row) => store.delete(keyOf(row))))
  })
}

async function moveBytes(db: IDBDatabase, lockedDb: IDBDatabase, parts: Locking): Promise<void> {
  const read = (table: string, key: string) =>
    resultOf<Row | undefined>(db.transaction(table).objectStore(table).get(key))
  const keys = (await resultOf(db.transaction(BYTES).objectStore(BYTES).getAllKeys())) as string[]
  for (const key of keys) {
    const row = await read(BYTES, key)
    if (!row || !isLocked(row['bytes'], parts)) continue
    const info = await read('info', key)
    const locked = { id: lockedRowId(BYTES, key, ''), collection: BYTES, version: 0, key, row }
    // A photo that the file store has too is not copied, because it can be fetched again.
    if (info?.['cached'] !== 1)
      await writeDurably(lockedDb, ROWS, (store) =>
        store.put({ ...locked, ...(info && { info }) } satisfies LockedRow),
      )
    await writeDurably(db, BYTES, (store) => store.delete(key))
    await writeDurably(db, 'info', (store) => store.delete(key))
  }
}
