/** The cards of 送信状況 in a real layout, while what they are about is sent. */
import { resolve } from 'node:path'
import type { Page } from '@playwright/test'
import { expect, freeRequest, readyForOffline, registerEntry, test } from './phone.ts'

test.skip(!process.env['SLOW'], 'a minute or more: SLOW=1, npm run test:slow')

const PICTURE = resolve(import.meta.dirname, '../../docs/screen.png')

interface Drawn {
  top: number
  height: number
  text: string
}

/** Notes in each frame the cards whose place has moved or has another height. */
const watchCards = (page: Page) =>
  page.evaluate(() => {
    const boxes = () =>
      [...document.querySelectorAll('article')].map((card): Drawn => {
        const { top = 0, height = 0 } = card.closest('li')?.getBoundingClientRect() ?? {}
        return { top, height, text: card.querySelector('h2')?.textContent ?? '' }
      })
    const before = boxes()
    const found: string[] = []
    Object.assign(window, { moved: found })
    const look = () => {
      boxes().forEach(({ top, height, text }, at) => {
        const was = before[at]
        if (!was || Math.abs(was.top - top) >= 1 || Math.abs(was.height - height) >= 1)
          found.push(`${text} ${was?.top} ${was?.height} → ${top} ${height}`)
      })
      requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
  })

for (const [name, theme] of [
  ['light', 'light'],
  ['くっきり', 'outdoor'],
] as const)
  test(`[ST1] cards of unequal height neither move nor shrink while they are sent, ${name}`, async ({
    crm,
    phone,
  }) => {
    const { page } = phone
    await page.addInitScript((chosen) => localStorage.setItem('genba:theme', chosen), theme)
    await phone.signIn()
    const row = await freeRequest(crm)
    await readyForOffline(page)
    await phone.offline(true)
    await page.getByRole('link', { name: new RegExp(row.requestCode) }).click()
    await registerEntry(page)
    for (const text of ['台車は搬入口Bから。', '鍵は防災センター。\n返すのは17時まで。']) {
      await page.goto(`/emergencyReport/add/${row.id}?workingDate=${row.workingDate}`)
      await page.getByRole('checkbox', { name: '機器面' }).check()
      await page.getByRole('checkbox', { name: '冠水・水没' }).check()
      await page.getByRole('radio', { name: '当日' }).check()
      await page.getByRole('radio', { name: '連絡済' }).check()
      await page.getByLabel('緊急内容詳細').fill(text)
      if (text.includes('鍵')) await page.getByLabel('写真を追加').setInputFiles([PICTURE, PICTURE])
      if (text.includes('鍵')) await expect(page.getByRole('button', { name: /を削除$/ })).toHaveCount(2)
      await page.getByRole('button', { name: '保存' }).click()
      await expect(page.getByRole('heading', { name: '緊急報告一覧' })).toBeVisible()
    }
    await page.goto('/outbox')
    const cards = page.getByRole('article')
    await expect(cards).toHaveCount(3)
    await expect(cards.filter({ hasText: '待機' })).toHaveCount(3)
    const heights = await cards.evaluateAll((all) => all.map((each) => each.getBoundingClientRect().height))
    expect(new Set(heights).size).toBeGreaterThan(1)
    await watchCards(page)
    await phone.offline(false)
    await expect(cards.filter({ hasText: '成功' })).toHaveCount(3)
    expect(await page.evaluate(() => Reflect.get(window, 'moved') as string[])).toEqual([])
    expect(phone.errors).toEqual([])
  })
