/**
 * Dexie opens a database automatically only once. If that fails, for example on a full device, it rejects
 * every request until the page reloads. This makes the next use try again.
 */
import type { Dexie } from 'dexie'

/**
 * Makes a Dexie database reopen after a failed open.
 * @param isClosed true if the database was closed on purpose
 */
export function opensAgain(db: Dexie, isClosed: () => boolean): void {
  const open = db.open.bind(db)
  db.open = () =>
    open().catch((error: unknown) => {
      // In a later task, so that callers waiting for this attempt see its error first.
      setTimeout(() => isClosed() || db.close({ disableAutoOpen: false }))
      throw error
    })
}
