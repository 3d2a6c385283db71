/**
 * The CRM's password is changed while what was saved lies on a phone that nobody is signed in on (decisions/encryption,
 * SV3).
 */
import type { APIRequestContext, Page } from '@playwright/test'
import { expect, freeRequest, logIn, readyForOffline, registerEntry, reportsOf, test } from './phone.ts'

test.skip(!process.env['SLOW'], 'most of a minute: SLOW=1, npm run test:slow')

const NOTE = '封印の前に書いたメモ'

const changePassword = async (request: APIRequestContext, password: string) =>
  void (await request.post('/__demo/password', { data: { userName: 'demo6', password }, maxRetries: 2 }))

async function signOut(page: Page) {
  await page.goto('/logout')
  await page.getByRole('button', { name: 'はい' }).click()
  await expect(page.getByRole('heading', { name: 'ログイン', exact: true })).toBeVisible()
}

async function saveNote(page: Page, requestId: string, text: string) {
  await page.goto(`/noteLocationArea/add/${requestId}`)
  await page.getByLabel('メモ').fill(text)
  await page.getByRole('button', { name: '保存' }).click()
  await expect(page.getByLabel('メモ')).toBeHidden()
}

test('[SV3] what was saved before is 封印中: the old password opens it and it goes once; or it is discarded after a question', async ({
  crm,
  phone,
  request,
}) => {
  test.setTimeout(120_000)
  await phone.signIn()
  const { page } = phone
  await readyForOffline(page)
  const row = await freeRequest(crm)
  await phone.offline(true)
  await page.goto(`/request/${row.id}?workingDate=${row.workingDate}`)
  await registerEntry(page)
  await signOut(page)
  await phone.offline(false)
  await changePassword(request, 'second')
  await logIn(page)
  await expect(page.getByText('ユーザー名、パスワードが間違っています').first()).toBeVisible()
  await logIn(page, 'demo6', 'second')
  await page.getByRole('link', { name: '送信状況で開く' }).click()
  await expect(page.getByRole('heading', { name: '封印中 1件' })).toBeVisible()
  await expect(page.getByText('封印中の内容が1件あります')).toBeHidden()
  expect(await reportsOf(crm, row)).toEqual([])
  await page.getByLabel('以前のパスワード').fill('wrong')
  await page.getByRole('button', { name: '封印を開く' }).click()
  await expect(page.getByText('以前のパスワードと違います').first()).toBeVisible()
  await page.getByLabel('以前のパスワード').fill('password')
  await page.getByRole('button', { name: '封印を開く' }).click()
  await expect(page.getByText('封印を開きました').first()).toBeVisible()
  await expect(page.getByRole('heading', { name: /^封印中/ })).toBeHidden()
  await expect(page.getByText('端末に保存できませんでした')).toBeHidden()
  await expect.poll(async () => (await reportsOf(crm, row)).length, { timeout: 30_000 }).toBe(1)

  await phone.offline(true)
  await saveNote(page, row.id, NOTE)
  await signOut(page)
  await phone.offline(false)
  await changePassword(request, 'third')
  await logIn(page, 'demo6', 'third')
  await expect(page).not.toHaveURL(/login/)
  await page.goto('/outbox')
  const discard = page.getByRole('button', { name: '封印中の内容を破棄' })
  await discard.click()
  await page.getByRole('button', { name: 'いいえ' }).click()
  await page.reload()
  await discard.click()
  await page.getByRole('button', { name: 'はい' }).click()
  await expect(page.getByRole('heading', { name: /^封印中/ })).toBeHidden()
  await page.reload()
  await expect(page.getByRole('heading', { name: '未送信の変更はありません' })).toBeVisible()
  expect(await reportsOf(crm, row)).toHaveLength(1)
  expect((await crm.state()).notes.filter(({ note }) => note === NOTE)).toEqual([])
})
