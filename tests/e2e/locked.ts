/** What a locked screen looks like from outside, and what locks it (decision 0084). */
import type { Page } from '@playwright/test'
import { expect } from './phone.ts'

/** As the browser tells a page that it is left, or looked at again. */
export const see = (page: Page, state: DocumentVisibilityState) =>
  page.evaluate((next) => {
    Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => next })
    document.dispatchEvent(new Event('visibilitychange'))
  }, state)

/** What of the keys on the disk opens anything. */
export const usableKeys = (page: Page) =>
  page.evaluate(async () => {
    const done = <T>(asked: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        asked.addEventListener('success', () => resolve(asked.result))
        asked.addEventListener('error', () => reject(asked.error ?? new Error('IndexedDB')))
      })
    const db = await done(indexedDB.open('genba-keys'))
    const users = (await done(db.transaction('users').objectStore('users').getAll())) as { keys: object[] }[]
    db.close()
    return users
      .flatMap(({ keys }) => keys.flatMap(Object.values))
      .filter((each) => each instanceof CryptoKey).length
  })

/** The lock screen stands, and nothing else. */
export const isLocked = async (page: Page) => {
  await expect(page.getByRole('heading', { name: 'ロック中' })).toBeVisible()
  expect(await page.content()).not.toContain('CANARY')
  expect(await page.title()).toBe('ロック中 | 現場ワーク')
  await expect.poll(() => usableKeys(page)).toBe(0)
}
