/** 安全対策 of a visit: 要 with a photo online, 不要 and 要 without signal; the demo CRM holds each once. */
import { resolve } from 'node:path'
import type { Page } from '@playwright/test'
import { expect, freeRequest, killHidden, readyForOffline, test } from './phone.ts'

test.skip(!process.env['SLOW'], 'not of every run: SLOW=1, npm run test:slow')

/** A real picture. */
const PICTURE = resolve(import.meta.dirname, '../../docs/screen.png')

const ask = async (page: Page, type: string, answer: '要' | '不要') => {
  await page.getByRole('button', { name: new RegExp(`^${type}`) }).click()
  await expect(
    page.getByRole('alertdialog', {
      name: new RegExp(`安全対策（${type}）.*必要ですか？$`),
    }),
  ).toBeVisible()
  await page.getByRole('button', { name: answer, exact: true }).click()
}

async function fillIn(page: Page, untick = 0) {
  await expect(page.getByRole('heading', { name: '安全対策登録' })).toBeVisible()
  const boxes = await page.getByRole('checkbox').all()
  for (const box of boxes.slice(untick)) await box.check()
  await page.getByLabel('写真を追加').setInputFiles(PICTURE)
  await expect(page.getByText('入力途中', { exact: true })).toBeVisible()
}

test('[spec 5][SV1][SV2] 安全対策 online and without signal, killed and reopened, each in the CRM once', async ({
  crm,
  phone,
}) => {
  await phone.signIn()
  const row = await freeRequest(crm)
  await readyForOffline(phone.page)
  const select = `/safetyMeasure/select/${row.id}?workingDateType=1&workingDate=${row.workingDate}`
  const mine = async () =>
    (await crm.state()).safety
      .filter(({ origin, requestId }) => origin === 'call' && requestId === row.id)
      .toSorted((a, b) => (a.safetyType < b.safetyType ? -1 : 1))
      .map(({ safetyType, needFlag, workingDate }) => [safetyType, needFlag, workingDate])

  await phone.page.goto(`/request/${row.id}?workingDate=${row.workingDate}`)
  await phone.page.getByRole('group', { name: '報告' }).getByRole('link', { name: '安全対策' }).click()
  await expect(phone.page).toHaveURL(select)

  await ask(phone.page, '巻き込まれ', '要')
  await fillIn(phone.page, 1)
  await phone.page.getByRole('button', { name: '保存' }).click()
  await expect(phone.page.getByText('巻き込まれの対策をすべて確認してください')).toBeVisible()
  await phone.page.getByRole('checkbox').first().check()
  await phone.page.getByRole('button', { name: '保存' }).click()
  await expect(phone.page.getByText('正常に保存されました')).toBeVisible()
  await expect(phone.page.getByRole('button', { name: /^巻き込まれ.*登録済/ })).toBeVisible()
  await expect.poll(mine).toEqual([['5', '1', row.workingDate]])
  await expect.poll(async () => (await crm.state()).files.length).toBe(1)

  await phone.offline(true)
  await expect(phone.page.getByText('オフライン', { exact: true })).toBeVisible()
  await ask(phone.page, '立駐機', '不要')
  await expect(phone.page.getByText('電波がないため、端末に保存しました。')).toBeVisible()
  await expect(phone.page.getByRole('button', { name: /^立駐機.*待機.*不要/ })).toBeVisible()
  await ask(phone.page, '高所', '要')
  await fillIn(phone.page, 2)
  const form = phone.page.url()
  const isBack = async (page: Page) => {
    await expect(page.getByText('入力途中の内容を復元しました。')).toBeVisible()
    await expect(page.getByText('残り 2項目')).toBeVisible()
  }

  await killHidden(phone, isBack)
  await phone.offline(true)
  await phone.page.goto(form)
  await isBack(phone.page)
  for (const box of (await phone.page.getByRole('checkbox').all()).slice(0, 2)) await box.check()
  await phone.page.getByRole('button', { name: '保存' }).click()
  await expect(phone.page).toHaveURL(select)
  await expect(phone.page.getByRole('link', { name: '未送信 2件' })).toBeVisible()

  await phone.offline(false)
  await expect(phone.page.getByRole('link', { name: /未送信/ })).toHaveCount(0)
  await expect.poll(mine).toEqual([
    ['2', '2', row.workingDate],
    ['3', '1', row.workingDate],
    ['5', '1', row.workingDate],
  ])
  await expect.poll(async () => (await crm.state()).files.length).toBe(2)
  const posts = (await crm.calls()).filter(
    ({ method, path }) => method === 'POST' && path.endsWith('/safety/'),
  )
  expect(posts).toHaveLength(3)

  await phone.page.getByRole('button', { name: /^高所.*登録済/ }).click()
  await phone.page.getByRole('link', { name: '編集' }).click()
  await phone.page.getByRole('button', { name: /を削除$/ }).click()
  await phone.page.getByRole('button', { name: '保存' }).click()
  await expect(phone.page.getByText('安全対策写真は必須です')).toBeVisible()
  await phone.page.getByLabel('写真を追加').setInputFiles(PICTURE)
  await expect(phone.page.getByText('安全対策写真は必須です')).toHaveCount(0)
  await phone.page.getByRole('button', { name: '保存' }).click()
  await expect(phone.page.getByText('正常に保存されました')).toBeVisible()
  await expect(phone.page.getByRole('heading', { name: '安全対策詳細' })).toBeVisible()
  await expect(phone.page.getByRole('button', { name: '写真1を開く' })).toBeVisible()
  await expect.poll(async () => (await crm.state()).files.length).toBe(2)
  expect(phone.errors).toEqual([])
})
