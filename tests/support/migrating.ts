/** A phone whose stores are moved to another layout, and what lies there before and after. */
import { vi } from 'vitest'
import { IDBDatabase, IDBFactory, IDBKeyRange, IDBObjectStore } from 'fake-indexeddb'
import { durableCollections, rxSchemas } from '#schemas/collections/collections.ts'
import { steps } from '#schemas/migrations/steps.ts'
import { migrate, type Migration } from '#data/migration/migrate.ts'
import { openStores, type Layout } from '#data/user-stores/open-stores.ts'
import { createStorage } from '#data/storage/create-storage.ts'
import { dumpStorage, restoreStorage, type StorageDump } from './storage-dump.ts'
import type { StoredFile } from './stored-files.ts'
import { STORED_DATABASE } from './stored-layouts.ts'

export const TODAY: Layout = { schemas: rxSchemas, migrations: steps }

export async function phoneOf({ text }: StoredFile): Promise<IDBFactory> {
  const indexedDB = new IDBFactory()
  await restoreStorage(indexedDB, text)
  return indexedDB
}

export const run = (
  indexedDB: IDBFactory,
  layout: Layout,
  work: (migration: Migration) => Promise<unknown> = migrate,
) => work({ indexedDB, ranges: IDBKeyRange, database: STORED_DATABASE, layout, durable: durableCollections })

export const open = (
  indexedDB: IDBFactory,
  layout: Layout,
  over: Partial<Parameters<typeof openStores>[0]> = {},
) =>
  openStores({
    name: STORED_DATABASE,
    storage: createStorage({ indexedDB, IDBKeyRange }),
    multiInstance: false,
    indexedDB,
    ranges: IDBKeyRange,
    locks: undefined,
    room: undefined,
    waits: () => undefined,
    report: () => undefined,
    layout,
    ...over,
  })

/** What lies there, database by database, in the order of their names. */
export async function on(indexedDB: IDBFactory): Promise<Map<string, string>> {
  const dumps = JSON.parse(await dumpStorage(indexedDB)) as StorageDump
  return new Map(
    dumps
      .map(({ name, ...dump }) => [name, JSON.stringify(dump)] as const)
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  )
}

/** Each write from the n-th on fails, as where the page is gone. @returns how many there were */
export function failFrom(n: number, name: string, isForGood = true): { writes: () => number } {
  let writes = 0
  const watch = <T extends object>(proto: T, method: keyof T & string) => {
    const real = proto[method] as (...args: unknown[]) => unknown
    vi.spyOn(proto as Record<string, (...args: unknown[]) => unknown>, method).mockImplementation(function (
      this: unknown,
      ...args
    ) {
      writes += 1
      if (writes === n || (isForGood && writes > n)) throw new DOMException('as the test wants it', name)
      return real.apply(this, args)
    })
  }
  watch(IDBObjectStore.prototype, 'put')
  watch(IDBObjectStore.prototype, 'add')
  watch(IDBObjectStore.prototype, 'delete')
  watch(IDBDatabase.prototype, 'createObjectStore')
  watch(IDBFactory.prototype, 'deleteDatabase')
  return { writes: () => writes }
}
