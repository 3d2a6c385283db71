import type { Locator, Page } from '@playwright/test'
import { expect, readyForOffline, test } from './phone.ts'

/** In the page, before anything of it. @param which a part of the text of the control */
function pressAtOnce(which: string): void {
  const observer = new MutationObserver(() => {
    if (document.querySelector('#root')?.getAttribute('data-shell') !== 'rows') return
    observer.disconnect()
    const controls = [...document.querySelectorAll<HTMLElement>('#root a, #root button')]
    controls.find(({ textContent }) => textContent?.includes(which))?.click()
  })
  observer.observe(document, { subtree: true, childList: true, attributes: true })
}

test('[decision 0020] the list as it was last seen stands there before the app; a tap on it counts, also one that lasts; logout takes it away', async ({
  phone,
}) => {
  test.skip(!process.env['SLOW'], 'a minute or more: SLOW=1, npm run test:slow')
  await phone.signIn()
  const { page, context } = phone
  await readyForOffline(page)
  const kept = () => page.evaluate(() => localStorage.getItem('genba:first-rows'))
  // what was kept while marks were still going says what is no longer so: it is kept anew as the list stands
  await expect(page.getByText('まだオフラインで使えません')).toHaveCount(0)
  await page.evaluate(() => {
    localStorage.removeItem('genba:first-rows')
    document.querySelector('#root')?.append(new Comment('moved'))
  })
  await expect.poll(kept, { timeout: 60_000 }).not.toBeNull()
  const first = await page.getByRole('link', { name: /R26-/ }).first().textContent()

  await phone.offline(true)
  const opened = await context.newPage()
  await opened.goto('/request', { waitUntil: 'commit' })
  await expect(opened.locator('#root')).toHaveAttribute('data-shell', 'rows')
  const row = opened.getByRole('link', { name: /R26-/ }).first()
  expect(await row.textContent()).toBe(first)
  await row.click()
  await expect(opened.getByRole('heading', { name: '依頼詳細' })).toBeVisible()
  // what was written meanwhile has dropped the kept rows: they are kept again once the list stands still
  await opened.goto('/request')
  await expect(opened.getByRole('link', { name: /R26-/ }).first()).toBeVisible()
  await expect.poll(kept, { timeout: 60_000 }).not.toBeNull()
  await opened.goto('/request', { waitUntil: 'commit' })
  await expect(opened.locator('#root')).toHaveAttribute('data-shell', 'rows')
  const pressed = () =>
    opened.evaluate(() => {
      const tomorrow = [...document.querySelectorAll('button')].find((each) => each.textContent === '明日')
      tomorrow?.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }))
      tomorrow?.click()
      return document.querySelector('#root')?.getAttribute('data-shell')
    })
  expect(await pressed()).toBe('rows')
  await expect(opened.getByRole('button', { name: '明日', pressed: true })).toBeVisible()
  await opened.close()
  await expect.poll(kept, { timeout: 60_000 }).not.toBeNull()

  const held = await context.newPage()
  await held.goto('/request', { waitUntil: 'commit' })
  const rows = await held.locator('#root[data-shell="rows"] > *').first().elementHandle()
  // it may be replaced at this very moment, by one at the same place
  const box = { x: 0, y: 0 }
  const find = async () => Object.assign(box, await held.getByRole('button', { name: '明日' }).boundingBox())
  await expect.poll(async () => (await find()).y).toBeGreaterThan(0)
  await held.mouse.move(box.x + 20, box.y + 20)
  await held.mouse.down()
  // the app draws over the rows while the finger rests on the button
  await expect.poll(() => rows?.evaluate(({ isConnected }) => isConnected)).toBe(false)
  await held.mouse.up()
  await expect(held.getByRole('button', { name: '明日', pressed: true })).toBeVisible()
  await held.close()

  // pressed as it comes to stand there, before the app's first line
  for (const [which, leadsTo] of [
    ['R26-', (early) => early.getByRole('heading', { name: '依頼詳細' })],
    ['明日', (early) => early.getByRole('button', { name: '明日', pressed: true })],
  ] as [string, (page: Page) => Locator][]) {
    await expect.poll(kept, { timeout: 60_000 }).not.toBeNull()
    const early = await context.newPage()
    let loads = 0
    early.on('domcontentloaded', () => (loads += 1))
    await early.addInitScript(pressAtOnce, which)
    await early.goto('/request', { waitUntil: 'commit' })
    await expect(leadsTo(early)).toBeVisible()
    expect(loads, 'the app goes there, not the browser').toBe(1)
    await early.close()
  }

  await phone.offline(false)
  await page.goto('/logout')
  await expect(page).toHaveURL(/login/)
  expect(await kept()).toBeNull()
})

/** In a page of this site without the app: nobody opens the user's data until it lets go. */
async function holdData(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const names = (await indexedDB.databases()).flatMap(({ name }) => name ?? [])
    const user = names.map((name) => /^genba-answers-([0-9a-f]+)$/.exec(name)?.[1]).find(Boolean)
    await new Promise<void>((held) => {
      void navigator.locks.request(`genba-data-genba-${user}`, async () => {
        held()
        await new Promise((release) => Object.assign(window, { release }))
      })
    })
  })
}

test('[decision 0105] the list answers before the database is open, and goes on when it is, without a jump', async ({
  phone,
}) => {
  await phone.signIn()
  const { page, context } = phone
  await readyForOffline(page)
  await expect(page.getByText('まだオフラインで使えません')).toHaveCount(0)
  await phone.offline(true)
  const kept = () => page.evaluate(() => localStorage.getItem('genba:first-rows'))
  await page.evaluate(() => {
    localStorage.removeItem('genba:first-rows')
    document.querySelector('#root')?.append(new Comment('moved'))
  })
  await expect.poll(kept, { timeout: 60_000 }).not.toBeNull()
  const text = await page.locator('main').textContent()
  await page.goto('/icon.svg')
  await holdData(page)

  const opened = await context.newPage()
  await opened.goto('/request')
  const isDrawn = () =>
    opened.evaluate(() => {
      const [row] = document.querySelectorAll('[data-index] a')
      return Object.keys(row ?? {}).some((key) => key.startsWith('__reactProps'))
    })
  await expect.poll(isDrawn).toBe(true)
  expect(await opened.locator('main').textContent()).toBe(text)
  await opened.getByRole('button', { name: '明日' }).click()
  await expect(opened.getByRole('button', { name: '明日', pressed: true })).toBeVisible()
  // of tomorrow only the database can say
  await expect(opened.getByRole('link', { name: /R26-/ })).toHaveCount(0)
  await opened.getByRole('button', { name: '今日' }).click()
  const row = opened.getByRole('link', { name: /R26-/ }).first()
  await expect(row).toBeVisible()
  const code = /R26-\d+/.exec((await row.textContent()) ?? '')?.[0] ?? ''

  await page.evaluate(() => (window as unknown as { release(): void }).release())
  await opened.getByRole('button', { name: '明日' }).click()
  await expect(opened.getByRole('link', { name: /R26-/ }).first()).toBeVisible()
  await opened.getByRole('button', { name: '今日' }).click()
  expect(await opened.locator('main').textContent()).toBe(text)
  await row.click()
  await expect(opened.getByRole('heading', { name: '依頼詳細' })).toBeVisible()
  await expect(opened.getByText(code).first()).toBeVisible()
})
