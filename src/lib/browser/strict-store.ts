/**
 * A store of idb-keyval whose writes are on the disk when they resolve: a browser writes localStorage, and a transaction of
 * IndexedDB that does not ask for it, up to a minute late.
 */
import { promisifyRequest, type UseStore } from 'idb-keyval'

/** It is opened again after the connection was lost, or given to whoever deletes or upgrades it. */
export function strictStore(name: string, table: string): UseStore {
  let opening: Promise<IDBDatabase> | undefined
  const opened = () => {
    const request = indexedDB.open(name)
    request.onupgradeneeded = () => request.result.createObjectStore(table)
    const database = promisifyRequest(request)
    const again = () => (opening = undefined)
    database.then((db) => {
      db.addEventListener('close', again)
      db.addEventListener('versionchange', () => {
        again()
        db.close()
      })
    }, again)
    return database
  }
  return async (mode, run) => {
    const database = await (opening ??= opened())
    return run(database.transaction(table, mode, { durability: 'strict' }).objectStore(table))
  }
}
