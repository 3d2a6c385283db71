import { Dexie, type DexieOptions } from 'dexie'

/**
 * Opens a Dexie database of one version on its first use, and tries again on the next use after a failure. Dexie itself
 * tries only once: after a failure, for example on a full device, it rejects every request until the page reloads.
 */
export function openDexie(name: string, options: DexieOptions, stores: Record<string, string>) {
  const db = new Dexie(name, options)
  let isClosed = false
  const open = db.open.bind(db)
  db.open = () =>
    open().catch((error: unknown) => {
      // In a later task, so that callers waiting for this attempt see its error first.
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
