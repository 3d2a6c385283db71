/** Finds the IndexedDB databases of a user's collections by their names, without RxDB. */
import { Dexie } from 'dexie'

export interface Store {
  name: string
  /** Name of the collection. `bytes`: bytes of photos. `answers`: the HTTP cache. */
  collection: string
}

/** Start of the names of RxDB's replication metadata. Their version is the one of the replicated collection. */
export const REPLICATION = 'rx-replication-meta-'

export type CollectionStore = Store & { version: number }

/** Returns the name that RxDB's Dexie storage gives to the database of a collection. */
export const storeName = (database: string, version: number, collection: string) =>
  `rxdb-dexie-${database}--${version}--${collection}`

/** Returns the databases of the collections of one user's stores. @param database name of the stores (`storesName`) */
export const collectionStores = async (indexedDB: IDBFactory, database: string): Promise<CollectionStore[]> =>
  storesIn(await databaseNames(indexedDB), database)

/** Picks the databases of collections from all names. @param database name of the stores (`storesName`) */
export function storesIn(names: readonly string[], database: string): CollectionStore[] {
  const start = `rxdb-dexie-${database}--`
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
