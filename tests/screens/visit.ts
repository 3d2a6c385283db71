/** How the shots of `screens.ts` are come to: signing in to the demo, looking around, opening a screen. */
import { expect, type Locator, type Page } from '@playwright/test'
import type { Demo, Shot } from './demo.ts'
import { lineIsQuick, unreachable } from './faults.ts'
import { loginForm, open, settled } from './steps.ts'

const ROLES = ['button', 'link', 'radio', 'checkbox'] as const
const REQUESTS_LOOKED_AT = 12

/** When the pictures are taken, in Tokyo: the demo's first visit of the day is done, and the next one has not begun. */
const TAKEN_AT = '09:40'

/** The clock of every page goes on from there, whenever the pictures are taken. */
export async function inTheMorning(page: Page) {
  const today = new Date(Date.now() + 9 * 3_600_000).toISOString().slice(0, 10)
  await page.clock.install({ time: `${today}T${TAKEN_AT}:00+09:00` })
}

/** As demo6, unless a shot already did. */
export async function signIn(page: Page) {
  await page.goto('/login')
  // the plate stands there before the app has opened the demo CRM
  await expect(
    page
      .getByLabel('ユーザー名')
      .or(page.getByRole('heading', { name: '依頼検索' }))
      .first(),
  ).toBeVisible()
  await lineIsQuick(page)
  if (await page.getByLabel('ユーザー名').isVisible()) {
    await page.getByLabel('ユーザー名').fill('demo6')
    await page.getByLabel('パスワード').fill('password')
    await page.getByRole('button', { name: 'ログイン' }).click()
  }
  await expect(page.getByText('オフラインで使えます').first()).toBeVisible({ timeout: 60_000 })
  await page.evaluate(async () => void (await navigator.serviceWorker.ready))
}

/** Opens today's requests, and keeps what leads on from them. */
export async function lookAround(page: Page): Promise<Demo> {
  await page.goto('/request')
  await expect(page.locator('a[href^="/request/"]').first()).toBeVisible()
  await settled(page)
  await foldDone(page, false)
  const rows = await hrefsOf(page.locator('a[href^="/request/"]'))
  await foldDone(page, true)
  // the list remembers where it was left
  await page.evaluate(() => scrollTo(0, 0))
  const requests: { path: string; code: string; names: string[]; links: string[] }[] = []
  for (const path of rows.slice(0, REQUESTS_LOOKED_AT)) {
    await open(path)(page)
    await expect(
      page
        .getByRole('button', { name: /現場メモ|過去報告/ })
        .or(page.getByRole('link', { name: /現場メモ一覧/ }))
        .first(),
    ).toBeVisible()
    // what is pressed may stand there a moment after what is read
    await settled(page)
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
    requestAt: (path) => requests.find(({ links }) => links.some((each) => path.test(each)))?.path,
    link: (path) => requests.flatMap(({ links }) => links).find((each) => path.test(each)),
    id: first.pathname.split('/')[2] ?? '',
    code: requests.find(({ path }) => path === requestWith(/^入館登録$/))?.code ?? '',
    day: first.searchParams.get('workingDate') ?? '',
  }
}

/** 完了 n件, where there is one. */
async function foldDone(page: Page, folded: boolean) {
  const fold = page.getByRole('button', { name: /^完了 \d+件/, expanded: folded })
  if ((await fold.count()) === 0) return
  await fold.first().click()
  await expect(page.getByRole('button', { name: /^完了 \d+件/, expanded: !folded }).first()).toBeVisible()
}

const hrefsOf = (links: Locator) =>
  links.evaluateAll((all) => all.map((each) => each.getAttribute('href') ?? ''))

/** @returns why the picture cannot be taken, or null */
export async function show(
  page: Page,
  { heading, press = [], offline, unreachable: isSilent, act, loading }: Shot,
  path: string,
  demo: Demo | null,
): Promise<string | null> {
  await open(path)(page)
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible()
  if (path.startsWith('/login')) await loginForm(page)
  if (offline) await page.context().setOffline(true)
  if (isSilent) await unreachable(page)
  for (const each of press) {
    const name = typeof each === 'function' ? (demo ? each(demo) : '') : each
    const target = await firstOf(page, name)
    if (!target) return `nothing to press: ${String(name)}`
    // はい waits until what it is about was seen
    await page
      .locator('dialog[role="alertdialog"]')
      .evaluateAll((sheets) => sheets.at(-1)?.scrollTo(0, sheets.at(-1)?.scrollHeight ?? 0))
    const isPressed = await target.click().then(
      () => true,
      () => false,
    )
    if (!isPressed) return `cannot be pressed: ${String(name)}`
  }
  const failed = await act?.(page).then(
    () => null,
    (error: unknown) => String(error).split('\n')[0],
  )
  if (failed) return failed
  const found = page
    .getByRole('heading', { name: heading, ...(typeof heading === 'string' && { exact: true }) })
    .first()
  const isThere = await found.waitFor({ timeout: 8_000 }).then(
    () => true,
    () => false,
  )
  if (!isThere) return `${path} has no heading ${String(heading)}`
  await (loading ? page.waitForTimeout(500) : settled(page))
  return null
}

/** The signal is back. */
export async function afterwards(page: Page, shot: Shot) {
  if (shot.unreachable) await lineIsQuick(page)
  await page.context().setOffline(false)
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
