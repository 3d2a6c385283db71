/** Takes the pictures of `screens.ts`, and says which screens it did not find. */
import { resolve } from 'node:path'
import { expect, test, type Locator, type Page } from '@playwright/test'
import { shots, type Demo, type Shot } from './screens.ts'

const folder = resolve(import.meta.dirname, '../../pictures')
const ROLES = ['button', 'link', 'radio', 'checkbox'] as const
const REQUESTS_LOOKED_AT = 12
/** PICTURES=note,past: those whose names begin so. */
const wanted = (process.env['PICTURES'] ?? '').split(',')
const chosen = shots.filter(({ name }) => wanted.some((start) => name.startsWith(start)))

test('every screen and popup', async ({ page }, { project }) => {
  await page.addInitScript((theme) => localStorage.setItem('genba:theme', theme), project.metadata['theme'])
  const missing: string[] = []
  const take = async (shot: Shot, demo: Demo | null) => {
    const path = typeof shot.at === 'string' ? shot.at : demo && shot.at(demo)
    const problem = path ? await show(page, shot, path, demo) : 'no such request today'
    if (problem) missing.push(`${shot.name}: ${problem}`)
    else
      await page.screenshot({
        path: resolve(folder, project.name, `${shot.name}.png`),
        animations: 'disabled',
      })
    await page.context().setOffline(false)
  }
  for (const shot of chosen.filter(({ guest }) => guest)) await take(shot, null)
  await signIn(page)
  const demo = await lookAround(page)
  for (const shot of chosen.filter(({ guest }) => !guest)) await take(shot, demo)
  expect(missing).toEqual([])
})

async function signIn(page: Page) {
  await page.goto('/login')
  await page.getByLabel('ユーザー名').fill('demo6')
  await page.getByLabel('パスワード').fill('password')
  await page.getByRole('button', { name: 'ログイン' }).click()
  await expect(page.getByText('オフラインで使えます').first()).toBeVisible({ timeout: 30_000 })
  await page.evaluate(async () => void (await navigator.serviceWorker.ready))
}

/** Opens today's requests, and keeps what leads on from them. */
async function lookAround(page: Page): Promise<Demo> {
  await page.goto('/request')
  await expect(page.locator('a[href^="/request/"]').first()).toBeVisible()
  const rows = await hrefsOf(page.locator('a[href^="/request/"]'))
  const requests: { path: string; code: string; names: string[]; links: string[] }[] = []
  for (const path of rows.slice(0, REQUESTS_LOOKED_AT)) {
    await page.goto(path)
    await expect(
      page
        .getByRole('button', { name: /現場メモ|過去報告/ })
        .or(page.getByRole('link', { name: /現場メモ一覧/ }))
        .first(),
    ).toBeVisible()
    const main = page.locator('main, footer')
    const names = await main.locator('button, a').evaluateAll((all) =>
      all.map((each) => {
        const by = each.getAttribute('aria-labelledby')?.split(' ')[0]
        return ((by && document.getElementById(by)?.textContent) ?? each.textContent).trim()
      }),
    )
    const code = /R\d\d-\d{6}/.exec((await page.getByLabel('依頼の概要').textContent()) ?? '')?.[0] ?? ''
    requests.push({ path, code, names, links: await hrefsOf(main.locator('a[href^="/"]')) })
  }
  const requestWith = (button: RegExp) =>
    requests.find(({ names }) => names.some((name) => button.test(name)))?.path
  const first = new URL(requestWith(/^入館登録$/) ?? '/request/none', 'http://demo')
  return {
    requestWith,
    link: (path) => requests.flatMap(({ links }) => links).find((each) => path.test(each)),
    id: first.pathname.split('/')[2] ?? '',
    code: requests.find(({ path }) => path === requestWith(/^入館登録$/))?.code ?? '',
    day: first.searchParams.get('workingDate') ?? '',
  }
}

const hrefsOf = (links: Locator) =>
  links.evaluateAll((all) => all.map((each) => each.getAttribute('href') ?? ''))

/** @returns why the picture cannot be taken, or null */
async function show(
  page: Page,
  { heading, press = [], offline }: Shot,
  path: string,
  demo: Demo | null,
): Promise<string | null> {
  await page.goto(path)
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible()
  if (offline) await page.context().setOffline(true)
  for (const each of press) {
    const name = typeof each === 'function' ? (demo ? each(demo) : '') : each
    const target = await firstOf(page, name)
    if (!target) return `nothing to press: ${String(name)}`
    const isPressed = await target.click().then(
      () => true,
      () => false,
    )
    if (!isPressed) return `cannot be pressed: ${String(name)}`
  }
  const found = page.getByRole('heading', { name: heading, exact: true }).first()
  const isThere = await found.waitFor({ timeout: 8_000 }).then(
    () => true,
    () => false,
  )
  if (!isThere) return `${path} has no heading ${heading}`
  await settled(page)
  return null
}

/** What is on top first: a popup makes the page behind it inert. */
async function firstOf(page: Page, name: string | RegExp): Promise<Locator | null> {
  const all = ROLES.map((role) =>
    page.getByRole(role, { name, ...(typeof name === 'string' && { exact: true }) }),
  )
  const [first, ...others] = all
  const any = others.reduce((either, each) => either.or(each), first ?? page.locator('button')).first()
  const isThere = await any.waitFor({ timeout: 8_000 }).then(
    () => true,
    () => false,
  )
  return isThere ? any : null
}

/** Nothing moves and nothing is on its way. */
async function settled(page: Page) {
  await expect(page.getByText('読み込み中')).toHaveCount(0)
  await page.evaluate(() =>
    Promise.all(document.getAnimations().map(({ finished }) => finished.catch(() => undefined))),
  )
  await page.waitForTimeout(300)
}
