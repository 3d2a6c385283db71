import type { Page } from '@playwright/test'
import { addressesOf, editAddressesOf } from './addresses.ts'
import { expect, readyForOffline, test } from './phone.ts'

test.skip(!process.env['SLOW'], 'a minute or more: SLOW=1, npm run test:slow')

/** No screen may move more than this (decisions/screens). */
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

/** Notes what stood above the screen before the app had drawn it, and what stands there since. */
const watchTitles = () => {
  const found = { framed: '', drawn: '' }
  Object.assign(window, { titles: found })
  const look = () => {
    for (const heading of document.querySelectorAll('h1'))
      found[heading.ariaHidden === 'true' ? 'framed' : 'drawn'] = heading.textContent
    requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
}
const titlesOf = (page: Page) =>
  page.evaluate(() => Reflect.get(window, 'titles') as { framed: string; drawn: string })

/** Notes whether the screen said that it reads, and whether its content was ever empty once it stood. */
const watchSkeletons = () => {
  const found = { read: false, blank: false }
  Object.assign(window, { skeletons: found })
  const look = () => {
    const main = document.querySelector('main')
    if (main && document.querySelector('h1:not([aria-hidden])')) {
      found.read ||= [...main.querySelectorAll('output')].some(
        ({ textContent }) => textContent === '読み込み中',
      )
      found.blank ||= main.textContent.trim() === ''
    }
    requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
}
const skeletonsOf = (page: Page) =>
  page.evaluate(() => Reflect.get(window, 'skeletons') as { read: boolean; blank: boolean })

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

test('[decisions/screens] nothing moves by itself on any screen, opened cold by its address', async ({
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

test('[手10] a screen that edits shows a skeleton until its record was read, and then moves nothing, on a slow CPU', async ({
  crm,
  phone,
}) => {
  const { context, page } = phone
  await context.addInitScript(watchShifts)
  await context.addInitScript(watchSkeletons)
  await phone.signIn()
  await readyForOffline(page)
  const slow = await context.newCDPSession(page)
  await slow.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  const seen: object[] = []
  const wanted: object[] = []
  let skeletons = 0
  for (const [address, heading] of await editAddressesOf(crm)) {
    // one that is not on the device is asked for, and comes late; what else is read keeps it no longer
    const path = `/${address.split('/')[1]}/`
    await crm.faults([{ id: 'slow', kind: 'delay', ms: 1_000, path, method: 'GET', count: 'always' }])
    await page.goto(address)
    await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible()
    await expect(page.getByRole('button', { name: '保存' })).toBeEnabled({ timeout: 45_000 })
    const { sum, where } = await takeShifts(page)
    const { read, blank } = await skeletonsOf(page)
    // a record on the device can be read before the first frame
    if (read) skeletons += 1
    seen.push({ heading, blank, moved: sum > MOST ? [sum.toFixed(3), ...where] : [] })
    wanted.push({ heading, blank: false, moved: [] })
    await crm.faults([])
  }
  expect(seen).toEqual(wanted)
  expect(skeletons).toBeGreaterThan(1)
})

test('[decisions/speed] each screen has its title above it from the first paint on', async ({
  crm,
  phone,
}) => {
  const { context, page } = phone
  await context.addInitScript(watchTitles)
  await phone.signIn()
  await readyForOffline(page)
  const addresses = [...(await addressesOf(crm)), ...(await editAddressesOf(crm)).map(([address]) => address)]
  const wrong: object[] = []
  for (const address of addresses) {
    // the list stands there itself, and what leads nowhere has no screen of its own
    if (address === '/request' || address === '/not-found') continue
    await page.goto(address)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect.poll(async () => (await titlesOf(page)).drawn).not.toBe('')
    const { framed, drawn } = await titlesOf(page)
    // a report that is there already leads on to itself
    const isHere = new URL(page.url()).pathname === new URL(address, page.url()).pathname
    if (isHere && framed !== drawn) wrong.push({ address, framed, drawn })
  }
  expect(wrong).toEqual([])
})
