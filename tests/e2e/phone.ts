/**
 * A phone for the browser tests: Chromium with a profile on disk, so that killing it and opening it again finds the
 * same IndexedDB, service worker and session; and the demo CRM behind the preview server as a witness.
 */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, expect, test as base, type BrowserContext, type Page } from '@playwright/test'
import { chromiumArgs, chromiumPath } from '../support/chromium.ts'

export { expect } from '@playwright/test'

interface Report {
  id: string
  requestId: string
  workingDate: string
  inTime: string | null
  outTime: string | null
  type: string | null
  reportContent: string | null
  origin: string
}
interface Row {
  id: string
  requestCode: string
  workingDate: string
  quickReport: object | null
  ttsOrder: { emergencyFlag: string | null; locationArea: { id: string; name: string } }
}

export interface Crm {
  state(): Promise<{ today: string; quickReports: Report[]; requests: Row[] }>
  faults(faults: object[]): Promise<void>
  calls(): Promise<{ method: string; path: string; acted: boolean; status: number }[]>
}

export interface Phone {
  context: BrowserContext
  page: Page
  /** What the page wrote to the console as an error, and what it threw. */
  errors: string[]
  signIn(userName?: string): Promise<void>
  offline(offline: boolean): Promise<void>
  /** The process dies; the same phone is opened again, with the signal as it was. */
  kill(): Promise<void>
}

export const test = base.extend<{ crm: Crm; phone: Phone }>({
  crm: async ({ request }, use) => {
    await request.post('/__demo/reset')
    await use({
      state: async () => (await request.get('/__demo/state')).json(),
      faults: async (faults) => void (await request.post('/__demo/faults', { data: faults })),
      calls: async () => (await request.get('/__demo/calls')).json(),
    })
  },
  phone: async ({ crm, baseURL, viewport }, use) => {
    await crm.faults([])
    const profile = mkdtempSync(join(tmpdir(), 'genba-phone-'))
    const executablePath = await chromiumPath()
    const launch = async () => {
      const context = await chromium.launchPersistentContext(profile, {
        executablePath,
        args: chromiumArgs,
        baseURL: baseURL ?? '',
        viewport,
        hasTouch: true,
        locale: 'ja-JP',
        timezoneId: 'Asia/Tokyo',
      })
      context.setDefaultTimeout(15_000)
      return context
    }
    const context = await launch()
    const phone: Phone = {
      context,
      page: context.pages()[0] ?? (await context.newPage()),
      errors: [],
      async signIn(userName = 'demo6') {
        await phone.page.goto('/login')
        await phone.page.getByLabel('ユーザー名').fill(userName)
        await phone.page.getByLabel('パスワード').fill('password')
        await phone.page.getByRole('button', { name: 'ログイン' }).click()
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
        phone.context = await launch()
        phone.page = phone.context.pages()[0] ?? (await phone.context.newPage())
      },
    }
    phone.page.on('pageerror', (error) => phone.errors.push(error.message))
    await use(phone)
    await phone.context.close()
  },
})

/** Until the app shell is on the phone and the rows of today are there with their details. */
export async function readyForOffline(page: Page): Promise<void> {
  await page.evaluate(async () => void (await navigator.serviceWorker.ready))
  await expect(page.getByText('オフラインで使えます').first()).toBeVisible()
}
