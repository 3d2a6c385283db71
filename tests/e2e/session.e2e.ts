import { expect, freeRequest, readyForOffline, registerEntry, reportsOf, test } from './phone.ts'

test.skip(!process.env['SLOW'], 'a minute or more: SLOW=1, npm run test:slow')

const always = { kind: 'status', status: 401, count: 'always' }

const TEXT = 'セッション情報が切れました。再ログインしてください。'
const ended = [
  { id: 'token', path: '/spa/', ...always },
  { id: 'refresh', path: 'refresh-token', ...always },
]

test('[spec 4][OC5] a session that ends in a form: the login, and back to the form with its draft; nothing is lost', async ({
  crm,
  phone,
}) => {
  await phone.signIn()
  const { page } = phone
  await readyForOffline(page)
  const row = await freeRequest(crm)
  await page.goto(`/request/${row.id}?workingDate=${row.workingDate}`)
  await crm.faults([{ id: 'down', path: '/spa/', kind: 'status', status: 503, count: 'always' }])
  await registerEntry(page)
  await page.getByRole('link', { name: '緊急報告', exact: true }).click()
  await page.getByRole('link', { name: '新規登録' }).click()
  await page.getByLabel('緊急内容詳細').fill('排水ポンプが停止')
  await crm.faults(ended)
  await expect(page.getByRole('heading', { name: 'ログイン' })).toBeVisible()
  await expect(page.getByRole('alert').filter({ hasText: TEXT })).toBeVisible()
  await expect(page.getByLabel('ユーザー名')).toHaveValue('demo6')
  await expect(page).toHaveURL(/login\?redirect=%2FemergencyReport%2Fadd%2F/)

  await crm.faults([])
  await page.getByLabel('パスワード').fill('password')
  await page.getByRole('button', { name: 'ログイン' }).click()
  await expect(page.getByRole('heading', { name: '緊急報告登録' })).toBeVisible()
  await expect(page.getByText('入力途中の内容を復元しました。')).toBeVisible()
  await expect(page.getByLabel('緊急内容詳細')).toHaveValue('排水ポンプが停止')
  await expect(page.getByRole('alert').filter({ hasText: TEXT })).toHaveCount(0)
  await expect(page.getByRole('link', { name: /未送信/ })).toHaveCount(0)
  expect(await reportsOf(crm, row)).toHaveLength(1)
})

test('[spec 8] INVALID_TOKEN: asked first, あとで works on, ログイン leads to the login and back', async ({
  crm,
  phone,
}) => {
  await phone.signIn()
  const { page } = phone
  await readyForOffline(page)
  await crm.faults([{ id: 'invalid', path: '/spa/', kind: 'status', status: 498, count: 'always' }])
  await page.goto('/settings')
  const question = page.getByRole('alertdialog', { name: TEXT })
  await question.getByRole('button', { name: 'あとで' }).click()
  await expect(question).toHaveCount(0)
  await expect(page.getByRole('heading', { name: '設定', level: 1 })).toBeVisible()
  await expect(page.getByRole('alert').filter({ hasText: TEXT })).toBeVisible()
  // opened again, it is still one that the CRM called invalid
  await page.reload()
  await crm.faults([])
  await question.getByRole('button', { name: 'ログイン' }).click()
  await expect(page).toHaveURL(/login\?redirect=%2Fsettings/)
  await page.getByLabel('パスワード').fill('password')
  await page.getByRole('button', { name: 'ログイン' }).click()
  await expect(page.getByRole('heading', { name: '設定', level: 1 })).toBeVisible()
  await expect(page.getByRole('alert').filter({ hasText: TEXT })).toHaveCount(0)
})

test('[spec 4] a session that ends on 依頼検索: a banner, the login in a new tab, and searched again', async ({
  crm,
  phone,
}) => {
  await phone.signIn()
  const { page, context } = phone
  await readyForOffline(page)
  await crm.faults(ended)
  await page.reload()
  const banner = page.getByRole('alert').filter({ hasText: TEXT })
  await expect(banner).toBeVisible()
  await expect(page.getByText('オフラインで使えます').first()).toBeVisible()

  await crm.faults([])
  const opened = context.waitForEvent('page')
  await banner.getByRole('link', { name: 'ログイン' }).click()
  const login = await opened
  await expect(login.getByLabel('ユーザー名')).toHaveValue('demo6')
  await expect(login.getByLabel('ユーザー名')).not.toBeEditable()
  await login.getByLabel('パスワード').fill('password')
  const before = (await crm.calls()).filter(({ path }) => path.includes('request/search')).length
  const closed = login.waitForEvent('close')
  await login.getByRole('button', { name: 'ログイン' }).click()
  await closed
  await page.bringToFront()
  await expect(banner).toHaveCount(0)
  await expect
    .poll(async () => (await crm.calls()).filter(({ path }) => path.includes('request/search')).length)
    .toBeGreaterThan(before)
})

test('[SV3][SV4] logging out with something unsent keeps it for the same user, and shows it to nobody else', async ({
  crm,
  phone,
}) => {
  await phone.signIn()
  const { page } = phone
  await readyForOffline(page)
  const row = await freeRequest(crm)
  await crm.faults([
    { id: 'down', kind: 'status', status: 503, path: 'quickReport/$', method: 'POST', count: 'always' },
  ])
  await page.goto(`/request/${row.id}?workingDate=${row.workingDate}`)
  await registerEntry(page)
  await expect(page.getByRole('link', { name: '未送信 1件' })).toBeVisible()
  await page.goto('/settings')
  await page.getByRole('link', { name: 'ログアウト' }).click()
  await expect(page.getByText('未送信の変更が1件あります。')).toBeVisible()
  await page.getByRole('button', { name: 'はい' }).click()
  await expect(page.getByRole('heading', { name: 'ログイン' })).toBeVisible()

  await crm.faults([])
  await phone.signIn('demo5')
  await readyForOffline(page)
  await expect(page.getByRole('link', { name: /未送信/ })).toHaveCount(0)
  expect(await reportsOf(crm, row)).toEqual([])

  await page.goto('/logout')
  await expect(page.getByRole('heading', { name: 'ログイン' })).toBeVisible()
  await phone.signIn('demo6')
  await expect.poll(async () => (await reportsOf(crm, row)).length).toBe(1)
})
