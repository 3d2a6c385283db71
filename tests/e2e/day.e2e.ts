import type { Page } from '@playwright/test'
import { expect, freeRequest, readyForOffline, registerEntry, reportsOf, test, writesOf } from './phone.ts'

async function registerExit(page: Page, content: string) {
  await page.getByRole('link', { name: '退館報告' }).click()
  await expect(page.getByRole('heading', { name: '退館報告登録' })).toBeVisible()
  await page.getByRole('radio', { name: '作業未完了' }).check()
  await page.getByRole('radio', { name: '当日作業分完了' }).check()
  await page.getByLabel('その他報告内容').fill(content)
  await page.getByRole('button', { name: '保存' }).click()
}

test('[SV1][SV2][ST2] the worker’s day: entry and exit without signal, killed, reopened, sent once', async ({
  crm,
  phone,
}) => {
  await phone.signIn()
  const row = await freeRequest(crm)
  await readyForOffline(phone.page)

  await phone.offline(true)
  await phone.page.reload()
  await expect(phone.page.getByText('オフライン', { exact: true })).toBeVisible()
  await phone.page.getByRole('link', { name: new RegExp(row.requestCode) }).click()
  await expect(phone.page.getByRole('heading', { name: '依頼詳細' })).toBeVisible()

  await registerEntry(phone.page)
  await expect(phone.page.getByText('電波がないため、端末に保存しました。')).toBeVisible()
  await expect(phone.page.getByRole('link', { name: '未送信 1件' })).toBeVisible()

  await registerExit(phone.page, '排水ポンプ1号機は部品待ちです。')
  await expect(phone.page.getByRole('link', { name: '未送信 2件' })).toBeVisible()

  await phone.kill()
  await phone.offline(true)
  await phone.page.goto(`/request/${row.id}?workingDate=${row.workingDate}`)
  await expect(phone.page.getByRole('link', { name: '未送信 2件' })).toBeVisible()
  await expect(phone.page.getByText(/退館 \d\d:\d\d/)).toBeVisible()

  await phone.offline(false)
  const success = phone.page.getByRole('status').filter({ hasText: '保存していた内容を送信しました。' })
  await expect(success).toBeVisible()
  await expect(success).toHaveCount(1)
  await expect(phone.page.getByRole('link', { name: /未送信/ })).toHaveCount(0)

  const mine = await reportsOf(crm, row)
  expect(mine).toHaveLength(1)
  expect(mine[0]).toMatchObject({
    workingDate: row.workingDate,
    type: '2',
    reportContent: '排水ポンプ1号機は部品待ちです。',
  })
  expect(Date.parse(mine[0]?.outTime ?? '')).toBeGreaterThanOrEqual(Date.parse(mine[0]?.inTime ?? ''))
  expect(await writesOf(crm)).toEqual(['POST', 'PUT'])
  expect(phone.errors).toEqual([])
})

// each `npm test` does so in WebKit (webkit-tabs.mjs)
test('[OR1] two tabs open at once: each change is sent once @slow', async ({ crm, phone }) => {
  await phone.signIn()
  const row = await freeRequest(crm)
  await readyForOffline(phone.page)
  const second = await phone.context.newPage()
  const url = `/request/${row.id}?workingDate=${row.workingDate}`
  await second.goto(url)
  await phone.page.goto(url)
  await phone.offline(true)
  await registerEntry(second)
  await expect(phone.page.getByRole('link', { name: '未送信 1件' })).toBeVisible()
  await registerExit(phone.page, '')
  await expect(second.getByRole('link', { name: '未送信 2件' })).toBeVisible()
  await phone.offline(false)
  await expect(second.getByRole('link', { name: /未送信/ })).toHaveCount(0)
  await expect(phone.page.getByRole('link', { name: /未送信/ })).toHaveCount(0)
  expect(await writesOf(crm)).toEqual(['POST', 'PUT'])
})
