/**
 * IndexedDB through Dexie. What can hold something unsent is flushed to disk before a save is called saved (SV1); what
 * the CRM can give again is not, which is faster.
 */
import type { RxStorage, RxStorageInstanceCreationParams } from 'rxdb/plugins/core'
import { getRxStorageDexie } from 'rxdb/plugins/storage-dexie'
import { durableCollections } from '#schemas/collections.ts'
import { cleanQuickly } from './quick-clean.ts'
import { readQuickly } from './quick-read.ts'
import { writeQuickly } from './quick-write.ts'

type DexieSettings = NonNullable<Parameters<typeof getRxStorageDexie>[0]>

/** @param settings `indexedDB` and `IDBKeyRange` where they are not the global ones (tests) */
export function createStorage(settings: DexieSettings = {}): RxStorage<unknown, unknown> {
  const durable = getRxStorageDexie({ ...settings, chromeTransactionDurability: 'strict' })
  const relaxed = getRxStorageDexie({ ...settings, chromeTransactionDurability: 'relaxed' })
  const isDurable = (collection: string) => durableCollections.some((name) => collection === name)
  return {
    name: durable.name,
    rxdbVersion: durable.rxdbVersion,
    async createStorageInstance<R>(params: RxStorageInstanceCreationParams<R, object>) {
      const flushed = isDurable(params.collectionName)
      const instance = await (flushed ? durable : relaxed).createStorageInstance(params)
      readQuickly(instance)
      cleanQuickly(instance)
      writeQuickly(instance, flushed ? 'strict' : 'relaxed')
      return instance
    },
  } as RxStorage<unknown, unknown>
}
