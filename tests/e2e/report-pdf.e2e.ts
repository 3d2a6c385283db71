import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { readPdf } from '../support/pdf-text.ts'
import { expectNoViolations } from './axe.ts'
import { expect, freeRequest, readyForOffline, registerEntry, test } from './phone.ts'

const popupOf = (page: Page) => page.getByRole('dialog', { name: '作業報告書' })

/** Makes the report of the request on the screen. @returns what another program reads of it */
async function makeReport(page: Page) {
  await page.getByRole('button', { name: '作業報告書' }).click()
  await popupOf(page).getByRole('button', { name: '作成', exact: true }).click()
  return readMade(page)
}

/** Saves what was made, and reads it. */
async function readMade(page: Page) {
  const save = popupOf(page).getByRole('button', { name: '端末に保存' })
  await expect(save).toBeVisible({ timeout: 30_000 })
  const saved = page.waitForEvent('download')
  await save.click()
  const bytes = readFileSync(await (await saved).path())
  return readPdf(new Blob([Uint8Array.from(bytes)]))
}

test('[issue 54] 作業報告書: made with a signal once, then underground, and it says what is unsent', async ({
  crm,
  phone,
}) => {
  await phone.signIn()
  const { page } = phone
  const row = await freeRequest(crm)
  await readyForOffline(page)
  await page.goto(`/request/${row.id}?workingDate=${row.workingDate}`)

  const before = await makeReport(page)
  expect(before.title).toContain(row.requestCode)
  expect(before.pages.join('\n')).toContain(row.ttsOrder.locationArea.name)
  expect(before.pages.join('\n')).toContain('入館は登録されていません')
  await expectNoViolations(page, '作業報告書')
  await popupOf(page).getByRole('button', { name: '閉じる' }).click()
  await expect(popupOf(page)).toBeHidden()

  await phone.offline(true)
  await page.reload()
  await registerEntry(page)
  const after = await makeReport(page)
  expect(after.bookmarks).toContain('入退館・作業内容')
  expect(after.pages.join('\n')).toContain('未送信（待機）')
  expect(phone.errors).toEqual([])
})

/** One red pixel. */
const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=='

test('[issue 54] the photos of an 緊急報告 are in it, with when they were taken and that they are unsent', async ({
  crm,
  phone,
}) => {
  await phone.signIn()
  const { page } = phone
  const row = await freeRequest(crm)
  await readyForOffline(page)
  await page.goto(`/request/${row.id}?workingDate=${row.workingDate}`)
  await makeReport(page)
  await popupOf(page).getByRole('button', { name: '閉じる' }).click()
  await phone.offline(true)
  await page.getByRole('link', { name: '緊急報告', exact: true }).click()
  await page.getByRole('link', { name: '新規登録' }).click()
  await page.getByRole('checkbox', { name: '機器面' }).check()
  await page.getByRole('checkbox', { name: '冠水・水没' }).check()
  await page.getByRole('radio', { name: '当日' }).check()
  await page.getByRole('radio', { name: '連絡済' }).check()
  await page.getByLabel('緊急内容詳細').fill('2号機も過負荷で停止しました。')
  await page
    .getByLabel('写真を追加')
    .setInputFiles({ name: 'pump.png', mimeType: 'image/png', buffer: Buffer.from(PIXEL, 'base64') })
  await expect(page.getByText('入力途中', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: '保存' }).click()
  await expect(page.getByRole('heading', { name: '緊急報告一覧' })).toBeVisible()
  await page.goto(`/request/${row.id}?workingDate=${row.workingDate}`)
  await page.getByRole('button', { name: '作業報告書' }).click()
  await expect(popupOf(page).getByText('写真 1枚')).toBeVisible()
  await popupOf(page).getByRole('button', { name: '閉じる' }).click()
  await expect(popupOf(page)).toBeHidden()
  const { pages, pictures } = await makeReport(page)
  expect(pictures.at(-1)).toBe(1)
  expect(pages.at(-1)).toMatch(/緊急報告　未送信（待機）\n撮影 \d{4}/)
  await popupOf(page)
    .getByRole('button', { name: /^この日の写真台帳を作成/ })
    .click()
  await expect(popupOf(page).getByRole('region', { name: /^写真台帳/ })).toBeVisible()
  const ledger = await readMade(page)
  expect(ledger.title).toMatch(/^写真台帳 \d{4}年/)
  expect(ledger.pages.at(-1)).toContain(`${row.requestCode}　`)
  expect(ledger.pictures.at(-1)).toBe(1)
  expect(phone.errors).toEqual([])
})
