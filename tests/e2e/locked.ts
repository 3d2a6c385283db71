/** What a locked screen looks like from outside, and what locks it (decisions/encryption). */
import type { Page } from '@playwright/test'
import { expect } from './phone.ts'
import { usableKeys } from './stores.ts'

export { see, setLock } from '../support/lock-page.ts'

/** A page that was loaded anew, with no other open, asks. */
export async function unlock(page: Page, password = 'password') {
  await isLocked(page)
  await page.getByLabel('パスワード').fill(password)
  await page.getByRole('button', { name: '開く', exact: true }).click()
}

/** The lock screen stands, and nothing else. */
export const isLocked = async (page: Page) => {
  await expect(page.getByRole('heading', { name: 'ロック中' })).toBeVisible()
  expect(await page.content()).not.toContain('CANARY')
  expect(await page.title()).toBe('ロック中 | 現場ワーク')
  await expect.poll(() => usableKeys(page)).toBe(0)
}
