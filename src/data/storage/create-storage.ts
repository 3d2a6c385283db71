/**
 * The device's RxStorage: IndexedDB in the layout of RxDB's Dexie storage, but read and written without
 * Dexie's layers. Collections that can contain unsent work are flushed to disk before a save resolves (SV1).
 * Others are not flushed, which is faster, because the CRM has their data.
 *
 *     RxDB ─→ `createStorage` ─┬─ tested versions ─→ device-instance ─→ IndexedDB
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
import { getRxStorageDexie } from 'rxdb/plugins/storage-dexie'
import { durableCollections } from '#schemas/collections/collections.ts'
import { deviceInstance } from './device-instance.ts'
import { deviceRows, type DeviceRows } from './device-rows.ts'
import { restartFailedQueries } from './restart-failed-queries.ts'
import { clearFields } from './clear-fields.ts'
import type { CodecFor } from './docs-table.ts'
import { Dexie } from 'dexie'

type DexieSettings = NonNullable<Parameters<typeof getRxStorageDexie>[0]>

export interface StorageOptions extends Pick<DexieSettings, 'indexedDB' | 'IDBKeyRange'> {
  /** Called with a line for the error log, if the plain Dexie storage is used or a read is retried. */
  report?: (problem: string) => void
  /** Versions of RxDB and Dexie; the installed versions by default. */
  versions?: Versions
  /** Encodes rows on disk. Without it, rows are stored in plain text. */
  codecFor?: CodecFor
}

interface DeviceStorage extends RxStorage<unknown, unknown> {
  /** Operations that `sync/` needs beyond RxDB's interface. */
  rows: DeviceRows
}

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
    rows: deviceRows,
    async createStorageInstance<R>(params: RxStorageInstanceCreationParams<R, object>) {
      const { databaseName: database, collectionName, schema } = params
      const durability = durableCollections.some((each) => each === collectionName) ? 'strict' : 'relaxed'
      const primary = getPrimaryFieldOfPrimaryKey(schema.primaryKey)
      const clear = clearFields(primary, schema.indexes ?? [])
      const { version } = schema
      const codec = codecFor({ database, collection: collectionName, version, primary, clear })
      if (problem !== null || !suits(schema)) {
        // Plain Dexie would store the rows without the codec.
        if (codec) throw new Error(`storage: plain Dexie cannot encode ${collectionName}`)
        return dexie[durability].createStorageInstance(params)
      }
      const instance = deviceInstance({
        // Dexie's instance must not notify other tabs, because `addRxStorageMultiInstanceSupport` below does.
        dexie: await dexie[durability].createStorageInstance({ ...params, multiInstance: false }),
        codec,
        durability,
        report: (line) => report?.(line),
      })
      addRxStorageMultiInstanceSupport(name, params, instance)
      return instance
    },
  } as DeviceStorage
}

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
 * Versions of the libraries whose internals this folder uses; any release may change these. With other versions than
 * the tested ones the app uses RxDB's own storage, which cannot read encrypted rows (docs/rxdb-upgrade.md).
 */
interface Versions {
  rxdb: string
  dexie: string
}

export const TESTED_VERSIONS: Versions = { rxdb: '17.6.0', dexie: '4.4.2' }

export const versionsHere = (): Versions => ({ rxdb: RXDB_VERSION, dexie: Dexie.semVer })

/** Returns a message for the error log if a version was not tested; else null. */
function untested(versions: Versions): string | null {
  const names = ['rxdb', 'dexie'] as const
  const others = names.filter((name) => versions[name] !== TESTED_VERSIONS[name])
  if (others.length === 0) return null
  const each = others.map((name) => `${name} ${versions[name]} (tested: ${TESTED_VERSIONS[name]})`)
  return `storage: plain Dexie, for ${each.join(', ')}`
}
