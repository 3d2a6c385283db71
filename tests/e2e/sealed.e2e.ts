/**
 * What lies on a phone is sealed from the first byte (decisions/encryption): read through a page, and in the profile's
 * raw files.
 */
import type { APIRequestContext, Page } from '@playwright/test'
import { cameraPhoto } from '../support/camera-photo.ts'
import { expect, freeRequest, logIn, readyForOffline, registerEntry, reportsOf, test } from './phone.ts'
import { besideIndexedDb, found, inProfile, readable, TOKENS_AT, tokensOn } from './stores.ts'

const CANARY = 'CANARYofTheCrm'
const TYPED = 'CANARYofTheDraft'
const NOTE = 'CANARYofTheNote'
const FILE = 'CANARYofTheFile'
const ALL = [CANARY, TYPED, NOTE, FILE]

const plant = async (request: APIRequestContext, text: string) =>
  void (await request.post('/__demo/canary', {
    data: text,
    headers: { 'content-type': 'text/plain' },
    maxRetries: 2,
  }))

/** An entry, a note with a photo, and a draft; none of them can be sent. */
async function work(page: Page, { id, workingDate }: { id: string; workingDate: string }): Promise<string> {
  await page.goto(`/noteLocationArea/add/${id}`)
  const buffer = await cameraPhoto(page, 400, 300)
  await page
    .getByLabel('写真を追加')
    .setInputFiles({ name: `IMG_${FILE}.jpg`, mimeType: 'image/jpeg', buffer })
  await page.getByLabel('メモ').fill(NOTE)
  await page.getByRole('button', { name: '保存' }).click()
  await expect(page.getByLabel('メモ')).toBeHidden()
  await page.goto(`/request/${id}?workingDate=${workingDate}`)
  await registerEntry(page)
  await page.getByRole('link', { name: '緊急報告', exact: true }).click()
  await page.getByRole('link', { name: '新規登録' }).click()
  await page.getByLabel('緊急内容詳細').fill(TYPED)
  await expect.poll(async () => (await found(page, TYPED)).length).toBeGreaterThan(0)
  return page.url()
}

test('[SV3][SV4a] nothing is readable: signed in, logged out, in the raw profile; without the CRM the password opens it, and it is sent after the login', async ({
  crm,
  phone,
  request,
}) => {
  test.setTimeout(180_000)
  await phone.signIn()
  // the session itself lies in clear while it lasts
  await plant(request, CANARY)
  const { page } = phone
  await readyForOffline(page)
  await page.goto('/request')
  const row = await freeRequest(crm)
  await crm.faults([
    { id: 'down', kind: 'status', status: 503, path: '/spa/', method: 'POST', count: 'always' },
  ])
  const draft = await work(page, row)
  expect((await found(page, CANARY)).length).toBeGreaterThan(100)
  for (const canary of ALL) expect(await readable(page, canary)).toEqual([])
  const tokens = await tokensOn(page)
  for (const token of tokens) expect(await readable(page, token)).toEqual(TOKENS_AT)

  await page.goto('/logout')
  await page.getByRole('button', { name: 'はい' }).click()
  await expect(page.getByRole('heading', { name: 'ログイン', exact: true })).toBeVisible()
  for (const text of [...ALL, ...tokens]) expect(await readable(page, text)).toEqual([])
  await phone.context.close()
  for (const canary of ALL) expect([canary, inProfile(phone.profile, canary)]).toEqual([canary, []])
  for (const token of tokens) expect(besideIndexedDb(phone.profile, token)).toEqual([])
  const left = tokens.flatMap((token) => inProfile(phone.profile, token)).length
  test.info().annotations.push({ type: 'tokens', description: `${left} in raw files after the logout` })

  await phone.restart()
  const again = phone.page
  await again.goto('/login')
  await phone.offline(true)
  await logIn(again, 'demo6', 'wrong')
  await expect(again.getByText('電波がないためログインできません').first()).toBeVisible()
  await logIn(again, 'demo6')
  await expect(again).not.toHaveURL(/login/)
  await again.goto('/outbox')
  await expect(again.getByText(/^未送信 [1-9]件/).first()).toBeVisible()
  await expect(again.getByRole('heading', { name: '入力途中' })).toBeVisible()
  expect(await reportsOf(crm, row)).toEqual([])

  await phone.offline(false)
  await crm.faults([])
  await again.goto('/login')
  await logIn(again, 'demo6')
  await expect(again).not.toHaveURL(/login/)
  await expect.poll(async () => (await reportsOf(crm, row)).length, { timeout: 30_000 }).toBe(1)
  await again.goto(draft)
  await expect(again.getByLabel('緊急内容詳細')).toHaveValue(TYPED)
})
