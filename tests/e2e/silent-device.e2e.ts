/** A database of the device that never answers: no screen waits for it without a word, whichever it is (sync RULES SV1). */
import type { Page } from '@playwright/test'
import { setLock } from './locked.ts'
import { expect, readyForOffline, test } from './phone.ts'

test.skip(!process.env['SLOW'], 'not of every run: SLOW=1, npm run test:slow')

const NAME = 'hung'
const SAID = /読み込みに時間がかかっています|端末の保存領域から、まだ返事がありません/
const LONG_MS = 11_000
/** Of these there is one for each collection, and no screen reads them. */
const OF_REPLICATION = /rx-replication-meta/

/** Runs in the page before anything of it. */
function hang(name: string) {
  const { open } = IDBFactory.prototype
  IDBFactory.prototype.open = function (...call) {
    const [database] = call
    if (database !== localStorage.getItem(name)) return open.apply(this, call)
    return Object.assign(new EventTarget(), { onsuccess: null }) as unknown as IDBOpenDBRequest
  }
}

const databases = (page: Page) =>
  page.evaluate(async () => (await indexedDB.databases()).flatMap(({ name = [] }) => name))

/** What the screen shows it waits for, and what it says of that. */
const waits = (page: Page) => page.locator('[class*=skeleton_bone]').first()
const said = (page: Page) => page.getByText(SAID).first()

for (const lock of ['off', '5'])
  test(`[SV1e][SV6] a database that never answers is said, lock ${lock}`, async ({ phone }) => {
    test.setTimeout(240_000)
    const { page, context } = phone
    await phone.signIn()
    await readyForOffline(page)
    await page.goto('/outbox')
    await expect(page.getByText('未送信の変更はありません')).toBeVisible()
    const names = (await databases(page)).filter((name) => !OF_REPLICATION.test(name))
    await context.addInitScript(hang, NAME)
    if (lock !== 'off') await setLock(page, lock)
    await page.clock.install()
    for (const name of names) {
      await page.evaluate(([key, hung]) => localStorage.setItem(key, hung), [NAME, name] as const)
      await page.goto('/outbox')
      await expect(waits(page).or(page.getByRole('main').getByRole('heading')).first(), name).toBeAttached()
      await page.clock.fastForward(LONG_MS)
      const isSaid = () => said(page).isVisible()
      const isRead = async () => !(await waits(page).isVisible())
      await expect.poll(async () => (await isSaid()) || (await isRead()), { message: name }).toBe(true)
    }
  })
