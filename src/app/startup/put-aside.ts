/**
 * A page that is left can be put aside alive (back/forward cache). WebKit puts it aside with its transactions open, and
 * they hold their databases for as long: no other page can read or write them (seen in WebKitGTK 2.50). So there what is
 * open is aborted then, which no save has been told of yet, and a page that comes back is loaded anew. A renewed session is
 * noted before its transaction begins (`session-store.ts`).
 */

/** Only WebKit says so of itself. */
const WEBKIT_VENDOR = 'Apple Computer, Inc.'

/** @param window the page's; the transactions are seen from now on */
export function letGoWhenPutAside(window: Window & typeof globalThis): void {
  if (window.navigator.vendor !== WEBKIT_VENDOR) return
  const open = new Set<IDBTransaction>()
  let aside = false
  const { prototype } = window.IDBDatabase
  const begin = prototype.transaction
  prototype.transaction = function transaction(...args: Parameters<typeof begin>) {
    const begun = begin.apply(this, args)
    if (aside) begun.abort()
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
    aside = true
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
    // it is being committed, and needs this page no more
  }
}
