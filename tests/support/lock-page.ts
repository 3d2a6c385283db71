/** What a page of a browser is told of the lock of its screen, and of being left (decisions/encryption). */
import type { Page } from '@playwright/test'

/** As the browser tells a page that it is left, or looked at again. */
export const see = (page: Page, state: DocumentVisibilityState) =>
  page.evaluate((next) => {
    Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => next })
    document.dispatchEvent(new Event('visibilitychange'))
  }, state)

/** After how long it locks, as another tab has chosen it. */
export const setLock = (page: Page, after: string) =>
  page.evaluate(async (text) => {
    const opening = indexedDB.open('genba-device')
    const db = await new Promise<IDBDatabase>((resolve) =>
      opening.addEventListener('success', () => resolve(opening.result)),
    )
    const writing = db.transaction('values', 'readwrite')
    writing.objectStore('values').put(text, 'device:lock')
    await new Promise((resolve) => writing.addEventListener('complete', resolve))
    db.close()
    const channel = new BroadcastChannel('genba-device-values')
    channel.postMessage({ key: 'device:lock', text })
    channel.close()
  }, after)
