/** What of a user lies aside (`set-aside.ts`), row by row: photos are among it, and no more than one is held at a time. */
import { deleteDatabase, done, openNew, openThere, written } from '../layout/idb.ts'
import type { Row } from '../storage/row-codec.ts'
import { isOfKind } from '#schemas/shared.ts'
import { isSealed, type Sealed } from './seal.ts'
import { SEALED } from './sealed-rows.ts'

export const ROWS = 'rows'
/** The collection of what is the bytes of a photo. */
export const BYTES = 'bytes'

export interface AsideRow {
  /** Store and key, and by which key it is sealed (`asideId`). */
  id: string
  /** Collection, or `bytes`. */
  collection: string
  /** The collection's; 0 of bytes. */
  version: number
  row: Row
  /** Of bytes: what lies beside them. */
  info?: Row
}

/**
 * A record may lie aside under two passwords, with other changes under each. What the ledger says of a change, and the bytes
 * of a photo, are there once, and the last is the one that counts.
 */
export const asideId = (collection: string, key: string, sealedBy: string): string =>
  collection === BYTES || isOfKind('ledger', key)
    ? `${collection} ${key}`
    : `${collection} ${key} ${sealedBy}`

/** The row's key in its store. */
export function keyOf(aside: AsideRow): string {
  const key = aside.id.slice(aside.collection.length + 1)
  const [by] = sealedIn(aside).map((sealed) => ` ${sealed.key}`)
  // what was set aside before a record could lie there twice has none
  return by !== undefined && key.endsWith(by) ? key.slice(0, -by.length) : key
}

const asideName = (user: string) => user.replace(/^genba-|^/, 'genba-aside-')

/** Made where there is none. */
export const openAsideRows = (indexedDB: IDBFactory, user: string): Promise<IDBDatabase> =>
  openNew(indexedDB, asideName(user), 1, (db) => db.createObjectStore(ROWS, { keyPath: 'id' }))

/** Ids of all that lies aside; none where nothing does. */
export async function asideIds(indexedDB: IDBFactory, user: string): Promise<string[]> {
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
): AsyncGenerator<AsideRow, void, undefined> {
  const aside = await openThere(indexedDB, asideName(user))
  if (!aside) return
  try {
    for (const id of ids) {
      const found = (await done(aside.transaction(ROWS).objectStore(ROWS).get(id))) as AsideRow | undefined
      if (found) yield found
    }
  } finally {
    aside.close()
  }
}

export const isOfBytes = (id: string): boolean => id.startsWith(`${BYTES} `)

/** What a key has sealed in it. */
export const sealedIn = ({ row }: AsideRow): Sealed[] => [row[SEALED], row['bytes']].filter(isSealed)

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
export async function discardAside(indexedDB: IDBFactory, user: string): Promise<void> {
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
export const isCounted = ({ collection, row }: AsideRow): boolean =>
  collection !== BYTES && (row['unsent'] === 'yes' || 'saving' in row)
