/** Every screen and popup on a small phone, on its side, in くっきり, and with letters of twice the size. */
import { expect, type Page } from '@playwright/test'
import { shots } from '../screens/screens.ts'
import { afterwards, inTheMorning, lookAround, show, signIn } from '../screens/visit.ts'
import { smallTargets } from './audit.ts'
import { test } from './policy.ts'
import { lostNow, resize } from './reflow.ts'

test.skip(!process.env['SLOW'], 'a minute or more: SLOW=1, npm run test:slow')

test.use({
  baseURL: `http://localhost:${Number(process.env['E2E_PORT'] ?? 4174) + 3}`,
  trace: 'off',
  contextOptions: { reducedMotion: 'reduce' },
})

interface Mode {
  size: { width: number; height: number }
  theme?: 'outdoor'
  /** Of the root, in percent. */
  font?: number
}

const PHONE = { width: 390, height: 844 }
const ON_ITS_SIDE = { width: 844, height: 390 }
const SMALL = { width: 320, height: 640 }

const MODES: Readonly<Record<string, Mode>> = {
  くっきり: { size: PHONE, theme: 'outdoor' },
  '200 %': { size: PHONE, font: 200 },
  '844 × 390': { size: ON_ITS_SIDE },
  '844 × 390, くっきり': { size: ON_ITS_SIDE, theme: 'outdoor' },
  '320 × 640': { size: SMALL },
  '320 × 640, くっきり': { size: SMALL, theme: 'outdoor' },
}

/** WCAG 2.5.5. */
const LEAST_PX = 44
/** Of the height of a screen without a popup. */
const LEAST_CONTENT = 0.5

/** The same elements as another shot, or what takes a day of its own. */
const isSeenElsewhere = /-lower$|-loading$|-edit$|-night$|-still-inside$|-too-early$|^locked-|^demo-control$/

/** `SHOTS=request` looks at those of that name alone. */
const wanted = shots.filter(
  ({ name, guest, act, offline, unreachable }) =>
    !guest &&
    !act &&
    !offline &&
    !unreachable &&
    !isSeenElsewhere.test(name) &&
    name.startsWith(process.env['SHOTS'] ?? ''),
)

async function put(page: Page, { size, theme, font }: Partial<Mode>) {
  await page.evaluate(
    ([of, percent]) => {
      const { dataset, style } = document.documentElement
      dataset['theme'] = of
      style.fontSize = percent
    },
    [theme ?? 'light', font ? `${font}%` : ''] as const,
  )
  await resize(page, size ?? PHONE)
}

/** The share of the height that neither head nor foot take. */
const shareOfContent = (page: Page) =>
  page.evaluate(() => {
    scrollTo(0, 0)
    const main = document.querySelector('main')?.getBoundingClientRect()
    const foot = document.querySelector('footer')?.getBoundingClientRect().top ?? innerHeight
    return main ? (Math.min(main.bottom, foot) - Math.max(main.top, 0)) / innerHeight : 0
  })

async function look(page: Page, mode: Mode): Promise<string[]> {
  await put(page, mode)
  const hasPopup = (await page.locator('dialog[open]').count()) > 0
  const share = mode.size === ON_ITS_SIDE && !hasPopup ? await shareOfContent(page) : 1
  return [
    ...(share < LEAST_CONTENT ? [`only ${share.toFixed(2)} of the height is content`] : []),
    ...(await lostNow(page)),
    ...(await smallTargets(page, LEAST_PX)),
  ]
}

test('[WCAG 1.4.4][WCAG 1.4.10][WCAG 2.5.5] くっきり, 200 %, on its side, 320 × 640: nothing is cut off, hidden, wider than the screen or too small for a finger on any screen', async ({
  page,
}) => {
  test.setTimeout(900_000)
  await inTheMorning(page)
  await signIn(page)
  const demo = await lookAround(page)
  const wrong: string[] = []
  for (const shot of wanted) {
    const path = typeof shot.at === 'string' ? shot.at : shot.at(demo)
    const problem = path ? await show(page, shot, path, demo) : 'no such request today'
    if (problem) wrong.push(`${shot.name}: ${problem}`)
    else
      for (const [mode, settings] of Object.entries(MODES))
        wrong.push(...(await look(page, settings)).map((each) => `${shot.name}, ${mode}: ${each}`))
    await put(page, {})
    await afterwards(page, shot)
  }
  expect(wrong).toEqual([])
})
