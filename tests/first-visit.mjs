/**
 * What a browser asks for on a first visit until the first row of the list can be tapped, from the production build: counted
 * in Chromium, as a host sends it (brotli). The service worker's own copy of the app is counted apart. The answers of the CRM
 * are no part of it.
 *
 * The page itself notes when the row answers, and what was asked for later is left out: a busy machine counts the same.
 */
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import { startBenchServer } from './bench/server.mjs'
import { usableAt, watchUsable } from './bench/usable.mjs'
import { CRM_ENV, crmOf } from './bench/visit-suite.mjs'

/** A busy machine is slow. */
const TIMEOUT_MS = 120_000

const sizeOf = (folder, name) => {
  const path = join(folder, name)
  return statSync(existsSync(`${path}.br`) ? `${path}.br` : path).size
}

/** The files that the service worker copies, by its own list. */
function precached(folder) {
  const worker = readFileSync(join(folder, 'sw.js'), 'utf8')
  const names = [...worker.matchAll(/url:\s?["'`]([^"'`]+)["'`]/g)].map(([, name]) => name)
  return [...new Set(names)].filter((name) => existsSync(join(folder, name)))
}

const totalOf = (folder, names) => ({
  names,
  kilobytes: names.reduce((sum, name) => sum + sizeOf(folder, name), 0) / 1_000,
})

/** The file that an address stands for; null: nothing of the build. */
function fileOf(folder, address) {
  const { protocol, pathname } = new URL(address)
  if (!protocol.startsWith('http') || pathname.startsWith('/api/')) return null
  const name = /\.\w+$/.test(pathname) ? pathname.slice(1) : 'index.html'
  return existsSync(join(folder, name)) ? name : null
}

/**
 * @param folder of the build
 * @param options.launch what the browser is started with
 * @param options.runnerImport of Vite
 * @returns the files and their kB, and those that the service worker copies
 */
export async function firstVisit(folder, { launch, runnerImport }) {
  const crm = await crmOf(runnerImport)
  // a build without values of its own has them from here
  const config = { ...CRM_ENV, fileStoreErrorLogFolder: 'error-logs' }
  const server = await startBenchServer({ folder, rows: [], latencyMs: 0, compressed: true, crm, config })
  const browser = await chromium.launch({ ...launch, timeout: TIMEOUT_MS })
  try {
    const visit = await visited(browser, `http://localhost:${server.port}/login`)
    const names = visit.map((address) => fileOf(folder, address)).filter((name) => name !== null)
    return { ...totalOf(folder, [...new Set(names)]), worker: totalOf(folder, precached(folder)) }
  } finally {
    await browser.close()
    server.close()
  }
}

/** A login, and its list. @returns the addresses that the page asked for until then */
async function visited(browser, address) {
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    locale: 'ja-JP',
    timezoneId: 'Asia/Tokyo',
  })
  context.setDefaultTimeout(TIMEOUT_MS)
  const page = await context.newPage()
  await page.addInitScript(watchUsable, { list: ['main a', 'R26-'] })
  // the service worker's are events of the context alone
  const asked = []
  page.on('request', (request) => asked.push(request))
  await page.goto(address)
  await page.getByLabel('ユーザー名').fill('demo6')
  await page.getByLabel('パスワード', { exact: true }).fill('password')
  await page.getByRole('button', { name: 'ログイン', exact: true }).click()
  const usable = await usableAt(page, 'list')
  await page.getByRole('link', { name: /R26-/ }).first().click({ trial: true })
  const until = usable + (await page.evaluate(() => performance.timeOrigin))
  return asked.filter((request) => request.timing().startTime <= until).map((request) => request.url())
}
