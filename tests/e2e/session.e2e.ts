import { expect, freeRequest, readyForOffline, registerEntry, reportsOf, test } from './phone.ts'

const always = { kind: 'status', status: 401, count: 'always' }

test('[OC5] a session that ends while working: a banner, nothing lost, sent after the login in a new tab', async ({
  crm,
  phone,
}) => {
  await phone.signIn()
  const { page, context } = phone
  await readyForOffline(page)
  const row = await freeRequest(crm)
  await page.goto(`/request/${row.id}?workingDate=${row.workingDate}`)
  await crm.faults([
    { id: 'token', path: '/spa/', ...always },
    { id: 'refresh', path: 'refresh-token', ...always },
  ])
  await registerEntry(page)
  const banner = page
    .getByRole('alert')
    .filter({ hasText: 'セッション情報が切れました。再ログインしてください。' })
  await expect(banner).toBeVisible()
  await expect(page.getByRole('link', { name: '未送信 1件' })).toBeVisible()

  await crm.faults([])
  const opened = context.waitForEvent('page')
  await banner.getByRole('link', { name: 'ログイン' }).click()
  const login = await opened
  await expect(login.getByLabel('ユーザー名')).toHaveValue('demo6')
  await expect(login.getByLabel('ユーザー名')).not.toBeEditable()
  await login.getByLabel('パスワード').fill('password')
  const closed = login.waitForEvent('close')
  await login.getByRole('button', { name: 'ログイン' }).click()
  await closed
  await expect(banner).toHaveCount(0)
  await expect(page.getByRole('link', { name: /未送信/ })).toHaveCount(0)
  expect(await reportsOf(crm, row)).toHaveLength(1)
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
  await page.getByRole('button', { name: 'ログアウト' }).click()
  await expect(page.getByText('未送信の変更が1件あります。')).toBeVisible()
  await page.getByRole('button', { name: 'はい' }).click()
  await expect(page.getByRole('heading', { name: 'ログイン' })).toBeVisible()

  await crm.faults([])
  await phone.signIn('demo5')
  await expect(page.getByText('オフラインで使えます').first()).toBeVisible()
  await expect(page.getByRole('link', { name: /未送信/ })).toHaveCount(0)
  expect(await reportsOf(crm, row)).toEqual([])

  await page.goto('/logout')
  await expect(page.getByRole('heading', { name: 'ログイン' })).toBeVisible()
  await phone.signIn('demo6')
  await expect.poll(async () => (await reportsOf(crm, row)).length).toBe(1)
})
