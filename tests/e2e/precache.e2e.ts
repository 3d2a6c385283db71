/**
 * The service worker takes nothing but what was built (decisions/updates): between two real workers, and at the very
 * first.
 */
import { test as onPage } from './policy.ts'
import type { Page } from '@playwright/test'
import { expect } from '@playwright/test'
import { serveSite, type DeployedSite } from './deployed-site.ts'
import { install, putOn } from './put-on.ts'

const test = onPage.extend<{ site: DeployedSite }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the pattern
  site: async ({}, use) => {
    const site = await serveSite()
    await use(site)
    await site.close()
  },
  baseURL: ({ site }, use) => use(site.url),
})

/** What the caches hold under the name of a script that is none. */
const pagesAsScripts = (page: Page) =>
  page.evaluate(async () => {
    const found: string[] = []
    for (const name of await caches.keys()) {
      const cache = await caches.open(name)
      for (const request of await cache.keys()) {
        const text = (await (await cache.match(request))?.clone().text()) ?? ''
        if (/\.js/.test(request.url) && text.startsWith('<')) found.push(request.url)
      }
    }
    return found
  })

test('[decisions/updates] a page answered where a script was ends the first install, and nothing of it is kept; later it installs', async ({
  page,
  site,
}) => {
  const repair = site.spoil()
  await page.goto('/login')
  await expect(page.getByRole('heading', { name: 'ログイン' })).toBeVisible()
  expect(await install(page)).toMatch(/redundant|none/)
  expect(await pagesAsScripts(page)).toEqual([])

  repair()
  await page.reload()
  await putOn(page)
  await page.goto('/login')
  await expect(page.getByRole('heading', { name: 'ログイン' })).toBeVisible()
})

test('[decisions/updates] a page answered where a script was ends an update: the version before stays, and the next try takes it @slow', async ({
  page,
  site,
}) => {
  await page.goto('/login')
  await putOn(page)
  site.deploy('9.9.9')
  const repair = site.spoil()
  expect(await install(page)).toMatch(/redundant|activated/)
  const waits = () =>
    page.evaluate(async () => Boolean((await navigator.serviceWorker.getRegistration())?.waiting))
  expect(await waits()).toBe(false)
  expect(await pagesAsScripts(page)).toEqual([])
  await page.reload()
  await expect(page.getByRole('heading', { name: 'ログイン' })).toBeVisible()

  repair()
  expect(await install(page)).toBe('installed')
  expect(await waits()).toBe(true)
})

test('[decisions/hosting] addresses of the host are not answered with the app\u2019s page, those of the app are @slow', async ({
  page,
  site,
}) => {
  await page.goto('/login')
  await putOn(page)
  const byWorker: string[] = []
  for (const address of ['/healthz', '/version.json', '/config.json?a=b', '/assets/none.js', '/request/R1.2'])
    if ((await page.goto(site.url + address))?.fromServiceWorker()) byWorker.push(address)
  expect(byWorker).toEqual(['/request/R1.2'])
})
