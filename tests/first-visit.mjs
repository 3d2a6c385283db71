/**
 * What a browser asks for on a first visit until the first row of the list can be tapped, from the production build: counted
 * in Chromium, as a host sends it (brotli). The service worker's own copy of the app is counted apart. The answers of the CRM
 * are no part of it.
 *
 * The page defines each moment, so that a busy machine counts the same:
 *
 *     login form ─→ nothing more is asked for ─→ ログイン ─→ the search ─→ nothing more is asked for ─→ its answer ─→ the row
 *
 * What gives up waiting after a second (`PATIENCE_MS`) never does: only a busy machine comes to that.
 */
import { EventEmitter, once } from 'node:events'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import { startBenchServer } from './bench/server.mjs'
import { drawnAt, watchUsable } from './bench/usable.mjs'
import { CRM_ENV, crmOf } from './bench/visit-suite.mjs'

/** A busy machine is slow. */
const TIMEOUT_MS = 120_000
/** Timers of this many milliseconds or more do not run. */
const PATIENCE_MS = 1_000
/** So often in a row nothing may be asked for. */
const QUIET_ROUNDS = 20

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
  const answers = await crmOf(runnerImport)
  const search = heldCalls(/\/request\/search/)
  const crm = async (request, response, next) => {
    await search.heldFor(request)
    answers(request, response, next)
  }
  // a build without values of its own has them from here
  const config = { ...CRM_ENV, fileStoreErrorLogFolder: 'error-logs' }
  const server = await startBenchServer({ folder, rows: [], latencyMs: 0, compressed: true, crm, config })
  const browser = await chromium.launch({ ...launch, timeout: TIMEOUT_MS })
  try {
    const visit = await visited(browser, `http://localhost:${server.port}/login`, search)
    const names = visit.map((address) => fileOf(folder, address)).filter((name) => name !== null)
    return { ...totalOf(folder, [...new Set(names)]), worker: totalOf(folder, precached(folder)) }
  } finally {
    await browser.close()
    server.close()
  }
}

/** Calls that wait for `release`. */
function heldCalls(path) {
  const calls = new EventEmitter()
  let isHeld = true
  return {
    came: once(calls, 'came'),
    release() {
      isHeld = false
      calls.emit('released')
    },
    async heldFor({ url }) {
      if (!isHeld || !path.test(url)) return
      calls.emit('came')
      await once(calls, 'released')
    },
  }
}

/** Runs in the page before anything of it. */
function withoutPatience(patienceMs) {
  const { setTimeout: after } = window
  window.setTimeout = (run, ms = 0, ...args) => after(run, ms < patienceMs ? ms : 2 ** 31 - 1, ...args)
}

/** Resolves once the page is idle, round by round, and asks for nothing. */
async function settled(page, asked, open) {
  for (let quiet = 0; quiet < QUIET_ROUNDS;) {
    const before = asked.length
    await page.evaluate(async () => {
      await new Promise((done) => requestIdleCallback(done))
      await indexedDB.databases()
    })
    quiet = asked.length === before && open.size === 0 ? quiet + 1 : 0
  }
}

/** A login, and its list. @returns the addresses that the page asked for until its row was drawn */
async function visited(browser, address, search) {
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    locale: 'ja-JP',
    timezoneId: 'Asia/Tokyo',
  })
  context.setDefaultTimeout(TIMEOUT_MS)
  const page = await context.newPage()
  await page.addInitScript(withoutPatience, PATIENCE_MS)
  await page.addInitScript(watchUsable, { list: ['main a', 'R26-'] })
  // the service worker's are events of the context alone
  const [asked, open] = [[], new Set()]
  page.on('request', (request) => {
    asked.push(request)
    if (!request.url().includes('/api/')) open.add(request)
  })
  for (const end of ['requestfinished', 'requestfailed']) page.on(end, (request) => open.delete(request))
  await page.goto(address)
  await page.getByLabel('ユーザー名').fill('demo6')
  await page.getByLabel('パスワード', { exact: true }).fill('password')
  await settled(page, asked, open)
  await page.getByRole('button', { name: 'ログイン', exact: true }).click()
  await search.came
  await settled(page, asked, open)
  search.release()
  const until = (await drawnAt(page, 'list')) + (await page.evaluate(() => performance.timeOrigin))
  await page.getByRole('link', { name: /R26-/ }).first().click({ trial: true })
  return asked.filter((request) => request.timing().startTime <= until).map((request) => request.url())
}
