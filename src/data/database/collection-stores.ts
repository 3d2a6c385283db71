/** The IndexedDB databases of a user's collections, found by their names. Works without RxDB. */
import { Dexie } from 'dexie'
import { RXDB_INTERNAL } from './database-name.ts'

/** An IndexedDB database of a user. */
export interface Store {
  name: string
  /** Collection name, `bytes` for photo bytes, or `answers` for the HTTP cache. */
  collection: string
}

/** The IndexedDB database of one collection. */
export interface CollectionStore extends Store {
  version: number
}

/**
 * The databases of a user's collections, without RxDB's internal one.
 * @param user `genba-<hash>`
 */
export const collectionStores = async (indexedDB: IDBFactory, user: string): Promise<CollectionStore[]> =>
  storesIn(await databaseNames(indexedDB), user).filter(({ collection }) => collection !== RXDB_INTERNAL)

/** Finds a user's RxDB databases among the names. */
export function storesIn(names: readonly string[], user: string): CollectionStore[] {
  const start = `rxdb-dexie-${user}--`
  return names.flatMap((name) => {
    const [version, collection] = name.startsWith(start) ? name.slice(start.length).split('--') : []
    return collection === undefined ? [] : [{ name, collection, version: Number(version) }]
  })
}

/** Database names on the device. Firefox before 126 cannot list them; Dexie maintains its own list there. */
export async function databaseNames(indexedDB: IDBFactory): Promise<string[]> {
  if (!('databases' in indexedDB)) return Dexie.getDatabaseNames()
  return (await (indexedDB as IDBFactory).databases()).flatMap(({ name }) => name ?? [])
}
