/** A version that stores otherwise, between two real service workers (SV3, decisions/updates). */
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Page } from '@playwright/test'
import { workerCode } from '#build/worker-code.ts'
import { serveSite, type DeployedSite } from './deployed-site.ts'
import { expect, test as onPhone, unsentEntry } from './phone.ts'

const root = resolve(import.meta.dirname, '../..')
const rxSchemas = JSON.parse(readFileSync(join(root, 'schemas/collections/rx-schemas.json'), 'utf8')) as {
  quickReports: { version: number }
}
const { version } = rxSchemas.quickReports

const test = onPhone.extend<{ site: DeployedSite }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the pattern
  site: async ({}, use) => {
    const site = await serveSite()
    await use(site)
    await site.close()
  },
  baseURL: ({ site }, use) => use(site.url),
})

/** The worker's own code, where quick reports are one version on. @param steps as `schemas/migrations/steps.ts` */
async function codeWith(steps: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'genba-worker-'))
  const schemas = { ...rxSchemas, quickReports: { ...rxSchemas.quickReports, version: version + 1 } }
  const [json, script] = [join(folder, 'rx-schemas.json'), join(folder, 'steps.ts')]
  writeFileSync(json, JSON.stringify(schemas))
  writeFileSync(script, `export const steps = ${steps}`)
  return workerCode(root, { './rx-schemas.json': json, '#schemas/migrations/steps.ts': script })
}

const databases = (page: Page) =>
  page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name ?? ''))

/** @returns the state in which the worker of a new version ends */
const install = (page: Page) =>
  page.evaluate(async () => {
    const registration = await navigator.serviceWorker.getRegistration()
    await registration?.update().catch(() => undefined)
    const worker = registration?.installing ?? registration?.waiting
    if (!worker) return 'none'
    return new Promise<string>((done) => {
      const look = () => worker.state !== 'installing' && done(worker.state)
      worker.addEventListener('statechange', look)
      look()
    })
  })

/**
 * Where a version is installed within seconds of a page's load, Chromium waits with its taking over until the worker before
 * was idle for half a minute (decisions/updates), and a worker that a debugger looks at, as here, never is: ends it as
 * that does.
 */
async function endActiveWorker(page: Page) {
  const session = await page.context().newCDPSession(page)
  const versions = new Promise<{ versionId: string; status: string }[]>((told) =>
    session.on('ServiceWorker.workerVersionUpdated', (event) => told(event.versions)),
  )
  await session.send('ServiceWorker.enable')
  for (const { versionId, status } of await versions)
    if (status === 'activated') await session.send('ServiceWorker.stopWorker', { versionId })
  await session.detach()
}

/** Messages of the error log that is nobody's: the worker knows no user. */
const errorLog = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<string[]>((done) => {
        const opening = indexedDB.open('genba-diagnostics')
        opening.addEventListener('success', () => {
          const reading = opening.result.transaction('values').objectStore('values').get('error  ')
          reading.addEventListener('success', () => {
            opening.result.close()
            done(((reading.result ?? []) as { message: string }[]).map(({ message }) => message))
          })
        })
      }),
  )

test.skip(!process.env['SLOW'], 'most of a minute: SLOW=1, npm run test:slow')

test('[SV3c][PWA] a version that cannot move what is stored is not installed and the one before goes on; one that can moves it, and what is unsent is there', async ({
  crm,
  phone,
  site,
}) => {
  const { page } = phone
  await unsentEntry(crm, phone)
  await page.goto('/settings')
  await expect(page.getByText('1.0.0', { exact: true })).toBeVisible()

  const step = `{ quickReports: { ${version + 1}: (document) => document } }`
  const [own, without, moving] = [await workerCode(root), await codeWith('{}'), await codeWith(step)]
  site.deploy('9.9.9')
  site.raise('quickReports', version)
  site.changeWorker((text) => text.replace(own, () => without))
  expect(await install(page)).toMatch(/redundant|none/)
  await page.reload()
  await expect(page.getByText('1.0.0', { exact: true })).toBeVisible()
  await expect(page.getByRole('link', { name: '未送信 1件', exact: true })).toBeVisible()
  expect(await errorLog(page)).toEqual([expect.stringContaining('quickReports')])

  site.changeWorker((text) => text.replace(without, () => moving))
  // the look of the page that was just loaded may still be at the version before
  await expect.poll(() => install(page), { timeout: 60_000 }).toBe('installed')
  await page.getByRole('button', { name: '更新する' }).click()
  // the worker moves what is stored, takes over, and the page begins anew
  const stores = () =>
    databases(page).then((names) => names.filter((name) => name.endsWith('--quickReports')))
  const moved = [expect.stringContaining(`--${version + 1}--`)]
  await expect(async () => expect(await stores()).toEqual(moved)).toPass({ timeout: 60_000 })
  await endActiveWorker(page)
  await expect(page.getByText('9.9.9', { exact: true })).toBeVisible({ timeout: 60_000 })
  await expect(page.getByRole('link', { name: '未送信 1件', exact: true })).toBeVisible()
  expect(await stores()).toEqual(moved)

  await crm.faults([])
  await expect(page.getByRole('link', { name: /未送信/ })).toHaveCount(0, { timeout: 30_000 })
  const made = (await crm.calls()).filter(
    ({ acted, path, method }) => acted && method !== 'GET' && path.includes('/quickReport/'),
  )
  expect(made).toHaveLength(1)
  expect(phone.errors).toEqual([])
})
