/** Sheets: filled in underground, on the phone after each key, a picture in the folder of the record (decisions/forms). */
import type { Page } from '@playwright/test'
import { expectNoViolations } from './axe.ts'
import { type Crm, expect, freeRequest, readyForOffline, test } from './phone.ts'

const GAS = '酸素・硫化水素濃度測定記録'
const sheet = (page: Page) => page.getByRole('dialog', { name: GAS })
const KY = 'KY活動表'
const cards = (page: Page) => page.getByRole('button', { name: /を削除$/ })
const measured = (page: Page) => page.getByRole('checkbox', { name: /測定して記録した$/ })

interface Files {
  files: { name: string; size: number }[]
}
const sent = async (crm: Crm, sheetName = GAS) =>
  ((await crm.state()) as unknown as Files).files.filter(({ name }) => name.includes(sheetName))

test('[issue 54] a measurement of two points in at most 14 taps: killed, recorded, sent; it sets its tick', async ({
  crm,
  phone,
}) => {
  await phone.signIn()
  await readyForOffline(phone.page)
  const { id, workingDate } = await freeRequest(crm)
  await phone.offline(true)
  const form = `/safetyMeasure/add?requestId=${id}&safetyType=4&workingDate=${workingDate}`
  await phone.page.goto(form)
  let taps = 0
  const tap = async (name: string, at = 0) => {
    taps += 1
    await sheet(phone.page).getByText(name, { exact: true }).nth(at).click()
  }
  const number = async (label: string, text: string, at: number) => {
    taps += 1
    await sheet(phone.page).getByLabel(label).nth(at).fill(text)
  }
  taps += 1
  await measured(phone.page).click()
  await expect(sheet(phone.page)).toBeVisible()
  await number('酸素（%）', '20.9', 0)
  await number('硫化水素（ppm）', '0', 0)
  await tap('測定点を追加')
  await number('酸素（%）', '20.7', 1)
  await number('硫化水素（ppm）', '0.5', 1)
  await tap('換気中')
  await expect(sheet(phone.page).getByLabel('測定者')).not.toHaveValue('')
  await expectNoViolations(phone.page, GAS)
  const address = phone.page.url()
  await phone.kill()
  await phone.offline(true)

  await phone.page.goto(address)
  const { page } = phone
  await expect(sheet(page).getByLabel('酸素（%）').nth(1)).toHaveValue('20.7')
  await expect(sheet(page).getByLabel('換気中')).toBeChecked()
  await tap('写真に追加')
  await expect(sheet(page)).toBeHidden()
  expect(taps).toBeLessThanOrEqual(14)
  await expect(cards(page)).toHaveCount(1)
  await expect(measured(page)).toBeChecked()
  for (const box of await page.getByRole('checkbox').all()) if (!(await box.isChecked())) await box.check()
  await page.getByRole('button', { name: '保存' }).click()
  await expect(page.getByText('電波がないため、端末に保存しました。')).toBeVisible()
  await phone.offline(false)
  await expect.poll(async () => (await sent(crm)).length).toBe(1)
  expect((await sent(crm))[0]?.size).toBeGreaterThan(20_000)

  await page.goto(`/request/${id}?workingDate=${workingDate}`)
  await page.getByRole('link', { name: /^測定 \d\d:\d\d 酸素\s20\.7% 硫化水素\s0\.5ppm（2点）$/ }).click()
  await expect(sheet(page).getByLabel('酸素（%）').nth(1)).toHaveValue('20.7')
  expect(phone.errors).toEqual([])
})

test('[issue 54] too little oxygen is a hard stop that leads to 緊急報告, where the record is added @slow', async ({
  crm,
  phone,
}) => {
  await phone.signIn()
  const { page } = phone
  const { id, workingDate } = await freeRequest(crm)
  await page.goto(`/safetyMeasure/add?requestId=${id}&safetyType=4&workingDate=${workingDate}`)
  await page.getByRole('checkbox').first().check()
  await measured(page).click()
  await sheet(page).getByLabel('酸素（%）').fill('17.9')
  await sheet(page).getByLabel('硫化水素（ppm）').fill('0')
  await expect(sheet(page).getByRole('alert')).toContainText('直ちに作業をやめ、全員で退避してください。')
  await expect(sheet(page).getByRole('button', { name: '写真に追加' })).toHaveCount(0)
  await expectNoViolations(page, `${GAS} 退避`)
  // It stays in sight, also on its side and further down.
  await page.setViewportSize({ width: 844, height: 390 })
  await sheet(page).getByLabel('講じた措置').focus()
  await expect(sheet(page).getByText('直ちに作業をやめ')).toBeInViewport({ ratio: 0.9 })
  await page.setViewportSize({ width: 390, height: 844 })
  await sheet(page).getByRole('link', { name: '緊急報告を登録' }).click()
  await expect(page.getByRole('heading', { name: '緊急報告登録' })).toBeVisible()
  await page.getByRole('button', { name: new RegExp(`^${GAS}`) }).click()
  await expect(sheet(page).getByLabel('酸素（%）')).toHaveValue('17.9')
  await sheet(page).getByText('換気前', { exact: true }).click()
  await sheet(page).getByRole('button', { name: '写真に追加' }).click()
  await expect(sheet(page)).toBeHidden()
  await expect(cards(page)).toHaveCount(1)
  // The form of 安全対策 still has what was ticked, and no tick of a record.
  await page.goto(`/safetyMeasure/add?requestId=${id}&safetyType=4&workingDate=${workingDate}`)
  await expect(page.getByText('入力途中の内容を復元しました。')).toBeVisible()
  await expect(page.getByRole('checkbox').first()).toBeChecked()
  await expect(measured(page)).not.toBeChecked()
  expect(phone.errors).toEqual([])
})

test('[issue 54] KY活動表 and チェックリスト without signal: photos of the record, sent; Enter submits no form behind @slow', async ({
  crm,
  phone,
}) => {
  await phone.signIn()
  const { page } = phone
  await readyForOffline(page)
  const { id, workingDate } = await freeRequest(crm)
  await phone.offline(true)
  await page.goto(`/safetyMeasure/add?requestId=${id}&safetyType=3&workingDate=${workingDate}`)
  await page.getByRole('button', { name: new RegExp(`^${KY}`) }).click()
  const ky = page.getByRole('dialog', { name: KY })
  await expect(ky.getByLabel('リーダー')).not.toHaveValue('')
  await ky.getByLabel('リーダー').press('Enter')
  await ky.getByLabel('危険のポイント').fill('脚立から墜落する')
  await ky.getByLabel('対策', { exact: true }).fill('開き止めを掛け、天板に乗らない')
  await ky.getByRole('button', { name: '危険を追加' }).click()
  await ky.getByLabel('危険のポイント').nth(1).fill('工具が落ちて下の人に当たる')
  await ky.getByLabel('対策', { exact: true }).nth(1).fill('落下防止のひもを付け、下を立入禁止にする')
  await expectNoViolations(page, KY)
  await ky.getByRole('button', { name: '写真に追加' }).click()
  await expect(ky).toBeHidden()
  await expect(cards(page)).toHaveCount(1)
  // A submit would have shown what is missing by now.
  await expect(page.getByText(/確認が必要な項目が/)).toHaveCount(0)

  for (const box of await page.getByRole('checkbox').all()) await box.check()
  await page.getByRole('button', { name: 'チェックリストを写真に追加' }).click()
  await expect(cards(page)).toHaveCount(2)
  await page.getByRole('button', { name: '保存' }).click()
  await expect(page.getByText('電波がないため、端末に保存しました。')).toBeVisible()
  await phone.offline(false)
  for (const name of [KY, 'チェックリスト']) {
    await expect.poll(async () => (await sent(crm, name)).length).toBe(1)
    expect((await sent(crm, name))[0]?.size).toBeGreaterThan(20_000)
  }
  expect(phone.errors).toEqual([])
})
