/**
 * What a browser fetches on a first visit until the first row of the list can be tapped, from the production build: counted
 * in Chromium, as a host sends it (brotli). The service worker's own copy of the app is counted apart, and so are the
 * answers of the CRM.
 */
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import { startBenchServer } from './bench/server.mjs'
import { crmOf } from './bench/visit-suite.mjs'

const sizeOf = (folder, name) => {
  const path = join(folder, name)
  return statSync(existsSync(`${path}.br`) ? `${path}.br` : path).size
}

/** What the service worker keeps of the app, by its own list. */
function precached(folder) {
  const worker = readFileSync(join(folder, 'sw.js'), 'utf8')
  const names = [...worker.matchAll(/url:\s?["'`]([^"'`]+)["'`]/g)].map(([, name]) => name)
  return names.filter((name) => existsSync(join(folder, name)))
}

const totalOf = (folder, files) => ({
  files: files.length,
  kilobytes: files.reduce((sum, name) => sum + sizeOf(folder, name), 0) / 1_000,
})

/** The file that an address stands for; null: nothing of the build. */
function fileOf(folder, address) {
  const { protocol, pathname } = new URL(address)
  if (!protocol.startsWith('http')) return null
  const name = /\.\w+$/.test(pathname) ? pathname.slice(1) : 'index.html'
  return existsSync(join(folder, name)) && !pathname.startsWith('/api/') ? name : null
}

/**
 * @param folder of the build
 * @param options.launch what the browser is started with
 * @param options.runnerImport of Vite
 */
export async function firstVisit(folder, { launch, runnerImport }) {
  const crm = await crmOf(runnerImport)
  const server = await startBenchServer({ folder, rows: [], latencyMs: 0, compressed: true, crm })
  const browser = await chromium.launch(launch)
  try {
    const context = await browser.newContext({
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      locale: 'ja-JP',
    })
    const page = await context.newPage()
    const asked = new Set()
    // those of the service worker are events of the context alone
    page.on('request', (request) => {
      const name = request.serviceWorker() ? null : fileOf(folder, request.url())
      if (name !== null && request.method() === 'GET') asked.add(name)
    })
    await page.goto(`http://localhost:${server.port}/login`)
    await page.getByLabel('ユーザー名').fill('demo6')
    await page.getByLabel('パスワード', { exact: true }).fill('password')
    await page.getByRole('button', { name: 'ログイン', exact: true }).click()
    await page.getByRole('link', { name: /R26-/ }).first().click({ trial: true })
    const files = [...asked]
    return { names: files, ...totalOf(folder, files), worker: totalOf(folder, precached(folder)) }
  } finally {
    await browser.close()
    server.close()
  }
}
