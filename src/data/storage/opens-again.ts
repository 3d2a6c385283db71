/**
 * Dexie opens a database by itself once: refused by a full device, it rejects whatever is asked of it until the page is
 * loaded anew. From here on the next use tries once more.
 */
import type { Dexie } from 'dexie'

/** @param isClosed whether it was closed for good */
export function opensAgain(db: Dexie, isClosed: () => boolean): void {
  const open = db.open.bind(db)
  db.open = () =>
    open().catch((error: unknown) => {
      // who waits for this try is told of it first
      setTimeout(() => isClosed() || db.close({ disableAutoOpen: false }))
      throw error
    })
}
