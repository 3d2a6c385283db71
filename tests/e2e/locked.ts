/** What a locked screen looks like from outside, and what locks it (decision 0084). */
import type { Page } from '@playwright/test'
import { expect } from './phone.ts'
import { usableKeys } from './stores.ts'

/** As the browser tells a page that it is left, or looked at again. */
export const see = (page: Page, state: DocumentVisibilityState) =>
  page.evaluate((next) => {
    Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => next })
    document.dispatchEvent(new Event('visibilitychange'))
  }, state)

/** The lock screen stands, and nothing else. */
export const isLocked = async (page: Page) => {
  await expect(page.getByRole('heading', { name: 'ロック中' })).toBeVisible()
  expect(await page.content()).not.toContain('CANARY')
  expect(await page.title()).toBe('ロック中 | 現場ワーク')
  await expect.poll(() => usableKeys(page)).toBe(0)
}
