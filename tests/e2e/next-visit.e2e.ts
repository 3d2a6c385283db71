import type { Page } from '@playwright/test'
import { addressesOf } from './addresses.ts'
import { expect, freeRequest, readyForOffline, test } from './phone.ts'
import { resize } from './reflow.ts'

test.skip(!process.env['SLOW'], 'a minute or more: SLOW=1, npm run test:slow')

/** Of a phone's height, the part in which a thumb reaches what it holds. */
const THUMB = 0.35
const ON_ITS_SIDE = { width: 844, height: 390 }

test('[decisions/screens] entry and exit from the list in at most 9 taps; back in a question closes the question only', async ({
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

/** The smallest phone; what is left of a phone at 200 %. */
const NARROW = [
  { width: 320, height: 640 },
  { width: 195, height: 422 },
]

test('[手6] on its side the head folds: at least half of the height of every screen is content; nothing is wider than a small phone, or than one at 200 %', async ({
  crm,
  phone,
}) => {
  const { page } = phone
  await page.setViewportSize(ON_ITS_SIDE)
  await phone.signIn()
  await readyForOffline(page)
  const wrong: string[] = []
  for (const path of await addressesOf(crm)) {
    await page.evaluate((to) => history.pushState(null, '', to), path)
    const main = page.getByRole('main')
    await expect(main.locator('a, button, input, h2').first()).toBeVisible()
    const share = await main.evaluate((element) => {
      const { top, bottom } = element.getBoundingClientRect()
      const foot = document.querySelector('footer')?.getBoundingClientRect().top ?? innerHeight
      return (Math.min(bottom, foot) - Math.max(top, 0)) / innerHeight
    })
    if (share < 0.5) wrong.push(`${path} ${share.toFixed(2)}`)
    for (const size of NARROW) {
      await resize(page, size)
      const wide = await page.evaluate(() => document.documentElement.scrollWidth)
      if (wide > size.width) wrong.push(`${path} ${wide} > ${size.width}`)
    }
    await resize(page, ON_ITS_SIDE)
  }
  expect(wrong).toEqual([])
})

test.describe('over a day', () => {
  test.use({ baseURL: `http://localhost:${Number(process.env['E2E_PORT'] ?? 4174) + 3}` })

  test('[手7] the list opens on today: the next one on top with 地図, 電話 and 入館 in reach of a thumb, done ones folded; 今後7日間 is one tap away; a number is looked for in all days', async ({
    page,
  }) => {
    await page.clock.setFixedTime('2026-11-20T14:00:00+09:00')
    await page.goto('/')
    await page.getByRole('button', { name: 'デモ用に入力' }).tap()
    await page.getByRole('button', { name: 'ログイン' }).tap()
    const rows = page.getByRole('link', { name: /R\d\d-\d{6}/ })
    const days = page.getByRole('heading', { level: 2 }).filter({ hasText: /\d+月\d+日/ })
    await expect(rows.first()).toBeVisible()
    await expect(days).toHaveCount(1)
    await expect(days).toContainText('11月20日')
    const next = page.getByRole('group', { name: /次の現場|作業中の現場/ })
    for (const name of ['地図', '電話', /^(?:入館|退館)$/]) {
      const box = await next.getByRole('link', { name }).first().boundingBox()
      expect(box?.y).toBeGreaterThan(844 * THUMB)
      expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(48)
    }
    const fold = page.getByRole('button', { name: /^完了 \d+件/ })
    const open = await rows.count()
    await fold.tap()
    const done = Number(/\d+/.exec((await fold.textContent()) ?? '')?.[0])
    await expect(rows).toHaveCount(open + done)

    await page.getByRole('button', { name: '今後7日間' }).tap()
    await expect(days.nth(1)).toBeVisible()
    const last = days.last()
    await last.scrollIntoViewIfNeeded()
    const later = /R\d\d-\d{6}/.exec((await rows.last().textContent()) ?? '')?.[0] ?? ''
    await page.evaluate(() => scrollTo(0, 0))
    await page.getByRole('button', { name: '今日' }).tap()
    await expect(page.getByRole('link', { name: new RegExp(later) })).toHaveCount(0)
    await page.getByRole('button', { name: /変更/ }).first().tap()
    const sheet = page.getByRole('dialog', { name: '検索条件' })
    await sheet.getByLabel('依頼番号').fill(later)
    await sheet.getByRole('button', { name: '検索' }).click()
    await expect(page.getByRole('link', { name: new RegExp(later) })).toBeVisible()
  })
})
