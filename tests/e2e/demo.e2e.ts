import type { Page } from '@playwright/test'
import { expect, registerEntry, test } from './phone.ts'

test.use({ baseURL: `http://localhost:${Number(process.env['E2E_PORT'] ?? 4174) + 3}` })

const toggle = async (page: Page, name: string, on: boolean) => {
  await page.getByRole('button', { name: 'デモ', exact: true }).click()
  const knob = page.getByRole('switch', { name })
  await expect(knob).toBeChecked({ checked: !on })
  // what acts once turns back by itself: what it did is what is looked at
  await knob.click()
  await page.getByRole('button', { name: 'デモの操作を閉じる' }).click()
}

test('[demo] a visitor takes the signal away, loses answers, and sees that nothing is lost', async ({
  page,
}) => {
  await page.goto('/')
  await page.getByRole('button', { name: 'デモ用に入力' }).click()
  await page.getByRole('button', { name: 'ログイン' }).click()
  await page.getByRole('link', { name: /緊出/ }).first().click()
  await expect(page.getByText('オンライン')).toBeVisible()

  await toggle(page, '圏外', true)
  await expect(page.getByText('オフライン', { exact: true })).toBeVisible()
  await registerEntry(page)
  await expect(page.getByRole('link', { name: '未送信 1件' })).toBeVisible()
  await page.reload()
  await expect(page.getByText('オフライン', { exact: true })).toBeVisible()
  await expect(page.getByRole('link', { name: '未送信 1件' })).toBeVisible()

  await toggle(page, '応答なし', true)
  await toggle(page, '圏外', false)
  await expect(page.getByRole('link', { name: /未送信/ })).toHaveCount(0, { timeout: 20_000 })
  await expect(page.getByRole('link', { name: '退館報告' })).toBeVisible()

  await toggle(page, '他社の編集', true)
  await expect(page.getByRole('status').filter({ hasText: '他社の編集' })).toBeVisible()
})
