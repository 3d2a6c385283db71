/** An idb-keyval store whose writes are on disk when they resolve. Browsers otherwise write a minute late. */
import { promisifyRequest, type UseStore } from 'idb-keyval'

/** Opens the store at its first use, and again after a lost connection. Gives way to a delete or upgrade. */
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
