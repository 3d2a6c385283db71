/** What of a user lies aside (`lock-rows.ts`), row by row: photos are among it, and no more than one is held at a time. */
import { deleteDatabase, done, openNew, openThere, written } from '#data/migration/idb.ts'
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
/** The collection of what is the bytes of a photo. */
export const BYTES = 'bytes'

export interface LockedRow {
  /** Store and key, and by which key it is sealed (`asideId`). */
  id: string
  /** Collection, or `bytes`. */
  collection: string
  /** The collection's; 0 of bytes. */
  version: number
  row: Row
  /** Of bytes: what lies beside them. */
  info?: Row
  /** The key that it was set aside under, where it is sealed anew since (`give-back.ts`). */
  was?: string
}

/**
 * A record may lie aside under two passwords, in another state under each. The bytes of a photo are there once, and the last
 * ones count.
 */
export const lockedRowId = (collection: string, key: string, sealedBy: string): string =>
  collection === BYTES ? `${collection} ${key}` : `${collection} ${key} ${sealedBy}`

/** The row's key in its store. */
export function keyOf(aside: LockedRow): string {
  const key = aside.id.slice(aside.collection.length + 1)
  const [by] = sealedIn(aside).map((sealed) => ` ${aside.was ?? sealed.key}`)
  // what was set aside before a record could lie there twice has none
  return by !== undefined && key.endsWith(by) ? key.slice(0, -by.length) : key
}

const asideName = (user: string) => user.replace(/^genba-|^/, 'genba-aside-')

/** Made where there is none. */
export const openLockedRows = (indexedDB: IDBFactory, user: string): Promise<IDBDatabase> =>
  openNew(indexedDB, asideName(user), 1, (db) => db.createObjectStore(ROWS, { keyPath: 'id' }))

/** Ids of all that lies aside; none where nothing does. */
export async function lockedRowIds(indexedDB: IDBFactory, user: string): Promise<string[]> {
  const aside = await openThere(indexedDB, asideName(user))
  if (!aside) return []
  try {
    return (await done(aside.transaction(ROWS).objectStore(ROWS).getAllKeys())) as string[]
  } finally {
    aside.close()
  }
}

/** Those of these ids, one after another. */
export async function* asideRows(
  indexedDB: IDBFactory,
  user: string,
  ids: readonly string[],
): AsyncGenerator<LockedRow, void, undefined> {
  const aside = await openThere(indexedDB, asideName(user))
  if (!aside) return
  try {
    for (const id of ids) {
      const found = (await done(aside.transaction(ROWS).objectStore(ROWS).get(id))) as LockedRow | undefined
      if (found) yield found
    }
  } finally {
    aside.close()
  }
}

export const isOfBytes = (id: string): boolean => id.startsWith(`${BYTES} `)

/** What another needs, and is cleared away where nothing does: a photo's bytes, a record as the CRM has it. */
export const isNeeded = ({ id, collection }: LockedRow): boolean =>
  isOfBytes(id) || isPushCollection(collection)

const fieldsOf = (rows: unknown, name: string): string[] =>
  Array.isArray(rows) ? rows.map((row) => String(Reflect.get(Object(row), name))) : []

interface OfRecord {
  resource: string
  recordKey: string
}

/** Names the record of a photo or a change: its collection and key. */
export const recordPlace = ({ resource, recordKey }: OfRecord): string => `${resource} ${recordKey}`

/** Names the changes of a record: they come back together. */
export const changesPlace = (of: OfRecord): string => `${CHANGES} ${recordPlace(of)}`

/** @returns the places of what it needs, its collection and key, as its clear fields say it (`clear-facts.ts`) */
export function neededBy({ collection, row }: Pick<LockedRow, 'collection' | 'row'>): string[] {
  const record = { resource: String(row['resource']), recordKey: String(row['recordKey']) }
  // without its key nothing is known of its kind
  if (collection === CHANGES) return isCreating({ kind: String(row['kind']) }) ? [] : [recordPlace(record)]
  const isPhoto = collection === PHOTOS
  const photos = isPhoto ? [String(row['key'])] : fieldsOf(row['photos'], 'key')
  return [
    ...photos.map((key) => lockedRowId(BYTES, key, '')),
    ...(isPhoto ? [recordPlace(record), changesPlace(record)] : []),
  ]
}

/** What a key has sealed in it. */
export const sealedIn = ({ row }: LockedRow): Sealed[] => [row[SEALED], row['bytes']].filter(isSealed)

/** Where it lies as it was read: another tab may have discarded it, or taken it back. */
export async function replaceLocked(
  indexedDB: IDBFactory,
  user: string,
  { before, next }: { before: LockedRow; next: LockedRow },
): Promise<void> {
  const aside = await openThere(indexedDB, asideName(user))
  if (!aside) return
  const keysOf = (row: LockedRow) => sealedIn(row).map(({ key }) => key)
  const isThere = (found: LockedRow | undefined) => found && keysOf(found).join() === keysOf(before).join()
  try {
    await written(aside, ROWS, (store) => {
      const asked: IDBRequest<LockedRow | undefined> = store.get(before.id)
      asked.addEventListener('success', () => isThere(asked.result) && store.put(next))
    })
  } finally {
    aside.close()
  }
}

/** They are where they belong again. */
export async function takenBack(indexedDB: IDBFactory, user: string, ids: readonly string[]): Promise<void> {
  const aside = await openThere(indexedDB, asideName(user))
  if (!aside) return
  try {
    await written(aside, ROWS, (store) => ids.forEach((id) => store.delete(id)))
  } finally {
    aside.close()
  }
}

/** For good. An empty database goes once no other tab reads it. */
export async function discardLocked(indexedDB: IDBFactory, user: string): Promise<void> {
  const aside = await openThere(indexedDB, asideName(user))
  if (!aside) return
  try {
    await written(aside, ROWS, (store) => store.clear())
  } finally {
    aside.close()
  }
  await deleteDatabase(indexedDB, asideName(user)).catch(() => undefined)
}

/** What a user would call one thing: a saved change, a photo, a draft. */
export const isCounted = ({ collection, row }: LockedRow): boolean =>
  collection === CHANGES
    ? row['state'] !== 'accepted' && row['state'] !== 'discarded'
    : collection !== BYTES && (row['unsent'] === 'yes' || 'saving' in row)
