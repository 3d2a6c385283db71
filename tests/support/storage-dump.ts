/** What IndexedDB holds, as JSON and back: a device's storage that a test keeps. */
import { isOfKind, isSharedKind, sharedKinds } from '#schemas/collections/shared.ts'

interface StoreDump {
  name: string
  keyPath: string | string[] | null
  autoIncrement: boolean
  indexes: { name: string; keyPath: string | string[]; unique: boolean; multiEntry: boolean }[]
  rows: { key: IDBValidKey; value: unknown }[]
}
interface DatabaseDump {
  name: string
  version: number
  stores: StoreDump[]
}
export type StorageDump = DatabaseDump[]

const done = <T>(request: IDBRequest<T>) =>
  new Promise<T>((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })

/** Bytes are the only thing that JSON cannot hold. */
const toJson = (_: string, value: unknown) =>
  value instanceof ArrayBuffer ? { bytes$: Buffer.from(value).toString('base64') } : value
const fromJson = (_: string, value: unknown) => {
  const text = value && typeof value === 'object' ? Reflect.get(value, 'bytes$') : undefined
  return typeof text === 'string' ? new Uint8Array(Buffer.from(text, 'base64')).buffer : value
}

export async function dumpStorage(indexedDB: IDBFactory): Promise<string> {
  const dumps: StorageDump = []
  for (const { name = '' } of await indexedDB.databases()) {
    const db = await done(indexedDB.open(name))
    const stores: StoreDump[] = []
    for (const storeName of db.objectStoreNames) {
      const store = db.transaction(storeName).objectStore(storeName)
      const [keys, values] = [await done(store.getAllKeys()), await done(store.getAll())]
      const indexes = [...store.indexNames].map((index) => {
        const { keyPath, unique, multiEntry } = store.index(index)
        return { name: index, keyPath, unique, multiEntry }
      })
      const rows = keys.map((key, i) => ({ key, value: values[i] as unknown }))
      stores.push({
        name: storeName,
        keyPath: store.keyPath,
        autoIncrement: store.autoIncrement,
        indexes,
        rows,
      })
    }
    dumps.push({ name, version: db.version, stores })
    db.close()
  }
  return JSON.stringify(dumps, toJson, 1)
}

export async function restoreStorage(indexedDB: IDBFactory, text: string): Promise<void> {
  const dumps = JSON.parse(text, fromJson) as StorageDump
  for (const { name, version, stores } of dumps) {
    const opening = indexedDB.open(name, version)
    opening.onupgradeneeded = () => {
      for (const { name: storeName, keyPath, autoIncrement, indexes, rows } of stores) {
        const store = opening.result.createObjectStore(storeName, { keyPath, autoIncrement })
        for (const { name: index, keyPath: path, ...rest } of indexes) store.createIndex(index, path, rest)
        for (const { key, value } of rows) store.put(value, keyPath === null ? key : undefined)
      }
    }
    ;(await done(opening)).close()
  }
}

/** @returns the living documents of a collection, or of a kind, in a dump, in the order of their keys, as records */
export function rowsIn(text: string, database: string): (collection: string) => Record<string, unknown>[] {
  const dumps = JSON.parse(text) as StorageDump
  const storeOf = (collection: string) =>
    dumps.find(({ name }) => new RegExp(`^rxdb-dexie-${database}--\\d+--${collection}$`).test(name))
  return (collection) => {
    const kind = isSharedKind(collection) && !storeOf(collection) ? collection : null
    const found = storeOf(kind ? sharedKinds[kind].in : collection)
    const rows = found?.stores.find(({ name }) => name === 'docs')?.rows ?? []
    return rows
      .map(({ value }) => value as Record<string, unknown>)
      .filter(({ _deleted: deleted }) => deleted !== '1')
      .filter(({ rowKey }) => kind === null || isOfKind(kind, String(rowKey)))
      .map(({ _deleted, _meta, _rev, _attachments, rowKey: _rowKey, ...document }) => document)
  }
}
