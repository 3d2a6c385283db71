/** Several CRMs on one phone: each gets its own, whichever is on the screen (decisions/config). */
import type { BrowserContext, Page, Route } from '@playwright/test'
import { createDemoCrm, type DemoCrm } from '#demo-crm/demo-crm.ts'
import { createMemoryStore } from '#demo-crm/world/store.ts'
import { expect, freeRequest, logIn, registerEntry, reportsOf, test } from './phone.ts'

test.skip(!process.env['SLOW'], 'most of a minute: SLOW=1, npm run test:slow')

const ENV = {
  crmEndpoint: 'crm',
  securityEndpoint: 'security',
  securityKey: 'demo-key',
  apiEndpoint: '/west/api/v1',
  fileStoreEndpoint: '/west/doccloud',
}
const CRMS = [
  { id: 'east', name: '東設備' },
  { id: 'west', name: '西工業', apiEndpoint: ENV.apiEndpoint, fileStoreEndpoint: ENV.fileStoreEndpoint },
]

/** Another CRM beside that of the preview, under addresses of its own; reached while the phone has signal. */
async function secondCrm(context: BrowserContext, hasSignal: () => boolean): Promise<DemoCrm> {
  const crm = createDemoCrm({ env: ENV, store: createMemoryStore(), now: Date.now })
  await context.route('**/west/**', async (route) => {
    if (!hasSignal()) return route.abort('internetdisconnected')
    return route.fulfill(await answerOf(crm, route))
  })
  return crm
}

async function answerOf(crm: DemoCrm, route: Route) {
  const call = route.request()
  const body = call.postDataBuffer()
  const request = new Request(call.url(), {
    method: call.method(),
    headers: await call.allHeaders(),
    ...(body && { body: new Uint8Array(body) }),
  })
  const response = await crm.fetch(request)
  const headers = Object.fromEntries(response.headers)
  return { status: response.status, headers, body: Buffer.from(await response.arrayBuffer()) }
}

/** The app is on the phone, and this request with all that an entry needs. */
async function readyWith(page: Page, id: string): Promise<void> {
  await page.evaluate(async () => void (await navigator.serviceWorker.ready))
  await page.goto(`/request/${id}`)
  await expect(page.getByRole('button', { name: '入館登録' })).toBeEnabled()
}

const changeTo = (page: Page, name: string) =>
  page
    .getByRole('button', { name: `「${name}」に切り替える` })
    .first()
    .click()

test('[SV5] a day for two CRMs: what is saved without signal for both reaches each its own, whichever is on the screen', async ({
  crm,
  phone,
}) => {
  let hasSignal = true
  const signal = async (on: boolean) => {
    hasSignal = on
    await phone.offline(!on)
  }
  const west = await secondCrm(phone.context, () => hasSignal)
  await phone.context.route('**/config.json', (route) => route.fulfill({ json: { crms: CRMS } }))
  const { page } = phone
  const row = await freeRequest(crm)
  await page.goto('/login')
  // the choice is there once config.json was read
  await expect(page.getByText('東設備').first()).toBeVisible()
  await changeTo(page, '西工業')
  await expect(page.getByRole('button', { name: '「東設備」に切り替える' })).toBeVisible()
  await logIn(page, 'demo6')
  await expect(page).not.toHaveURL(/login/)
  await readyWith(page, row.id)
  await page.goto('/settings')
  await changeTo(page, '東設備')
  await expect(page.getByRole('heading', { name: 'ログイン' })).toBeVisible()
  await logIn(page, 'demo6')
  await expect(page).not.toHaveURL(/login/)
  await readyWith(page, row.id)

  await signal(false)
  await page.goto(`/request/${row.id}`)
  await registerEntry(page)
  await page.goto('/settings')
  await changeTo(page, '西工業')
  await expect(page).toHaveURL(/\/request/)
  await page.goto(`/request/${row.id}`)
  await registerEntry(page)
  // the same request of the same user at both: the badge has both, and 送信状況 says whose is which
  await page.goto('/outbox')
  await expect(page.getByRole('link', { name: /未送信 2件/ }).first()).toBeVisible()
  await expect(page.getByRole('region', { name: '東設備：未送信 1件' })).toBeVisible()

  await signal(true)
  await expect(page.getByRole('region', { name: /東設備/ })).toHaveCount(0, { timeout: 60_000 })
  await expect(page.getByRole('link', { name: /未送信/ })).toHaveCount(0, { timeout: 60_000 })
  expect(await reportsOf(crm, row)).toHaveLength(1)
  const reports = (await west.inspect()).quickReports.filter(({ origin }) => origin === 'call')
  expect(reports.map(({ requestId }) => requestId)).toEqual([row.id])
  const posts = (calls: readonly { method: string; path: string }[]) =>
    calls.filter(({ method, path }) => method === 'POST' && path.includes('/quickReport'))
  expect(posts(await crm.calls()).map(({ path }) => path.startsWith('/west'))).toEqual([false])
  expect(posts(west.calls).map(({ path }) => path.startsWith('/west'))).toEqual([true])
})
