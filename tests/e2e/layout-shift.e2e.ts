import type { Page } from '@playwright/test'
import { addressesOf } from './addresses.ts'
import { expect, readyForOffline, test } from './phone.ts'

/** No screen may move more than this (docs/decisions/0046). */
const MOST = 0.02
/** Nothing is drawn for so long: the screen stands. */
const QUIET_MS = 300

/** Adds up what the browser reports as layout shifts, from the first paint on. */
const watchShifts = () => {
  const found = { sum: 0, where: [] as string[] }
  Object.assign(window, { shifts: found })
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      if (Reflect.get(entry, 'hadRecentInput') === true) continue
      found.sum += Number(Reflect.get(entry, 'value'))
      const sources = Reflect.get(entry, 'sources') as { node: Node | null }[]
      found.where.push(...sources.map(({ node }) => (node instanceof Element ? node.className : 'text')))
    }
  }).observe({ type: 'layout-shift', buffered: true })
}

/** Waits until nothing changes any more, and takes the sum. */
const takeShifts = (page: Page) =>
  page.evaluate(
    (quietMs) =>
      new Promise<{ sum: number; where: string[] }>((done) => {
        const end = () => {
          observer.disconnect()
          const found = Reflect.get(window, 'shifts') as { sum: number; where: string[] }
          Object.assign(window, { shifts: found })
          const told = { sum: found.sum, where: found.where.slice(0, 6) }
          found.sum = 0
          found.where = []
          done(told)
        }
        let timer = setTimeout(end, quietMs)
        const observer = new MutationObserver(() => {
          clearTimeout(timer)
          timer = setTimeout(end, quietMs)
        })
        observer.observe(document.body, { childList: true, subtree: true, characterData: true })
      }),
    QUIET_MS,
  )

test('[decision 0046] nothing moves by itself on any screen, opened cold by its address', async ({
  crm,
  phone,
}) => {
  const { context } = phone
  await context.addInitScript(watchShifts)
  const moved: string[] = []
  const look = async (page: Page, what: string) => {
    const { sum, where } = await takeShifts(page)
    if (sum > MOST) moved.push(`${what} ${sum.toFixed(3)} ${where.join(' | ')}`)
  }
  await phone.page.goto('/login')
  await expect(phone.page.getByLabel('ユーザー名')).toBeVisible()
  await look(phone.page, 'cold /login')
  await phone.signIn()
  await readyForOffline(phone.page)
  await look(phone.page, '/request after the login')
  const addresses = await addressesOf(crm)
  for (const address of addresses) {
    await phone.page.goto(address)
    await expect(phone.page.getByRole('heading', { level: 1 })).toBeVisible()
    await look(phone.page, `cold ${address}`)
  }
  expect(moved).toEqual([])
})
