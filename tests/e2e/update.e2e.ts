/** A new version of the app between two real service workers, and the browser's offer to install it. */
import type { Page } from '@playwright/test'
import { serveSite, type DeployedSite } from './deployed-site.ts'
import { isLocked, see } from './locked.ts'
import { expect, readyForOffline, reportsOf, test as onPhone, unsentEntry } from './phone.ts'

const test = onPhone.extend<{ site: DeployedSite }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the pattern
  site: async ({}, use) => {
    const site = await serveSite()
    await use(site)
    await site.close()
  },
  baseURL: ({ site }, use) => use(site.url),
})

test.skip(!process.env['SLOW'], 'a minute or more: SLOW=1, npm run test:slow')

const offer = (page: Page) => page.getByText('新しい版があります。')
/** A worker fetches and checks the whole app first: on a loaded machine that takes a while. */
const INSTALLED_MS = 60_000
/** Longer than a page takes to come up. */
const SLOW_INSTALL_MS = 12_000
/** 設定 says which version runs. */
const runs = async (page: Page, version: string) => {
  await expect(page.getByRole('heading', { level: 1, name: '設定' })).toBeVisible({ timeout: INSTALLED_MS })
  await expect(page.getByText(version, { exact: true })).toBeVisible({ timeout: INSTALLED_MS })
}

test('[PWA][spec 5] a new version waits for はい, leaves an open form alone, and finds what was unsent and typed', async ({
  crm,
  phone,
  site,
}) => {
  const row = await unsentEntry(crm, phone)
  await phone.page.getByRole('link', { name: '退館報告' }).click()
  await phone.page.getByRole('radio', { name: '作業完了' }).check()
  await phone.page.getByLabel('その他報告内容').fill('予備機に切り替えました。')
  const form = phone.page
  await form.evaluate(() => void Object.assign(window, { isFirstVersion: true }))

  site.deploy('9.9.9')
  const second = await phone.context.newPage()
  await second.goto('/settings')
  await runs(second, '1.0.0')
  await expect(offer(second)).toBeVisible({ timeout: INSTALLED_MS })
  await expect(offer(form)).toHaveCount(0)
  await second.getByRole('button', { name: '更新する' }).click()
  await runs(second, '9.9.9')
  await expect(offer(second)).toHaveCount(0)
  await expect(second.getByRole('link', { name: '未送信 1件', exact: true })).toBeVisible()

  // the form in the other tab was not touched, and is not offered anything
  expect(await form.evaluate(() => 'isFirstVersion' in window)).toBe(true)
  await expect(form.getByLabel('その他報告内容')).toHaveValue('予備機に切り替えました。')
  await expect(offer(form)).toHaveCount(0)
  // loaded anew it is of the new version, too, and has what was typed
  let warned = ''
  form.once('dialog', (dialog) => {
    warned = dialog.type()
    void dialog.accept()
  })
  await form.reload()
  expect(warned).toBe('beforeunload')
  await expect(form.getByText('入力途中の内容を復元しました。')).toBeVisible()
  await expect(form.getByLabel('その他報告内容')).toHaveValue('予備機に切り替えました。')
  await form.getByRole('button', { name: '保存' }).click()
  await expect(second.getByRole('link', { name: '未送信 2件', exact: true })).toBeVisible()

  await crm.faults([])
  await expect(second.getByRole('link', { name: /未送信/ })).toHaveCount(0, { timeout: 30_000 })
  expect(await reportsOf(crm, row)).toMatchObject([{ type: '1', reportContent: '予備機に切り替えました。' }])
  const done = (await crm.calls()).filter(({ acted, path }) => acted && path.includes('/quickReport/'))
  expect(done.map(({ method }) => method).filter((method) => method !== 'GET')).toEqual(['POST', 'PUT'])
  expect(phone.errors).toEqual([])
})

/** As a phone that comes back from a pocket: the browser looks for a new version. */
const lookForVersion = (page: Page) =>
  page.evaluate(async () => {
    const registration = await navigator.serviceWorker.getRegistration()
    await registration?.update()
    return registration?.installing?.state
  })

test('[PWA][decisions/updates] a new version is offered, and taken, on the page that put the first one on the phone, and on one opened while it was being installed', async ({
  phone,
  site,
}) => {
  const first = phone.page
  await phone.signIn()
  await readyForOffline(first)
  // never loaded since: no worker had this page when it began
  await first.getByRole('link', { name: '設定' }).click()
  await runs(first, '1.0.0')
  site.deploy('9.9.9')
  // a slow line
  site.changeWorker(
    (text) =>
      `addEventListener('install', (event) => event.waitUntil(new Promise((done) => setTimeout(done, ${SLOW_INSTALL_MS}))));${text}`,
  )
  expect(await lookForVersion(first)).toBe('installing')
  const second = await phone.context.newPage()
  await second.goto('/settings')
  await runs(second, '1.0.0')
  for (const page of [first, second]) await expect(offer(page)).toBeVisible({ timeout: INSTALLED_MS })
  await second.close()
  await first.getByRole('button', { name: '更新する' }).click()
  await runs(first, '9.9.9')
  expect(phone.errors).toEqual([])
})

test('[PWA][decisions/updates] a new version is taken while the page goes on calling: data does not pass through the worker before it', async ({
  phone,
  site,
}) => {
  const { page } = phone
  await phone.signIn()
  await readyForOffline(page)
  site.deploy('9.9.9')
  await page.goto('/settings')
  await expect(offer(page)).toBeVisible({ timeout: INSTALLED_MS })
  await page.evaluate(() => {
    const call = (): void => void fetch('/api/check', { cache: 'no-store' }).finally(call)
    call()
  })
  await page.getByRole('button', { name: '更新する' }).click()
  await runs(page, '9.9.9')
  expect(phone.errors).toEqual([])
})

test('[PWA][SV6] a new version that comes while the screen is locked: nothing is shown, it asks for the password, and what was unsent goes afterwards, once', async ({
  crm,
  phone,
  site,
}) => {
  const { page } = phone
  const row = await unsentEntry(crm, phone)
  await page.goBack()
  await page.getByRole('link', { name: '設定' }).click()
  await page.getByText('すぐ', { exact: true }).click()
  await expect(page.getByRole('radio', { name: 'すぐ' })).toBeChecked()
  await see(page, 'hidden')
  await isLocked(page)

  site.deploy('9.9.9')
  await crm.faults([])
  await lookForVersion(page)
  const waits = () =>
    page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.waiting !== null)
  await expect.poll(waits, { timeout: INSTALLED_MS }).toBe(true)
  await isLocked(page)
  // no page of the version before is left: the next start is of the new one
  await phone.restart()
  const again = phone.page
  await again.goto('/settings')
  await isLocked(again)
  expect(await again.content()).not.toContain(row.requestCode)
  expect(await reportsOf(crm, row)).toEqual([])

  await again.getByLabel('パスワード').fill('password')
  await again.getByRole('button', { name: '開く', exact: true }).click()
  await runs(again, '9.9.9')
  await expect.poll(async () => (await reportsOf(crm, row)).length, { timeout: 30_000 }).toBe(1)
  await expect(again.getByRole('link', { name: /未送信/ })).toHaveCount(0, { timeout: 30_000 })
  expect(phone.errors).toEqual([])
})

/** Chromium makes its offer to people, not to tests. @returns whether the page kept it from being shown at once */
const makeOffer = (page: Page) =>
  page.evaluate(() => {
    const answers = { prompt: async () => void (document.body.dataset['asked'] = 'yes') }
    return !dispatchEvent(Object.assign(new Event('beforeinstallprompt', { cancelable: true }), answers))
  })

onPhone(
  '[PWA] the app can be installed; only 設定 asks, once for each offer of the browser',
  async ({ phone }) => {
    const { page } = phone
    await phone.signIn()
    await readyForOffline(page)
    const session = await phone.context.newCDPSession(page)
    expect((await session.send('Page.getInstallabilityErrors')).installabilityErrors).toEqual([])
    const { errors, data } = await session.send('Page.getAppManifest')
    expect(errors).toEqual([])
    expect(JSON.parse(data ?? '')).toMatchObject({
      name: '現場ワーク',
      start_url: '/request',
      display: 'standalone',
    })

    const add = page.getByRole('button', { name: 'ホーム画面に追加' })
    expect(await makeOffer(page)).toBe(true)
    await expect(add).toHaveCount(0)
    await page.getByRole('link', { name: '設定' }).click()
    await add.click()
    await expect(page.locator('body')).toHaveAttribute('data-asked', 'yes')
    // declined: until the browser offers it again
    await expect(add).toHaveCount(0)
    await makeOffer(page)
    await expect(add).toBeVisible()
    await page.evaluate(() => dispatchEvent(new Event('appinstalled')))
    await expect(add).toHaveCount(0)
  },
)
