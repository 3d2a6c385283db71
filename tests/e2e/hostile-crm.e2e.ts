/** A CRM that is not itself, over the screens of the app: nothing of it runs, no screen is blank, no text holds one up. */
import type { Page, Route } from '@playwright/test'
import { addressesOf } from './addresses.ts'
import { expect, freeRequest, logIn, test } from './phone.ts'

test.skip(!process.env['SLOW'], 'not of every run: SLOW=1, npm run test:slow')

test.use({ serviceWorkers: 'block' })

const MARKUP = [
  '<img src=x onerror="window.ran=1">',
  '<script>window.ran=1</script>',
  '"><svg/onload=window.ran=1>',
  '<iframe srcdoc="<script>parent.ran=1</script>"></iframe>',
  '<a href="javascript:window.ran=1">依頼</a>',
  '{{constructor.constructor("window.ran=1")()}}',
  '<math><mtext><style><img src onerror=window.ran=1>',
  '</template><object data="javascript:window.ran=1">',
]
const LONG = ['あ'.repeat(100_000), '。'.repeat(100_000), '鍵は管理室。'.repeat(20_000)] as const

const ENDLESS: Record<string, string> = { situation: LONG[0], messageTts: LONG[1], parkingMethod: LONG[2] }

/** Every text that is no id, code or date has markup in it. */
function hostile(value: unknown, at = 0): unknown {
  if (typeof value === 'string')
    return /[^\p{ASCII}]/u.test(value) ? `${value}${MARKUP[at % MARKUP.length]}` : value
  if (Array.isArray(value)) return value.map((each, index) => hostile(each, at + index))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner], index) => [key, hostile(inner, at + index)]),
  )
}

/** 現況, 伝達事項 and the way to park of a request that is opened are endless. */
const endless = (value: unknown, name = ''): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, endless(inner, key)]))
    : (ENDLESS[name] ?? value)

const deep = '{"a":'.repeat(5_000) + '1' + '}'.repeat(5_000)
const WRONG = JSON.stringify([null, 1, 'x', [], { id: {} }, { id: 'w', workingDate: 7, ttsOrder: 'x' }])

/** Rows of every kind beside the CRM's own; the same page for ever. */
async function answer(route: Route) {
  const response = await route.fetch()
  const text = await response.text()
  if (!response.ok() || !/^[[{]/.test(text)) return route.fulfill({ response })
  const body = JSON.stringify(endless(hostile(JSON.parse(text))))
  const rows = body.startsWith('[')
    ? `${body.slice(0, -1)}${body === '[]' ? '' : ','}${WRONG.slice(1, -1)},${deep}]`
    : body
  const { 'content-length': _, ...own } = response.headers()
  const headers = { ...own, 'x-total-count': '100000' }
  return route.fulfill({ status: 200, headers, body: rows })
}

/** To another screen, as a link does. */
const open = (page: Page, path: string) => page.evaluate((to) => history.pushState({}, '', to), path)

test('[PL2][PL11] a hostile CRM: no script runs, no screen is blank, and 100,000 characters do not hold one up', async ({
  crm,
  page,
}) => {
  const thrown: string[] = []
  page.on('pageerror', ({ message }) => thrown.push(message))
  page.on('dialog', (dialog) => thrown.push(`dialog ${dialog.message()}`))
  const { id, workingDate } = await freeRequest(crm)
  const addresses = await addressesOf(crm)
  await page.route(/\/api\/v1\/crm-rest\//, (route) =>
    route.request().method() === 'GET' ? answer(route) : route.continue(),
  )
  await page.goto('/login')
  await logIn(page)
  await expect(page.getByRole('link', { name: /R26-/ }).first()).toBeVisible()

  const screens = [
    ...addresses,
    `/request/${id}?workingDate=${workingDate}&popup=detail`,
    '/%3Cscript%3Ewindow.ran=1%3C/script%3E',
    '/request',
  ]
  for (const path of screens) {
    await open(page, path)
    const heading = page.getByRole('heading', { level: 1 }).first()
    await expect(heading, path).toBeVisible()
    // an address that leads nowhere would show that nothing is there, and prove nothing
    if (addresses.includes(path) && path !== '/not-found')
      await expect(heading, path).not.toHaveText('ページが見つかりません')
    expect((await page.locator('#root').innerText()).trim().length, path).toBeGreaterThan(0)
    // a text that no line can be broken in took half a minute to lay out anew
    const took = await page.evaluate(() => {
      const start = performance.now()
      document.body.style.width = '380px'
      document.body.getBoundingClientRect()
      document.body.style.width = ''
      return performance.now() - start
    })
    expect(took, path).toBeLessThan(1_000)
  }
  expect(await page.evaluate(() => 'ran' in window)).toBe(false)
  expect(await page.locator('img[src="x"], iframe, object, [onerror], [onload]').count()).toBe(0)
  expect(thrown).toEqual([])
  // what is under way goes with the page
  await page.unrouteAll({ behavior: 'ignoreErrors' })
})

test('[PL11a] a CRM of 100,000 rows in one answer and a text of 10 MB: what was left out is said, and the screens answer', async ({
  crm,
  page,
}) => {
  const { requests, today } = await crm.state()
  const [row] = requests
  const rows = Array.from({ length: 100_000 }, (_, at) =>
    JSON.stringify({ id: `many-${at}`, requestCode: `R26-${at}`, workingDate: today, ttsOrder: {} }),
  )
  const window = `[${rows.join(',')}]`
  const single = JSON.stringify({
    ...row,
    id: 'many-0',
    workingDate: today,
    situation: '鍵は管理室。'.repeat(550_000),
  })
  await page.route(/\/request\/(?:search|many-)/, (route) =>
    route.fulfill({
      contentType: 'application/json',
      body: route.request().url().includes('/search') ? window : single,
    }),
  )
  await page.goto('/login')
  await page.getByLabel('ユーザー名').fill('demo6')
  await page.getByLabel('パスワード').fill('password')
  await page.getByRole('button', { name: 'ログイン' }).click()
  await expect(page.getByText('CRMの内容を一部省いています')).toBeVisible()
  await expect(page.getByText('1000件', { exact: false }).first()).toBeVisible()
  await open(page, `/request/many-0?workingDate=${today}`)
  await expect(page.getByRole('heading', { level: 1, name: '依頼詳細' })).toBeVisible()
  // ten megabytes of it
  await expect(page.getByText(/鍵は管理室。.*…/).first()).toBeAttached({ timeout: 60_000 })
  await open(page, '/request')
  await page.getByRole('button', { name: '明日', exact: true }).click()
  // tomorrow has none of them, and a window that was cut is not read: nothing of it is counted
  await expect(page.getByText('依頼がまだ届いていません。届くとここに表示します。')).toBeVisible()
  await expect(page.getByRole('button', { name: /変更/ })).not.toContainText(/\d件/)
  await expect(page.getByText('該当するデータがありません。')).toHaveCount(0)
  await page.unrouteAll({ behavior: 'ignoreErrors' })
})
