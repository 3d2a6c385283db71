/** Whole flows with the keyboard alone: no click, no tap. */
import { resolve } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { expect, freeRequest, readToEnd, readyForOffline, reportsOf, test } from './phone.ts'

test.skip(!process.env['SLOW'], 'a minute or more: SLOW=1, npm run test:slow')

const PICTURE = resolve(import.meta.dirname, '../../docs/screen.png')
const MOST_STOPS = 120

const isFocused = (target: Locator) => target.evaluate((element) => element === document.activeElement)

/** The focus can be seen: on the control, on its label, or on the row it covers. */
const isFocusSeen = (page: Page) =>
  page.evaluate(() => {
    const control = document.activeElement
    if (!control || control === document.body) return true
    const looks = [
      getComputedStyle(control),
      getComputedStyle(control, '::after'),
      getComputedStyle(control.closest('label') ?? control),
    ]
    return looks.some(({ outlineStyle, outlineWidth }) => outlineStyle !== 'none' && outlineWidth !== '0px')
  })

/** Tab until the target has the focus; on the way every stop shows it. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await expect(target).toBeVisible()
  for (let stop = 0; stop < MOST_STOPS; stop += 1) {
    if (await isFocused(target)) return
    await page.keyboard.press('Tab')
    expect(await isFocusSeen(page), 'the focus is seen').toBe(true)
  }
  await expect(target, `within ${MOST_STOPS} stops`).toBeFocused()
}

async function press(page: Page, target: Locator, key: 'Enter' | 'Space' = 'Enter') {
  await tabTo(page, target)
  // a sheet takes no press in its first moment
  await expect(page.locator('dialog[data-guarded]')).toHaveCount(0)
  await page.keyboard.press(key)
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

test('[WCAG 2.1.1] from the list to the saved exit report by keyboard', async ({ crm, phone }) => {
  const { page } = phone
  await phone.signIn()
  await readyForOffline(page)
  const row = await freeRequest(crm)
  await press(page, page.getByRole('link', { name: new RegExp(row.requestCode) }))
  const enter = button(page, '入館登録')
  await press(page, enter)
  const popup = page.getByRole('dialog', { name: '入館登録' })
  await expect(popup).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(popup).toHaveCount(0)
  await expect(enter).toBeFocused()

  await page.keyboard.press('Enter')
  await press(page, popup.getByRole('button', { name: '登録', exact: true }))
  for (const question of [/入退館連絡先を確認しましたか/, /注意事項を確認しましたか/, /で入館登録します/]) {
    await expect(page.getByRole('heading', { name: question })).toBeVisible()
    await readToEnd(page)
    await press(page, button(page, 'はい'))
  }
  await expect(popup).toHaveCount(0)
  await press(page, page.getByRole('link', { name: '退館報告' }))

  await expect(page.getByRole('heading', { name: '退館報告登録' })).toBeVisible()
  await press(page, button(page, '保存'))
  // the first field that is wrong has the focus
  const first = page.getByRole('radio', { name: '作業完了' })
  await expect(first).toBeFocused()
  await page.keyboard.press('Space')
  await expect(first).toBeChecked()
  await tabTo(page, page.getByLabel('その他報告内容'))
  await page.keyboard.type('異常なし')
  await press(page, button(page, '保存'))
  await expect(page.getByText('正常に保存されました').first()).toBeVisible()
  await expect
    .poll(async () => (await reportsOf(crm, row)).map(({ type, reportContent }) => [type, reportContent]))
    .toEqual([['1', '異常なし']])
  expect(phone.errors).toEqual([])
})

test('[WCAG 2.1.1] photos are added and deleted by keyboard, and the focus is not lost with the card', async ({
  crm,
  phone,
}) => {
  const { page } = phone
  await phone.signIn()
  await readyForOffline(page)
  await page.goto(`/noteLocationArea/add/${(await freeRequest(crm)).id}`)
  const add = page.getByLabel('写真を追加')
  await expect(page.getByLabel('メモ')).toBeEditable()
  // Playwright's catching of choosers belongs to the page that is there, and has to stand before the key is pressed:
  // the way to the control takes several answers of the page
  const chooser = page.waitForEvent('filechooser', { timeout: 0 })
  await tabTo(page, add)
  await page.keyboard.press('Enter')
  await (await chooser).setFiles(PICTURE)
  const remove = page.getByRole('button', { name: /を削除$/ })
  await expect(remove).toBeVisible()
  await tabTo(page, button(page, '保存'))
  for (let stop = 0; !(await isFocused(remove)) && stop < 4; stop += 1) await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Enter')
  await expect(remove).toHaveCount(0)
  await expect(add).toBeFocused()
})

test.describe('two panes', () => {
  test.use({ viewport: { width: 1280, height: 800 } })

  test('[WCAG 2.4.1] past navigation and list to the view by keyboard', async ({ crm, phone }) => {
    const { page } = phone
    await phone.signIn()
    await readyForOffline(page)
    const row = await freeRequest(crm)
    const link = page.getByRole('link', { name: new RegExp(row.requestCode) })
    await press(page, link)
    await expect(page.getByLabel('依頼の概要')).toContainText(row.requestCode)
    await expect(link).toBeFocused()

    await page.goto(page.url())
    await expect(page.getByLabel('依頼の概要')).toContainText(row.requestCode)
    await page.keyboard.press('Tab')
    await expect(page.getByRole('link', { name: '本文へ移動' })).toBeFocused()
    expect(await isFocusSeen(page)).toBe(true)
    const url = page.url()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('main')).toBeFocused()
    await expect(page).toHaveURL(url)
    await page.keyboard.press('Tab')
    expect(await page.getByRole('main').evaluate((main) => main.contains(document.activeElement))).toBe(true)
    await press(page, button(page, '入館登録'))
    const popup = page.getByRole('dialog', { name: '入館登録' })
    await expect(popup).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(popup).toHaveCount(0)
    await expect(button(page, '入館登録')).toBeFocused()
  })
})
