/**
 * A phone for the browser tests: Chromium with a profile on disk, so that killing it and opening it again finds the
 * same IndexedDB, service worker and session; and the demo CRM behind the preview server as a witness.
 */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, expect, type BrowserContext, type Page } from '@playwright/test'
import type { DemoState } from '#demo-crm/tables.ts'
import { chromiumArgs, chromiumPath } from '../support/chromium.ts'
import { test as base, watchPolicy } from './policy.ts'
import { tellPresses, watchPresses } from './press-log.ts'

export { expect } from '@playwright/test'

interface Row {
  id: string
  requestCode: string
  workingDate: string
  quickReport: object | null
  ttsOrder: { emergencyFlag: string | null; locationArea: { id: string; name: string } }
}

export interface Crm {
  state(): Promise<Omit<DemoState, 'requests'> & { requests: Row[] }>
  faults(faults: object[]): Promise<void>
  calls(): Promise<{ method: string; path: string; acted: boolean; status: number }[]>
}

export interface Phone {
  context: BrowserContext
  page: Page
  /** Folder of the browser's files. */
  profile: string
  /** What the page wrote to the console as an error, and what it threw. */
  errors: string[]
  signIn(userName?: string): Promise<void>
  offline(offline: boolean): Promise<void>
  /** The browser is closed properly and opened again. */
  restart(): Promise<void>
  /** The process dies; the same phone is opened again, with the signal as it was. */
  kill(): Promise<void>
}

export const test = base.extend<{ browserArgs: string[]; crm: Crm; phone: Phone }>({
  browserArgs: [[], { option: true }],
  crm: async ({ request }, use) => {
    // a connection that was kept may be closed at the moment it is used again
    const again = { maxRetries: 2 }
    await request.post('/__demo/reset', again)
    await use({
      state: async () => (await request.get('/__demo/state', again)).json(),
      faults: async (faults) => void (await request.post('/__demo/faults', { data: faults, ...again })),
      calls: async () => (await request.get('/__demo/calls', again)).json(),
    })
  },
  phone: async ({ crm, baseURL, viewport, violations, browserArgs }, use, info) => {
    await crm.faults([])
    const profile = mkdtempSync(join(tmpdir(), 'genba-phone-'))
    const executablePath = await chromiumPath()
    const launch = async () => {
      const context = await chromium.launchPersistentContext(profile, {
        executablePath,
        args: [...chromiumArgs, ...browserArgs],
        baseURL: baseURL ?? '',
        viewport,
        hasTouch: true,
        locale: 'ja-JP',
        timezoneId: 'Asia/Tokyo',
      })
      await watchPolicy(context, violations)
      await watchPresses(context)
      context.setDefaultTimeout(15_000)
      return context
    }
    const reopen = async () => {
      phone.context = await launch()
      phone.page = phone.context.pages()[0] ?? (await phone.context.newPage())
    }
    const context = await launch()
    const phone: Phone = {
      context,
      profile,
      page: context.pages()[0] ?? (await context.newPage()),
      errors: [],
      async signIn(userName = 'demo6') {
        await phone.page.goto('/login')
        await logIn(phone.page, userName)
        await expect(phone.page).not.toHaveURL(/login/)
      },
      async offline(offline) {
        await phone.context.setOffline(offline)
      },
      async kill() {
        const crashed = phone.context
        const session = await crashed.newCDPSession(phone.page)
        const closed = crashed.waitForEvent('close', { timeout: 0 }).catch(() => undefined)
        await session.send('Browser.crash').catch(() => undefined)
        await closed
        await reopen()
      },
      async restart() {
        await phone.context.close()
        await reopen()
      },
    }
    phone.page.on('pageerror', (error) => phone.errors.push(error.message))
    await use(phone)
    await tellPresses(phone.page, info)
    await phone.context.close()
  },
})

/** Fills in the login that is open; the demo's users all have one password. */
export async function logIn(page: Page, userName = 'demo6', password = 'password'): Promise<void> {
  await page.getByLabel('ユーザー名').fill(userName)
  await page.getByLabel('パスワード').fill(password)
  await page.getByRole('button', { name: 'ログイン' }).click()
}

/** Until the app shell is on the phone and the rows of today are there with their details. */
export async function readyForOffline(page: Page): Promise<void> {
  await page.evaluate(async () => void (await navigator.serviceWorker.ready))
  // what hangs on the whole window is read first, and yesterday's night work last
  await expect(page.getByText('オフラインで使えます').first()).toBeVisible({ timeout: 60_000 })
}

/** A request of today that nobody has entered, and is alone at its location. */
export async function freeRequest(crm: Crm): Promise<Row> {
  const { requests, today } = await crm.state()
  const row = requests.find(
    ({ workingDate, quickReport, ttsOrder }) =>
      workingDate === today && !quickReport && ttsOrder.emergencyFlag === '1',
  )
  if (!row) throw new Error('no request of today is free')
  return row
}

/** What the browser tests made the CRM hold for a request: not the seed's. */
export const reportsOf = async (crm: Crm, { id }: Row): Promise<DemoState['quickReports']> =>
  (await crm.state()).quickReports.filter(({ requestId, origin }) => requestId === id && origin === 'call')

/** The writing calls on quick reports, in order of arrival. */
export const writesOf = async (crm: Crm): Promise<string[]> =>
  (await crm.calls())
    .filter(({ method, path }) => method !== 'GET' && path.includes('/quickReport/'))
    .map(({ method }) => method)

/**
 * The page is told that it goes to the background, the last that a phone tells one before it kills it, and dies when what it
 * then writes is on the disk: a second tab finds it there. A death in the same moment may take what was typed last.
 * @param kept looks at the form in the tab it is given: what was typed is there
 */
export async function killHidden(phone: Phone, kept: (page: Page) => Promise<void>): Promise<void> {
  const form = phone.page.url()
  await phone.page.evaluate(() => window.dispatchEvent(new Event('pagehide')))
  const tab = await phone.context.newPage()
  await expect(async () => {
    await tab.goto(form)
    await kept(tab)
  }).toPass()
  await phone.kill()
}

/** Scrolls the sheet in front to its end: はい waits for that. */
export const readToEnd = (page: Page): Promise<void> =>
  page
    .locator('dialog[open]')
    .last()
    .evaluate((sheet) => sheet.scrollTo(0, sheet.scrollHeight))

/** 入館登録 at the current time, through its three questions, until the app says that it is on the phone. */
export async function registerEntry(page: Page): Promise<void> {
  await page.getByRole('button', { name: '入館登録' }).click()
  const popup = page.getByRole('dialog', { name: '入館登録' })
  await popup.getByRole('button', { name: '登録', exact: true }).click()
  for (const question of [
    /入館・駐車場情報と入退館連絡先を確認しましたか/,
    /現場の注意事項を確認しましたか/,
    /現在時刻（\d\d:\d\d）で入館登録します/,
  ]) {
    await expect(page.getByRole('heading', { name: question })).toBeVisible()
    await readToEnd(page)
    await page.getByRole('button', { name: 'はい' }).click()
  }
  // the save is durable before the popup goes: whoever leaves the page earlier leaves an unsaved form
  await expect(popup).toBeHidden()
}

/** Somebody signs in and registers an entry, which stays: the app is served, the CRM is not reached. @returns its request */
export async function unsentEntry(crm: Crm, { page, signIn }: Phone): Promise<Row> {
  await signIn()
  const row = await freeRequest(crm)
  await readyForOffline(page)
  await crm.faults([{ id: 'silent', kind: 'unreachable', path: '.', count: 'always' }])
  await page.getByRole('link', { name: new RegExp(row.requestCode) }).click()
  await registerEntry(page)
  await expect(page.getByRole('link', { name: '未送信 1件' })).toBeVisible()
  return row
}
