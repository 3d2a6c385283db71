/**
 * An idb-keyval store whose writes are on disk when they resolve. By default a browser may write IndexedDB to disk up
 * to a minute late.
 */
import { promisifyRequest, type UseStore } from 'idb-keyval'

/**
 * Opens the store at its first use, and again after a lost connection. Closes the store if another page deletes or
 * upgrades the database.
 */
export function strictStore(name: string, table: string): UseStore {
  let opening: Promise<IDBDatabase> | undefined
  const opened = () => {
    const request = indexedDB.open(name)
    request.onupgradeneeded = () => request.result.createObjectStore(table)
    const database = promisifyRequest(request)
    const reopenLater = () => (opening = undefined)
    database.then((db) => {
      db.addEventListener('close', reopenLater)
      db.addEventListener('versionchange', () => {
        reopenLater()
        db.close()
      })
    }, reopenLater)
    return database
  }
  return async (mode, run) => {
    const database = await (opening ??= opened())
    return run(database.transaction(table, mode, { durability: 'strict' }).objectStore(table))
  }
}
