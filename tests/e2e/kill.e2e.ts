/**
 * The browser is killed in the middle of sending, again and again, on real IndexedDB: nothing is lost, nothing arrives
 * twice, photos arrive byte for byte (sync RULES SV1, SV2, OC2). Fifty records of every kind and twelve photos.
 */
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { chromium, type BrowserContext, type Page } from '@playwright/test'
import { build } from 'vite'
import { chromiumArgs, chromiumPath } from '../support/chromium.ts'
import type { Expected, KillPage } from './kill-page/kill-page.ts'
import { expect, test, type Crm } from './phone.ts'

/** Twenty in `npm run test:slow`. */
const KILLS = process.env['SLOW'] ? 20 : 4
/** Writes are slow enough that a kill meets some in every state: not sent, under way, done without an answer. */
const DELAY_MS = 250
const slowWrites = ['POST', 'PUT'].map((method) => ({
  id: method,
  kind: 'delay',
  path: '.',
  method,
  ms: DELAY_MS,
  count: 'always',
}))

const root = resolve(import.meta.dirname, '../..')
const folder = join(root, 'node_modules/.cache/kill-page')
const newProfile = () => mkdtempSync(join(tmpdir(), 'genba-kill-'))

declare global {
  interface Window {
    phone: KillPage
  }
}

test.beforeAll(async () => {
  await build({
    configFile: false,
    root: join(import.meta.dirname, 'kill-page'),
    base: '/kill/',
    logLevel: 'warn',
    build: { outDir: folder, emptyOutDir: true, target: 'es2023' },
  })
})

interface Phone {
  context: BrowserContext
  page: Page
  profile: string
}

async function openPhone(baseURL: string | undefined, profile: string): Promise<Phone> {
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: await chromiumPath(),
    args: chromiumArgs,
    baseURL: baseURL ?? '',
  })
  await context.route('**/kill/**', (route) => {
    const { pathname } = new URL(route.request().url())
    return route.fulfill({
      path: join(folder, pathname === '/kill/' ? 'index.html' : pathname.slice('/kill/'.length)),
    })
  })
  return { context, profile, page: await openTab(context) }
}

async function openTab(context: BrowserContext): Promise<Page> {
  const page = await context.newPage()
  await page.goto('/kill/')
  await page.waitForFunction(() => 'phone' in window)
  return page
}

/** SIGKILL to the browser's main process: no handler runs, nothing is flushed. */
async function kill({ context, profile }: Phone): Promise<void> {
  const closed = context.waitForEvent('close', { timeout: 0 })
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  const browsers = pids.filter((pid) => {
    const command = commandOf(pid)
    return command.includes(`--user-data-dir=${profile}`) && !command.includes('--type=')
  })
  expect(browsers).toHaveLength(1)
  process.kill(Number(browsers[0]), 'SIGKILL')
  await closed
}

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return '' // it has ended meanwhile
  }
}

// after the reset: enough requests for fifty records
test.beforeEach(async ({ crm, request }) => {
  await crm.faults([])
  await request.post('/__demo/days-ahead', { data: '14' })
})

/** Signed in, and everything saved without a signal. */
async function fullQueue({ context, page }: Phone): Promise<Expected> {
  await page.evaluate(() => window.phone.signIn('demo6'))
  await expect.poll(() => page.evaluate(() => window.phone.requests())).toBeGreaterThan(60)
  await context.setOffline(true)
  const expected = await page.evaluate(() => window.phone.saveFifty())
  expect(await unsent(page)).toMatchObject({ records: 50, photos: 12 })
  return expected
}

const unsent = (page: Page) => page.evaluate(() => window.phone.unsent())

async function expectAllSent(page: Page) {
  await expect.poll(() => unsent(page), { timeout: 90_000 }).toEqual({ records: 0, photos: 0, states: [] })
  expect(await page.evaluate(() => window.phone.problems)).toEqual([])
}

async function expectEachOnce(crm: Crm, expected: Expected) {
  const state = await crm.state()
  const made = <T extends { origin: string }>(rows: T[]) => rows.filter(({ origin }) => origin === 'call')
  const visit = (row: { requestId: string; workingDate: string }) => `${row.requestId}_${row.workingDate}`
  const requestOf = ({ requestId }: { requestId: string }) => requestId
  const reports = made(state.quickReports)
  const arrived: Expected = {
    entries: reports.map(visit),
    exits: reports.filter(({ outTime }) => outTime).map(visit),
    emergencies: made(state.emergencyReports).map(visit),
    notes: made(state.notes).map(({ note }) => note),
    safety: made(state.safety).map(visit),
    parking: made(state.customerLocationChangeRequests).map(requestOf),
    contacts: made(state.locationContactChangeRequests).map(requestOf),
    photos: state.files.map(({ sha256 }) => sha256),
  }
  const inOrder = (lists: Expected) => Object.entries(lists).map(([name, list]) => [name, list.toSorted()])
  expect(inOrder(arrived)).toEqual(inOrder(expected))
}

test('[SV1][SV2][OC2] killed again and again while sending fifty records and twelve photos: each arrives once, byte for byte', async ({
  crm,
  baseURL,
}) => {
  test.setTimeout(300_000)
  await crm.faults([])
  const profile = newProfile()
  const first = await openPhone(baseURL, profile)
  const expected = await fullQueue(first)
  // closed, not killed: of a profile killed in its first minute Chromium itself may drop all databases of a site, because
  // its own register of them (WebStorage/QuotaManager) was not on disk yet; a phone in use has been open for longer
  await first.context.close()
  await crm.faults(slowWrites)
  // another moment in every run: the kill could not be replayed exactly anyway
  const moments = Array.from({ length: KILLS }, () => Math.round(200 + Math.random() * 1_500))
  let killedWhileSending = 0
  for (const moment of moments) {
    const phone = await openPhone(baseURL, profile)
    await phone.page.waitForTimeout(moment)
    const left = await unsent(phone.page)
    if (left.records + left.photos > 0) killedWhileSending += 1
    await kill(phone)
  }
  expect(killedWhileSending, `moments ${moments.join(' ')}`).toBeGreaterThan(KILLS / 2)
  await crm.faults([])
  const last = await openPhone(baseURL, profile)
  await expectAllSent(last.page)
  await last.context.close()
  await expectEachOnce(crm, expected)
})

/** Two tabs of one phone with a full queue, and the first of them in the middle of sending it. */
async function oneOfTwoSends(crm: Crm, baseURL: string | undefined) {
  await crm.faults([])
  const phone = await openPhone(baseURL, newProfile())
  const expected = await fullQueue(phone)
  const second = await openTab(phone.context)
  await crm.faults(slowWrites)
  const before = (await crm.calls()).length
  await phone.context.setOffline(false)
  await expect
    .poll(async () => (await crm.calls()).slice(before).some(({ method }) => method === 'POST'))
    .toBe(true)
  const leader = await phone.context.newCDPSession(phone.page)
  return { phone, second, leader, expected }
}

test('[OR1][SV2] two tabs, the one that sends is killed: the other goes on, each arrives once @slow', async ({
  crm,
  baseURL,
}) => {
  test.setTimeout(180_000)
  const { phone, second, leader, expected } = await oneOfTwoSends(crm, baseURL)
  void leader.send('Page.crash').catch(() => undefined)
  await phone.page.waitForEvent('crash')
  expect((await unsent(second)).records).toBeGreaterThan(30)
  await crm.faults([])
  await expectAllSent(second)
  await phone.context.close()
  await expectEachOnce(crm, expected)
})

/**
 * Runs in the page: stops it for good once none of its transactions is open. A browser does not freeze a page within one,
 * but the debugger does, and the page would then keep every other tab from the store (decisions/tabs).
 */
function standStill() {
  const open = new Set<IDBTransaction>()
  const { prototype } = IDBDatabase
  const begin = prototype.transaction
  prototype.transaction = function transaction(...args: Parameters<typeof begin>) {
    const begun = begin.apply(this, args)
    open.add(begun)
    for (const end of ['complete', 'abort']) begun.addEventListener(end, () => open.delete(begun))
    return begun
  }
  // Transactions from before this call are over after a second.
  const stop = () => {
    if (open.size > 0) return void setTimeout(stop, 1)
    // oxlint-disable-next-line no-debugger -- this is where the page stands still
    debugger
  }
  setTimeout(stop, 1_000)
}

test('[TB1][TB2][SV2] two tabs, the one that sends stands still: the other takes over, and what thaws sends nothing again @slow', async ({
  crm,
  baseURL,
}) => {
  test.setTimeout(420_000)
  const { phone, second, leader, expected } = await oneOfTwoSends(crm, baseURL)
  await leader.send('Debugger.enable')
  const paused = new Promise((done) => leader.once('Debugger.paused', done))
  await phone.page.evaluate(standStill)
  await paused
  await crm.faults([])
  expect((await unsent(second)).records).toBeGreaterThan(30)
  // 50 s until the silence is noticed, where it begins with an answer, and 180 s for the lock of a photo under way
  await expect.poll(() => unsent(second), { timeout: 300_000 }).toEqual({ records: 0, photos: 0, states: [] })
  const calls = (await crm.calls()).length
  // it starts afresh when it hears that another leads
  const loaded = phone.page.waitForEvent('load')
  await leader.send('Debugger.disable')
  await loaded
  await phone.page.waitForFunction(() => 'phone' in window)
  await expectAllSent(phone.page)
  await expectAllSent(second)
  expect((await crm.calls()).slice(calls).filter(({ method }) => method !== 'GET')).toEqual([])
  await phone.context.close()
  await expectEachOnce(crm, expected)
})
