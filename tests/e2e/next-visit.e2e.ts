import type { Page } from '@playwright/test'
import { expect, freeRequest, readyForOffline, test } from './phone.ts'

/** Of a phone's height, the part in which a thumb reaches what it holds. */
const THUMB = 0.35

test('[decision 0046] entry and exit from the list in at most 9 taps; back in a question closes the question only', async ({
  crm,
  phone,
}) => {
  const { page } = phone
  await phone.signIn()
  await readyForOffline(page)
  await freeRequest(crm)
  let taps = 0
  const tap = async (name: string | RegExp, role: 'button' | 'link' | 'radio' = 'button') => {
    taps += 1
    await page
      .getByRole(role, { name, exact: typeof name === 'string' })
      .first()
      .click()
  }
  const next = page.getByRole('group', { name: /次の現場|作業中の現場/ })
  await expect(next).toBeVisible()
  // the demo's next one may be entered already: then its exit comes first
  if ((await next.getByRole('link', { name: '入館' }).count()) === 0) {
    await page.getByRole('link', { name: /緊出/ }).first().click()
    await page.getByRole('button', { name: '入館登録' }).click()
  } else {
    const box = await next.getByRole('link', { name: '入館' }).boundingBox()
    expect(box?.y).toBeGreaterThan(844 * THUMB)
    await tap('入館', 'link')
  }
  const sheet = page.getByRole('dialog', { name: '入館登録' })
  await expect(sheet).toBeVisible()
  await openQuestion(page)
  taps += 1
  const address = page.url()
  await page.goBack()
  await expect(page.getByRole('alertdialog')).toBeHidden()
  await expect(sheet).toBeVisible()
  expect(page.url()).toBe(address)

  await openQuestion(page)
  for (let asked = 0; asked < 3; asked++) {
    await expect(page.getByRole('alertdialog')).toBeVisible()
    await tap('はい')
  }
  await expect(sheet).toBeHidden()
  await tap('退館報告', 'link')
  await expect(page.getByRole('heading', { name: '退館報告登録' })).toBeFocused()
  await tap('作業完了', 'radio')
  await tap('保存')
  await expect(page.getByRole('heading', { name: '退館報告登録' })).toBeHidden()
  expect(taps).toBeLessThanOrEqual(9)
  expect(phone.errors).toEqual([])
})

const openQuestion = (page: Page) => page.getByRole('button', { name: '登録', exact: true }).click()

test('[decision 0046] on its side the head folds: at least half of the height is content', async ({
  crm,
  phone,
}) => {
  const { page } = phone
  await page.setViewportSize({ width: 844, height: 390 })
  await phone.signIn()
  await readyForOffline(page)
  const { id, workingDate } = await freeRequest(crm)
  const day = new URLSearchParams({ workingDate }).toString()
  const low: string[] = []
  for (const path of ['/request', `/request/${id}?${day}`, `/emergencyReport/add/${id}`, '/settings']) {
    await page.evaluate((to) => history.pushState(null, '', to), path)
    const main = page.getByRole('main')
    await expect(main.locator('a, button, input').first()).toBeVisible()
    const share = await main.evaluate((element) => {
      const { top, bottom } = element.getBoundingClientRect()
      const foot = document.querySelector('footer')?.getBoundingClientRect().top ?? innerHeight
      return (Math.min(bottom, foot) - Math.max(top, 0)) / innerHeight
    })
    if (share < 0.5) low.push(`${path} ${share.toFixed(2)}`)
  }
  expect(low).toEqual([])
})
