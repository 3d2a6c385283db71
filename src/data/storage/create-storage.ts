/**
 * The device's storage: IndexedDB as RxDB's Dexie storage lays it out, read and written past Dexie's layers. What can hold
 * something unsent is flushed to disk before a save is called saved (SV1); what the CRM can give again is not, which is
 * faster.
 *
 *     RxDB ─→ RxStorage of `createStorage` ─┬─ tested versions ─→ device-instance ─→ IndexedDB
 *                                           └─ others ──────────→ RxDB's Dexie storage as it is
 *     features ─→ projection.ts;  sync ─→ `rows` (device-rows.ts)
 */
import {
  addRxStorageMultiInstanceSupport,
  getPrimaryFieldOfPrimaryKey,
  type RxDocumentData,
  type RxJsonSchema,
  type RxStorage,
  type RxStorageInstanceCreationParams,
} from 'rxdb/plugins/core'
import { getRxStorageDexie } from 'rxdb/plugins/storage-dexie'
import { durableCollections } from '#schemas/collections/collections.ts'
import { deviceInstance } from './device-instance.ts'
import { createDeviceRows, type DeviceRows } from './device-rows.ts'
import { clearFields } from './clear-fields.ts'
import { restartFailedQueries } from './restart-failed-queries.ts'
import type { CodecFor } from './row-codec.ts'
import { untested, versionsHere, type Versions } from './tested-versions.ts'

type DexieSettings = NonNullable<Parameters<typeof getRxStorageDexie>[0]>

export interface StorageOptions extends Pick<DexieSettings, 'indexedDB' | 'IDBKeyRange'> {
  /** Told once where the faster way is not taken, and of reads that are made again: goes to the error log. */
  report?: (problem: string) => void
  /** Those that are here. */
  versions?: Versions
  /** How rows lie on the disk; as they are without it. */
  codecFor?: CodecFor
}

interface DeviceStorage extends RxStorage<unknown, unknown> {
  /** What the sync asks of the storage beside RxDB's interface. */
  rows: DeviceRows
}

/** `indexedDB` and `IDBKeyRange` where they are not the global ones (tests). */
export function createStorage(options: StorageOptions = {}): DeviceStorage {
  const { report, versions = versionsHere(), codecFor = () => null, ...settings } = options
  const dexie = {
    strict: getRxStorageDexie({ ...settings, chromeTransactionDurability: 'strict' }),
    relaxed: getRxStorageDexie({ ...settings, chromeTransactionDurability: 'relaxed' }),
  }
  const problem = untested(versions)
  if (problem === null) restartFailedQueries()
  else report?.(problem)
  const { name, rxdbVersion } = dexie.strict
  return {
    name,
    rxdbVersion,
    rows: createDeviceRows(),
    async createStorageInstance<R>(params: RxStorageInstanceCreationParams<R, object>) {
      const { databaseName: database, collectionName, schema } = params
      const durability = durableCollections.some((each) => each === collectionName) ? 'strict' : 'relaxed'
      const primary = getPrimaryFieldOfPrimaryKey(schema.primaryKey)
      const clear = clearFields(primary, schema.indexes ?? [])
      const { version } = schema
      const codec = codecFor({ database, collection: collectionName, version, primary, clear })
      if (problem !== null || !suits(schema)) {
        // it would lie there as it is
        if (codec) throw new Error(`storage: plain Dexie cannot encode ${collectionName}`)
        return dexie[durability].createStorageInstance(params)
      }
      const instance = deviceInstance({
        // other tabs are told by what wraps it
        dexie: await dexie[durability].createStorageInstance({ ...params, multiInstance: false }),
        codec,
        durability,
        report: (said) => report?.(said),
      })
      // RxDB types the parameters by the storage's own options
      addRxStorageMultiInstanceSupport(name, params as never, instance)
      return instance
    },
  } as DeviceStorage
}

/** Names that Dexie writes otherwise. */
const RENAMED = /"(?:\||__)/

/** Attachments, booleans in an index and names that Dexie cannot write are left to RxDB's own; the app has none. */
function suits<R>(schema: Readonly<RxJsonSchema<RxDocumentData<R>>>): boolean {
  const fields = (schema.indexes ?? []).flat().map((path) => path.split('.'))
  const typeAt = (path: readonly string[]) =>
    path.reduce<unknown>(
      (at, name) => Reflect.get(Object(Reflect.get(Object(at), 'properties')), name),
      schema,
    )
  const isBoolean = (path: readonly string[]) =>
    path[0] !== '_deleted' && Reflect.get(Object(typeAt(path)), 'type') === 'boolean'
  return !schema.attachments && !fields.some(isBoolean) && !RENAMED.test(JSON.stringify(schema.properties))
}
