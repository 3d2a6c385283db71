/** A page that nobody touches: what is read on it is not replaced under the reader. */
import type { Page } from '@playwright/test'
import {
  expect,
  freeRequest,
  readyForOffline,
  registerEntry,
  test,
  writesOf,
  type Crm,
  type Phone,
} from './phone.ts'

test.skip(!process.env['SLOW'], 'a minute or more: SLOW=1, npm run test:slow')

/** Less than the time limit of a call: an answer comes in real time. */
const STEP_MS = 10_000
const FIVE_MINUTES = 30

const rows = (page: Page) => page.locator('main li:has(a[href*="/request/"])')

/** An entry and its exit, both away from the list; then the list again, in the page that made them. */
async function registerDay(crm: Crm, { page }: Phone) {
  const row = await freeRequest(crm)
  await page.getByRole('link', { name: new RegExp(row.requestCode) }).click()
  await registerEntry(page)
  await page.getByRole('link', { name: '退館報告' }).click()
  await page.getByRole('radio', { name: '作業完了' }).check()
  await page.getByRole('button', { name: '保存' }).click()
  await expect(page.getByRole('heading', { name: '退館報告登録' })).toBeHidden()
  await expect.poll(() => writesOf(crm)).toEqual(['POST', 'PUT'])
  await page.getByRole('link', { name: '戻る' }).click()
  await expect(rows(page).first()).toBeVisible()
}

/**
 * Notes which elements of the list in sight, and of what is open over it, leave the page from now on. Rows out of sight come
 * and go as they are measured.
 * @returns how many are watched
 */
const watchRemoved = (page: Page) =>
  page.evaluate(() => {
    const removed: string[] = []
    Object.assign(window, { removed_: removed })
    const isInSight = (element: Element) => {
      const { top, bottom } = element.getBoundingClientRect()
      return bottom > 0 && top < innerHeight
    }
    const inList = [...document.querySelectorAll('main li')].filter(isInSight)
    const watched = [...inList, ...document.querySelectorAll('dialog[open], dialog[open] *')]
    const observer = new MutationObserver(() => {
      for (const element of watched)
        if (!element.isConnected) removed.push(`${element.tagName} ${element.textContent.slice(0, 40)}`)
    })
    observer.observe(document.body, { childList: true, subtree: true })
    return watched.length
  })
const removed = (page: Page) => page.evaluate(() => (window as unknown as { removed_: string[] }).removed_)

test('[decisions/speed] for five minutes after an entry and an exit nothing of the list and of an open 入館一括登録 with its question is replaced', async ({
  crm,
  phone,
}) => {
  const { page } = phone
  await page.clock.install()
  await phone.signIn()
  await readyForOffline(page)
  await registerDay(crm, phone)
  await page.getByRole('button', { name: 'まとめて登録' }).click()
  await page.getByRole('checkbox', { name: /^選択/, disabled: false }).first().check()
  await page.getByRole('button', { name: '入館一括登録' }).click()
  const sheet = page.getByRole('dialog', { name: '入館一括登録' })
  await sheet.getByRole('button', { name: '登録', exact: true }).click()
  await expect(page.getByRole('alertdialog')).toBeVisible()
  // what the save and the sheet have begun
  await page.clock.runFor(STEP_MS)
  expect(await watchRemoved(page)).toBeGreaterThan(10)
  for (let step = 0; step < FIVE_MINUTES; step++) {
    await page.clock.runFor(STEP_MS)
    expect(await removed(page)).toEqual([])
  }
  await expect(page.getByRole('alertdialog')).toBeVisible()
  expect(phone.errors).toEqual([])
})
