import { Dexie, type DexieOptions } from 'dexie'

/**
 * Opens a Dexie database at its first use, and after a failure at the next use. Dexie itself would reject every later
 * request until the page reloads, for example after an open on a full device.
 */
export function openDexie(name: string, options: DexieOptions, stores: Record<string, string>) {
  const db = new Dexie(name, options)
  let isClosed = false
  const open = db.open.bind(db)
  db.open = () =>
    open().catch((error: unknown) => {
      // The database is closed in the next task, so that all callers of this open get its error first.
      setTimeout(() => isClosed || db.close({ disableAutoOpen: false }))
      throw error
    })
  db.version(1).stores(stores)
  return {
    db,
    close() {
      isClosed = true
      db.close()
    },
  }
}
