/** Every screen and popup of the table of pictures, in the demo, as somebody with a keyboard, large letters or gloves finds it. */
import { expect, type Page } from '@playwright/test'
import type { Shot } from '../screens/demo.ts'
import { shots } from '../screens/screens.ts'
import * as fault from '../screens/faults.ts'
import * as step from '../screens/steps.ts'
import { afterwards, inTheMorning, lookAround, show, signIn } from '../screens/visit.ts'
import { audit, axeWith, nothing } from './audit.ts'
import { test } from './policy.ts'
import { dependOnOrder } from './style-order.ts'

test.use({
  baseURL: `http://localhost:${Number(process.env['E2E_PORT'] ?? 4174) + 3}`,
  // of a hundred screens it would be slower than the test
  trace: 'off',
  contextOptions: { reducedMotion: 'reduce' },
})

/**
 * The same elements as another shot: scrolled, filled in, of the other contact; or gone before it was looked at. What
 * expires needs a day without signal, and the demo CRM, which is in the page, may answer in it.
 */
const isSeenElsewhere = (name: string) =>
  /-lower$|-loading$|-edit$|-expired$|^banner-saved$|^contact-exit|^(request|notes|past-reports)-offline$/.test(
    name,
  ) || isOfNight(name)

/** They need a device on which everything has been sent; the walk leaves something refused. */
const isOfNight = (name: string) => /-night$|-still-inside$|-too-early$/.test(name)

test.skip(
  !process.env['SLOW'] && !process.env['SHOTS'],
  'every screen in every size, some minutes: npm run test:slow',
)

/** `SHOTS=popup` walks over those of that name alone. */
const ONLY = new RegExp(process.env['SHOTS'] ?? '')

/** So many walks share the screens, each in a worker of its own. */
const WALKS = 2

test.describe('every screen and popup', () => {
  test.describe.configure({ mode: 'parallel' })
  for (let walk = 1; walk <= WALKS; walk += 1)
    test(`[WCAG 2.2] part ${walk} of ${WALKS}: axe in light and dark, 48 px targets, a visible focus and press, 320 px, 200 %, no motion, no style by the order of the sheets`, async ({
      page,
    }) => {
      test.setTimeout(1_800_000)
      const wanted = shots.filter(({ name }) => !isSeenElsewhere(name) && ONLY.test(name))
      const share = Math.ceil(wanted.length / WALKS)
      await walkOver(page, wanted.slice((walk - 1) * share, walk * share))
    })
})

async function walkOver(page: Page, wanted: readonly Shot[]): Promise<void> {
  await inTheMorning(page)
  const found = nothing()
  const missing: string[] = []
  const see = async (each: Shot, demo: Parameters<typeof show>[3]) => {
    const path = typeof each.at === 'string' ? each.at : demo && each.at(demo)
    const problem = path ? await show(page, each, path, demo) : 'no such request today'
    if (problem) missing.push(`${each.name}: ${problem}`)
    else await audit(page, each.name, found)
    await afterwards(page, each)
  }
  for (const each of wanted.filter(({ guest }) => guest)) await see(each, null)
  await signIn(page)
  const demo = await lookAround(page)
  for (const each of wanted.filter(({ guest }) => !guest)) await see(each, demo)
  expect.soft(missing).toEqual([])
  for (const [what, list] of Object.entries(found)) expect.soft(list, what).toEqual([])
}

test('[WCAG 2.2][spec 4] a banner in sight: axe with the size of targets, three themes, 320 to 1280 px', async ({
  page,
}) => {
  await inTheMorning(page)
  await signIn(page)
  const request = (await page.locator('a[href^="/request/"]').first().getAttribute('href')) ?? ''
  const id = /^\/request\/([^?]+)/.exec(request)?.[1]
  // before the refusal: it loads the app, and what was refused in an earlier run was told then
  const more = await addresses(page)
  await step.open(`/emergencyReport/add/${id}`)(page)
  await fault.refuseEmergencies(page)
  await step.emergency(page)
  await step.press('保存')(page)
  const banner = page.getByRole('alert').filter({ hasText: '送信できませんでした' })
  await expect(banner).toBeVisible()
  const found: string[] = []
  for (const path of [...more, `/noteLocationArea/add/${id}`, '/request']) {
    await step.open(path)(page)
    await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible()
    await step.settled(page)
    found.push(
      ...(await axeWith(page, banner, Boolean(process.env['SLOW']))).map((each) => `${path}: ${each}`),
    )
  }
  expect(found).toEqual([])
})

/** SLOW: every screen that has an address. */
async function addresses(page: Page): Promise<string[]> {
  if (!process.env['SLOW']) return []
  test.setTimeout(1_200_000)
  const demo = await lookAround(page)
  const plain = shots.filter(({ guest, press, act, offline }) => !guest && !press && !act && !offline)
  const paths = plain.map(({ at }) => (typeof at === 'string' ? at : at(demo)))
  return [...new Set(paths.filter((path) => path !== undefined))]
}

test('[WCAG 2.2] what looks at the screens finds a page that is wrong in every way', async ({ page }) => {
  const found = nothing()
  await page.goto('about:blank')
  await page.setContent(
    `<!doctype html><button id="bad" style="width:40px; height:40px; outline:none; transition:color 1s"></button><p style="width:900px">p</p>
    <p style="overflow:hidden; width:40px; white-space:nowrap">cut off at its end</p><p style="width:1em">一文字ずつ</p>
    <h2 style="width:5em; word-break:break-all">二つの連絡先変更</h2>
    <a href="#under" style="display:block; height:48px; outline:3px solid">covered</a><div style="position:relative; margin-top:-48px; height:48px; background:red"></div>`,
  )
  await audit(page, 'a bad page', found)
  expect(found.axe.join(' ')).toContain('button-name')
  expect(found.targets).toEqual(['a bad page: bad 40px'])
  expect(found.focus).toEqual(['a bad page: bad'])
  expect(found.presses).toEqual(['a bad page: bad'])
  const lost = found.reflow.join('\n')
  expect(lost).toMatch(/320 px: HTML 9\d\d > 320/)
  expect(lost).toMatch(/195 px: HTML 9\d\d > 195/)
  expect(lost).toContain('390 px: cut off: p cut off at its end')
  expect(lost).toContain('195 px: a column of letters: p 一文字ずつ')
  expect(lost).toContain('390 px: broken inside 連絡先: h2 二つの連絡先変更')
  expect(lost).toContain('320 px: hidden: a covered')
  expect(found.motion.join(' ')).toContain('id="bad"')
  await page.setContent('<style>p { color: red }</style><p>p</p>')
  await page.evaluate(() => {
    const later = new CSSStyleSheet()
    later.replaceSync('p { color: blue }')
    document.adoptedStyleSheets.push(later)
  })
  const [paragraph, ...rest] = await dependOnOrder(page)
  expect(paragraph).toMatch(/^<p>p<\/p>: .* rgb\(0, 0, 255\) → rgb\(255, 0, 0\)/)
  expect(rest).toEqual([])
})
