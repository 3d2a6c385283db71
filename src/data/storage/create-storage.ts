/**
 * The device's RxStorage: IndexedDB in the layout of RxDB's Dexie storage, but opened, read and written without Dexie.
 * Collections that can contain unsent work are flushed to disk before a save resolves (SV1). Others are not flushed,
 * which is faster, because the CRM has their data.
 *
 *     RxDB ─→ `createStorage` ─┬─ tested version ─→ device-instance ─→ IndexedDB
 *                              └─ other versions ──→ RxDB's Dexie storage
 *     features ─→ projection.ts;  sync ─→ `rows` (device-rows.ts)
 */
import {
  addRxStorageMultiInstanceSupport,
  getPrimaryFieldOfPrimaryKey,
  type RxDocumentData,
  type RxJsonSchema,
  type RxStorage,
  type RxStorageInstanceCreationParams,
  RXDB_VERSION,
} from 'rxdb/plugins/core'
import { RX_STORAGE_NAME_DEXIE } from 'rxdb/plugins/storage-dexie'
import { getRxStorageMemory } from 'rxdb/plugins/storage-memory'
import { durableCollections } from '#schemas/collections/collections.ts'
import { REPLICATION, storeName } from '#data/database/collection-stores.ts'
import { deviceInstance } from './device-instance.ts'
import { deviceRows, type DeviceRows } from './device-rows.ts'
import { restartFailedQueries } from './restart-failed-queries.ts'
import { clearFields } from './clear-fields.ts'
import { connectionTo, openStore } from './connection.ts'
import type { CodecFor } from './docs-table.ts'

export interface StorageOptions {
  indexedDB?: IDBFactory
  IDBKeyRange?: typeof IDBKeyRange
  /** Called with a line for the error log, if RxDB's Dexie storage is used or a read is retried. */
  report?: (problem: string) => void
  /** Version of RxDB; the installed version by default. */
  version?: string
  /** Encodes rows on disk. Without it, rows are stored in plain text. */
  codecFor?: CodecFor
}

interface DeviceStorage extends RxStorage<unknown, unknown> {
  /** Operations that `sync/` needs beyond RxDB's interface. */
  rows: DeviceRows
}

/**
 * @throws if rows would have to be encoded with a version of RxDB that was not tested, because RxDB's own storage would
 * store them in plain text
 */
export function createStorage(options: StorageOptions = {}): DeviceStorage {
  const { report, version = RXDB_VERSION, codecFor = () => null } = options
  const { indexedDB = globalThis.indexedDB, IDBKeyRange: ranges = globalThis.IDBKeyRange } = options
  const isTested = version === TESTED_RXDB
  if (isTested) restartFailedQueries()
  else report?.(`storage: plain Dexie, for rxdb ${version} (tested: ${TESTED_RXDB})`)
  const memory = getRxStorageMemory()
  return {
    name: RX_STORAGE_NAME_DEXIE,
    rxdbVersion: RXDB_VERSION,
    rows: deviceRows,
    async createStorageInstance<R>(params: RxStorageInstanceCreationParams<R, object>) {
      const { databaseName: database, collectionName: collection, schema } = params
      if (collection === RXDB_INTERNAL) return memory.createStorageInstance(params)
      const durability = durableCollections.some((each) => each === collection) ? 'strict' : 'relaxed'
      const primaryKey = getPrimaryFieldOfPrimaryKey(schema.primaryKey)
      const indexes = schema.indexes ?? []
      const store = { database, collection, version: schema.version }
      const codec = codecFor({ ...store, primary: primaryKey, clear: clearFields(primaryKey, indexes) })
      if (!isTested || !suits(schema)) {
        if (codec) throw new Error(`storage: plain Dexie cannot encode ${collection}`)
        const settings = { indexedDB, IDBKeyRange: ranges, chromeTransactionDurability: durability } as const
        const { plainStorage } = await import('./plain-storage.ts')
        return plainStorage(settings).createStorageInstance(params)
      }
      const connection = connectionTo(() =>
        openStore(indexedDB, storeName(database, schema.version, collection), { primaryKey, indexes }),
      )
      // RxDB starts a replication again if its metadata cannot be opened, but not if they cannot be read.
      if (collection.startsWith(REPLICATION)) await connection.opened()
      const problem = (line: string) => report?.(line)
      const instance = deviceInstance({ params, connection, ranges, codec, durability, report: problem })
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

/** Field names that RxDB's Dexie storage renames. */
const RENAMED = /"(?:\||__)/

/**
 * True if this storage can store a schema. Attachments, indexed booleans, and field names that Dexie renames are not
 * supported, and no schema of the app has them. RxDB's own storage stores other schemas.
 */
function suits<R>(schema: Readonly<RxJsonSchema<RxDocumentData<R>>>): boolean {
  const fields = (schema.indexes ?? []).flat().map((path) => path.split('.'))
  const propertyAt = (path: readonly string[]) =>
    path.reduce<unknown>(
      (parent, name) => Reflect.get(Object(Reflect.get(Object(parent), 'properties')), name),
      schema,
    )
  const isBoolean = (path: readonly string[]) =>
    path[0] !== '_deleted' && Reflect.get(Object(propertyAt(path)), 'type') === 'boolean'
  return !schema.attachments && !fields.some(isBoolean) && !RENAMED.test(JSON.stringify(schema.properties))
}

/**
 * The version of RxDB whose internals this folder uses; any release may change these. With another version the app uses
 * RxDB's own storage, which cannot read encrypted rows (docs/rxdb-upgrade.md).
 */
export const TESTED_RXDB = '17.6.0'
