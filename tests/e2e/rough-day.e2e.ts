/** The worker's day on one request while the CRM fails on and off: whatever was saved is in the CRM once. */
import { resolve } from 'node:path'
import type { Page } from '@playwright/test'
import { type Crm, expect, freeRequest, readyForOffline, registerEntry, test } from './phone.ts'

test.skip(!process.env['SLOW'], 'some minutes: SLOW=1, npm run test:slow')

const PICTURE = resolve(import.meta.dirname, '../../docs/screen.png')
const WRITES = { path: '.', method: 'POST' }
/** One after the other, each for some seconds. */
const WEATHER = [
  [],
  [{ id: 'silent', kind: 'unreachable', path: '.', count: 'always' }],
  [{ id: 'lost', kind: 'lostAnswer', count: 2, ...WRITES }],
  [],
  [{ id: 'broken', kind: 'status', status: 500, path: '.', count: 'always' }],
  [{ id: 'slow', kind: 'delay', ms: 1_500, path: '.', count: 'always' }],
  [{ id: 'acted', kind: 'status', status: 502, after: true, count: 2, ...WRITES }],
  [{ id: 'busy', kind: 'status', status: 503, headers: { 'Retry-After': '2' }, path: '.', count: 3 }],
]
const EACH_MS = 4_000

/** @returns ends it, with the CRM well again */
function changeWeather(crm: Crm): () => Promise<void> {
  let isOver = false
  const changing = (async () => {
    for (let at = 0; !isOver; at++) {
      await crm.faults(WEATHER[at % WEATHER.length] ?? [])
      await new Promise((done) => setTimeout(done, EACH_MS))
    }
    await crm.faults([])
  })()
  return () => {
    isOver = true
    return changing
  }
}

const save = (page: Page) => page.getByRole('button', { name: '保存' }).click()

test('[SV1][SV2][OC9] a day of every kind of report, the CRM failing on and off: each is there once', async ({
  crm,
  phone,
}) => {
  test.setTimeout(420_000)
  const { page } = phone
  await phone.signIn()
  const row = await freeRequest(crm)
  await readyForOffline(page)
  const home = `/request/${row.id}?workingDate=${row.workingDate}`
  await page.goto(home)
  const clear = changeWeather(crm)

  await registerEntry(page)
  await page.getByRole('group', { name: '報告' }).getByRole('link', { name: '安全対策' }).click()
  await page.getByRole('button', { name: /^巻き込まれ/ }).click()
  await page.getByRole('button', { name: '要', exact: true }).click()
  await expect(page.getByRole('heading', { name: '安全対策登録' })).toBeVisible()
  for (const box of await page.getByRole('checkbox').all()) await box.check()
  await page.getByLabel('写真を追加').setInputFiles(PICTURE)
  await expect(page.getByText('入力途中', { exact: true })).toBeVisible()
  await save(page)
  await expect(page.getByRole('button', { name: /^巻き込まれ.*(?:登録済|待機|送信中)/ })).toBeVisible()

  await page.goto(home)
  await page.getByRole('link', { name: '緊急報告', exact: true }).click()
  await page.getByRole('link', { name: '新規登録' }).click()
  await page.getByRole('checkbox', { name: '機器面' }).check()
  await page.getByRole('checkbox', { name: '冠水・水没' }).check()
  await page.getByRole('radio', { name: '当日' }).check()
  await page.getByRole('radio', { name: '連絡済' }).check()
  await page.getByLabel('緊急内容詳細').fill('荒天の緊急報告です。')
  await page.getByLabel('写真を追加').setInputFiles(PICTURE)
  await expect(page.getByRole('button', { name: /を削除$/ })).toBeVisible()
  await save(page)
  await expect(page.getByRole('heading', { name: '緊急報告一覧' })).toBeVisible()
  await expect(page.getByText('荒天の緊急報告です。')).toBeVisible()

  await page.goto(home)
  await page.getByRole('link', { name: /^現場メモ一覧/ }).click()
  await page.getByRole('link', { name: '追加' }).click()
  await page.getByLabel('メモ').fill('荒天のメモです。')
  await save(page)
  await expect(page.getByRole('article').filter({ hasText: '荒天のメモです。' })).toBeVisible()

  await page.goto(home)
  await page.getByRole('link', { name: '退館報告' }).click()
  await page.getByRole('radio', { name: '作業完了' }).check()
  await page.getByLabel('その他報告内容').fill('荒天の退館報告です。')
  await save(page)
  await expect(page.getByText(/退館 \d\d:\d\d/)).toBeVisible()

  await clear()
  await page.goto('/outbox')
  // answers that were lost are looked for twice, 20 s apart (RULES OC9)
  // the summary and the action bar both say so
  await expect(page.getByText('未送信の変更はありません').first()).toBeVisible({ timeout: 240_000 })
  const mine = await crm.state()
  const own = <T extends { requestId: string; origin: string }>(all: readonly T[]) =>
    all.filter(({ requestId, origin }) => requestId === row.id && origin === 'call')
  expect(own(mine.quickReports)).toMatchObject([{ reportContent: '荒天の退館報告です。' }])
  expect(own(mine.safety)).toMatchObject([{ safetyType: '5', needFlag: '1' }])
  expect(own(mine.notes)).toMatchObject([{ note: '荒天のメモです。' }])
  expect(own(mine.emergencyReports)).toHaveLength(1)
  expect(mine.files).toHaveLength(2)
  expect(phone.errors).toEqual([])
})
