import { expect, freeRequest, logIn, readyForOffline, registerEntry, reportsOf, test } from './phone.ts'

test.skip(!process.env['SLOW'], 'a minute or more: SLOW=1, npm run test:slow')

test('the login: what is typed wrong, where it leads, and who may not go on', async ({
  baseURL,
  crm,
  phone,
}) => {
  const { page } = phone
  await test.step('[spec 5] empty fields and a wrong password: a message, the name stays, the password goes', async () => {
    await page.goto('/login')
    // what a phone's keyboard is told: the key that goes on, and that the page gives way to it
    await expect(page.getByLabel('パスワード')).toHaveAttribute('enterkeyhint', 'go')
    const viewport = page.locator('meta[name="viewport"]')
    await expect(viewport).toHaveAttribute('content', /interactive-widget=resizes-content/)
    await page.getByRole('button', { name: 'ログイン' }).click()
    await expect(page.getByText('ユーザー名は必須です')).toBeVisible()
    await expect(page.getByText('パスワードは必須です')).toBeVisible()
    await logIn(page, 'demo6', 'wrong')
    await expect(page.getByRole('alert')).toContainText('ユーザー名、パスワードが間違っています')
    await expect(page.getByLabel('ユーザー名')).toHaveValue('demo6')
    await expect(page.getByLabel('パスワード')).toHaveValue('')
  })
  // every kind of it: tests/lib/browser/redirect-target.test.ts
  await test.step('[spec 2] redirect to another site is ignored', async () => {
    await page.goto(`/login?redirect=${encodeURIComponent('/\\evil.example')}`)
    await logIn(page)
    await expect(page).toHaveURL(`${baseURL}/request`)
  })
  await test.step('[spec 2] somebody signed in who opens the login goes to the request search', async () => {
    await page.goto('/login?redirect=%2Fsettings')
    await expect(page).toHaveURL(`${baseURL}/request`)
  })
  await test.step('[spec 2] a guest is sent to login and comes back to where they wanted, query and all', async () => {
    await page.goto('/logout')
    await expect(page.getByRole('heading', { name: 'ログイン' })).toBeVisible()
    const { requests } = await crm.state()
    const row = requests.find(({ workingDate }) => workingDate > '2000')
    const target = `/request/${row?.id}?workingDate=${row?.workingDate}`
    await page.goto(target)
    await logIn(page)
    await expect(page).toHaveURL(new RegExp(`${target.replaceAll('?', '\\?')}$`))
    await expect(page.getByRole('heading', { name: '依頼詳細' })).toBeVisible()
  })
  expect(phone.errors).toEqual([])
})

test('[spec 6] a user without permission sees 403, and can log out', async ({ phone }) => {
  await phone.signIn('demo1')
  await expect(phone.page.getByRole('heading', { name: '403 Forbidden' })).toBeVisible()
  await phone.page.getByRole('link', { name: 'ログアウト' }).click()
  await expect(phone.page.getByRole('heading', { name: 'ログイン' })).toBeVisible()
})

test('[spec 2] an unknown route, a bad day, an unknown request, an unknown report: always a message', async ({
  crm,
  phone,
}) => {
  await phone.signIn()
  const { page } = phone
  await readyForOffline(page)
  await page.goto('/nowhere/at/all')
  await expect(page.getByRole('heading', { name: '404 Not Found' })).toBeVisible()
  const { requests, today } = await crm.state()
  const row = requests.find(({ workingDate, quickReport }) => workingDate === today && !quickReport)
  await page.goto(`/request/${row?.id}?workingDate=abc`)
  await expect(page.getByText('作業日の指定が正しくないため、直近の作業日を表示しています。')).toBeVisible()
  await expect(page.getByText(row?.requestCode ?? '').first()).toBeVisible()
  await page.goto('/request/nobody-knows')
  await expect(page.getByRole('heading', { name: '404 Not Found' })).toBeVisible()
  await page.goto('/quickReport/nobody-knows')
  await expect(page.getByRole('heading', { name: '404 Not Found' })).toBeVisible()
  await page.getByRole('link', { name: '依頼検索へ戻る' }).click()
  await expect(page.getByRole('heading', { name: '依頼検索' })).toBeVisible()
  expect(phone.errors).toEqual([])
})

test('[spec 2] other= with an unknown id: a message, and the known report is saved', async ({
  crm,
  phone,
}) => {
  await phone.signIn()
  const { page } = phone
  await readyForOffline(page)
  const row = await freeRequest(crm)
  await page.goto(`/request/${row.id}?workingDate=${row.workingDate}`)
  await registerEntry(page)
  await page.goto(`/quickReport/add/${row.id}_${row.workingDate}?other=unknown-1,unknown-2`)
  await expect(page.getByText(/見つからない報告があります/)).toBeVisible()
  await page.getByRole('radio', { name: '作業完了' }).check()
  await page.getByRole('button', { name: '保存' }).click()
  await expect.poll(async () => (await reportsOf(crm, row))[0]?.type).toBe('1')
})

test('[PL2] a malformed row from the CRM is skipped, the others are shown', async ({ crm, phone }) => {
  const { requests, today } = await crm.state()
  const [broken, ...rest] = requests.filter(({ workingDate }) => workingDate === today)
  await crm.faults([
    {
      id: 'malformed',
      kind: 'status',
      status: 200,
      path: 'request/search',
      count: 1,
      headers: { 'x-total-count': String(rest.length + 1) },
      body: [{ ...broken, workingStartTime: 'いつか' }, ...rest],
    },
  ])
  await phone.signIn()
  await expect(phone.page.getByRole('link', { name: new RegExp(rest[0]?.requestCode ?? '') })).toBeVisible()
  await expect(phone.page.getByRole('link', { name: new RegExp(broken?.requestCode ?? '') })).toHaveCount(0)
  expect(phone.errors).toEqual([])
})
