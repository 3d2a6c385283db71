/** Every screen and popup of the table of pictures, in the demo, as somebody with a keyboard, large letters or gloves finds it. */
import { expect, test } from '@playwright/test'
import { shots } from '../screens/screens.ts'
import { afterwards, lookAround, show, signIn } from '../screens/visit.ts'
import { audit, nothing } from './audit.ts'

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
  /-lower$|-loading$|-edit$|-expired$|^contact-exit|^(request|notes|past-reports)-offline$/.test(name)

test('[WCAG 2.2] every screen and popup: axe in light and dark, 48 px targets, a visible focus, 320 px, no motion', async ({
  page,
}) => {
  test.setTimeout(600_000)
  const found = nothing()
  const missing: string[] = []
  const wanted = shots.filter(({ name }) => !isSeenElsewhere(name))
  const see = async (each: (typeof shots)[number], demo: Parameters<typeof show>[3]) => {
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
})

test('[WCAG 2.2] what looks at the screens finds a page that is wrong in every way', async ({ page }) => {
  const found = nothing()
  await page.goto('/login')
  await page.setContent(
    `<!doctype html><button id="bad" style="width:40px; height:40px; outline:none; transition:color 1s"></button><p style="width:900px">p</p>`,
  )
  await audit(page, 'a bad page', found)
  expect(found.axe.join(' ')).toContain('button-name')
  expect(found.targets).toEqual(['a bad page: bad 40px'])
  expect(found.focus).toEqual(['a bad page: bad'])
  expect(found.reflow.join(' ')).toMatch(/9\d\d > 320/)
  expect(found.motion.join(' ')).toContain('id="bad"')
})
