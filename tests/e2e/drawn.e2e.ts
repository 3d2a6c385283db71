/** What a popup or a scroll draws: itself, and not the screen under it, which keeps its place. */
import type { Page } from '@playwright/test'
import { drawnAgain, marksDrawn, watchDrawn } from './drawn.ts'
import { expect, freeRequest, readyForOffline, test } from './phone.ts'

test.skip(!process.env['SLOW'], 'a minute or more: SLOW=1, npm run test:slow')

/** The router's own, the bar, and who opened it; of a screen of more than a hundred. */
const MOST = 60

const place = (page: Page) => page.evaluate(() => window.scrollY)

test('[decisions/speed] popups of 依頼検索, 依頼詳細 and a form, and a scroll under the bar: the screen is not drawn again, and keeps its place', async ({
  crm,
  phone,
}) => {
  await watchDrawn(phone.context)
  await phone.signIn()
  const row = await freeRequest(crm)
  await readyForOffline(phone.page)
  // nothing comes meanwhile
  await phone.offline(true)
  const { page } = phone
  await marksDrawn(page)
  const found: Record<string, number> = {}

  const popup = async (name: string, opener: string | RegExp) => {
    const button = page.getByRole('button', { name: opener }).last()
    await button.evaluate((element) => element.scrollIntoView({ block: 'center' }))
    const before = await place(page)
    found[name] = await drawnAgain(page, async () => {
      await button.evaluate((element: HTMLElement) => element.click())
      await expect(page.getByRole('dialog')).toBeVisible()
    })
    expect(await place(page), name).toBe(before)
    found[`${name}, closed`] = await drawnAgain(page, async () => {
      await page.goBack()
      await expect(page.getByRole('dialog')).toHaveCount(0)
    })
    expect(await place(page), name).toBe(before)
  }

  // not 完了 n件, which stands there later in the day
  await popup('検索条件', /変更/)
  await page.getByRole('link', { name: new RegExp(row.requestCode) }).click()
  await expect(page.getByRole('heading', { name: '商品' })).toBeVisible()
  found['scrolled'] = await drawnAgain(page, async () => {
    await page.evaluate(() => window.scrollTo(0, 500))
  })
  expect(await place(page)).toBe(500)
  await popup('安全対策一覧', '安全対策一覧')
  await popup('入館登録', '入館登録')
  await page.getByRole('link', { name: '緊急報告', exact: true }).click()
  await page.getByRole('link', { name: '新規登録' }).click()
  await expect(page.getByLabel('緊急内容詳細')).toBeVisible()
  await popup('依頼詳細を見る', '依頼詳細を見る')

  for (const [what, count] of Object.entries(found)) expect.soft(count, what).toBeLessThan(MOST)
})
