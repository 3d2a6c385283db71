/**
 * The device's RxStorage: IndexedDB in the layout of RxDB's Dexie storage, but opened, read and written without Dexie.
 * Collections that can contain unsent work are flushed to disk before a save resolves (SV1). Others are not flushed,
 * which is faster, because the CRM has their data.
 *
 *     RxDB ─→ `createStorage` ─→ device-instance ─→ IndexedDB
 *     features ─→ projection.ts;  sync ─→ `rows` (stored-docs.ts)
 */
import {
  addRxStorageMultiInstanceSupport,
  getPrimaryFieldOfPrimaryKey,
  type RxStorage,
  type RxStorageInstanceCreationParams,
  RXDB_VERSION,
} from 'rxdb/plugins/core'
import { RX_STORAGE_NAME_DEXIE } from 'rxdb/plugins/storage-dexie'
import { getRxStorageMemory } from 'rxdb/plugins/storage-memory'
import { durableCollections } from '#schemas/collections/collections.ts'
import { REPLICATION, storeName } from '#data/database/collection-stores.ts'
import { deviceInstance } from './device-instance.ts'
import { deviceRows, type DeviceRows, restartFailedQueries } from './stored-docs.ts'
import { DOCS, openStore } from './store-layout.ts'
import { connectionTo } from './idb.ts'
import { clearFields, type CodecFor } from './docs-table.ts'

/** The version of RxDB whose internals this folder uses; any release may change these (docs/rxdb-upgrade.md). */
export const TESTED_RXDB = '17.6.0'

export interface StorageOptions {
  indexedDB?: IDBFactory
  IDBKeyRange?: typeof IDBKeyRange
  /** Called with a line for the error log, if a read is retried. */
  report?: (problem: string) => void
  /** Version of RxDB; the installed version by default. */
  version?: string
  /** Encodes rows on disk. Without it, rows are stored in plain text. */
  codecFor?: CodecFor
}

/** `rows`: operations that `sync/` needs beyond RxDB's interface. */
type DeviceStorage = RxStorage<unknown, unknown> & { rows: DeviceRows }

/**
 * Attachments, indexed booleans, and field names that Dexie renames are not supported, and no schema of the app has
 * them.
 * @throws if this version of RxDB was not tested
 */
export function createStorage(options: StorageOptions = {}): DeviceStorage {
  const { report = () => undefined, version = RXDB_VERSION, codecFor = () => null } = options
  const { indexedDB = globalThis.indexedDB, IDBKeyRange: ranges = globalThis.IDBKeyRange } = options
  if (version !== TESTED_RXDB) throw new Error(`storage: rxdb ${version} was not tested (${TESTED_RXDB} was)`)
  restartFailedQueries()
  const memory = getRxStorageMemory()
  return {
    name: RX_STORAGE_NAME_DEXIE,
    rxdbVersion: RXDB_VERSION,
    rows: deviceRows,
    async createStorageInstance<R>(params: RxStorageInstanceCreationParams<R, object>) {
      const { databaseName: database, collectionName: collection, schema } = params
      if (collection === RXDB_INTERNAL) return memory.createStorageInstance(params)
      const { version: layout, indexes = [] } = schema
      const primary = getPrimaryFieldOfPrimaryKey(schema.primaryKey)
      const shape = { primaryKey: primary, indexes }
      const codec = codecFor({ database, collection, version: layout, primary, clear: clearFields(shape) })
      const name = storeName(database, layout, collection)
      const connection = connectionTo(() => openStore(indexedDB, name, shape), DOCS)
      // RxDB starts a replication again if its metadata cannot be opened, but not if they cannot be read.
      if (collection.startsWith(REPLICATION)) await connection.opened()
      const durability = durableCollections.some((each) => each === collection) ? 'strict' : 'relaxed'
      const instance = deviceInstance({ params, connection, ranges, codec, durability, report })
      addRxStorageMultiInstanceSupport(RX_STORAGE_NAME_DEXIE, params, instance)
      return instance
    },
  } as DeviceStorage
}

/**
 * RxDB's own list of collections and their schemas. It is not stored, because each start would write it again, and
 * `stored-layout.ts` says which versions are on the device.
 */
const RXDB_INTERNAL = '_rxdb_internal'
