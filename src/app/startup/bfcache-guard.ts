/**
 * Frees the databases when the page enters the back/forward cache. WebKit freezes a page with its transactions open,
 * and they block every other page (seen in WebKitGTK 2.50). Therefore open transactions are aborted, and a page that
 * returns from the cache is reloaded. No save is lost, because a save is confirmed only after its transaction.
 * `session-store.ts` protects a renewed session.
 */

/** `navigator.vendor` of WebKit browsers only. */
const WEBKIT_VENDOR = 'Apple Computer, Inc.'

/** Tracks the transactions that begin after this call. */
export function guardBfcache(window: Window & typeof globalThis): void {
  if (window.navigator.vendor !== WEBKIT_VENDOR) return
  const open = new Set<IDBTransaction>()
  let isCached = false
  const { prototype } = window.IDBDatabase
  const begin = prototype.transaction
  prototype.transaction = function transaction(...args: Parameters<typeof begin>) {
    const begun = begin.apply(this, args)
    if (isCached) begun.abort()
    else {
      const ended = () => open.delete(begun)
      open.add(begun)
      begun.addEventListener('complete', ended)
      begun.addEventListener('abort', ended)
    }
    return begun
  }
  window.addEventListener('pagehide', ({ persisted }) => {
    if (!persisted) return
    isCached = true
    for (const transaction of open) abort(transaction)
  })
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted) window.location.reload()
  })
}

function abort(transaction: IDBTransaction): void {
  try {
    transaction.abort()
  } catch {
    // A transaction that is committing cannot be aborted, and commits without this page.
  }
}
