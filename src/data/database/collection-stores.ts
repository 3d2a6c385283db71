/** Finds the IndexedDB databases of a user's collections by their names, without RxDB. */
import { Dexie } from 'dexie'
import { RXDB_INTERNAL } from './database-name.ts'

export interface Store {
  name: string
  /** Name of the collection. `bytes`: bytes of photos. `answers`: the HTTP cache. */
  collection: string
}

export interface CollectionStore extends Store {
  version: number
}

/**
 * Returns the databases of a user's collections, except RxDB's internal database.
 * @param user `genba-<hash>`
 */
export const collectionStores = async (indexedDB: IDBFactory, user: string): Promise<CollectionStore[]> =>
  storesIn(await databaseNames(indexedDB), user).filter(({ collection }) => collection !== RXDB_INTERNAL)

export function storesIn(names: readonly string[], user: string): CollectionStore[] {
  const start = `rxdb-dexie-${user}--`
  return names.flatMap((name) => {
    const [version, collection] = name.startsWith(start) ? name.slice(start.length).split('--') : []
    return collection === undefined ? [] : [{ name, collection, version: Number(version) }]
  })
}

/** Returns the names of all databases. Firefox before 126 cannot list them, but Dexie keeps a list of its own. */
export async function databaseNames(indexedDB: IDBFactory): Promise<string[]> {
  if (!('databases' in indexedDB)) return Dexie.getDatabaseNames()
  return (await (indexedDB as IDBFactory).databases()).flatMap(({ name }) => name ?? [])
}
