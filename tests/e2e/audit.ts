/** What is looked at on each screen as it stands: WCAG 2.2 and the house's own rules. */
import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Locator, type Page } from '@playwright/test'
import { unseenPresses } from './presses-seen.ts'
import { lostWhenSmall, resize } from './reflow.ts'
import { dependOnOrder } from './style-order.ts'

/** Smaller by design, and still 24 px (WCAG 2.5.8): links inside a line of text, and what is no part of the product. */
const SMALLER = /^(地下ピット|デモ|デモの操作を閉じる|圏外|遅延|応答なし|500|他社の編集|デモ用に入力)$/

export interface Findings {
  axe: string[]
  targets: string[]
  focus: string[]
  presses: string[]
  reflow: string[]
  motion: string[]
  order: string[]
}

export const nothing = (): Findings => ({
  axe: [],
  targets: [],
  focus: [],
  presses: [],
  reflow: [],
  motion: [],
  order: [],
})

/** Adds what it finds, with the screen's name before it. */
export async function audit(page: Page, screen: string, found: Findings): Promise<void> {
  const add = (list: string[], each: readonly string[]) =>
    list.push(...each.map((one) => `${screen}: ${one}`))
  add(found.motion, await page.evaluate(moving))
  add(found.order, await dependOnOrder(page))
  add(found.presses, await unseenPresses(page))
  add(found.axe, await axe(page))
  for (const theme of ['dark', 'outdoor']) add(found.axe, await contrastIn(page, theme))
  add(found.axe, await axeElsewhere(page))
  // a page that is used by keyboard shows its focus
  await page.keyboard.press('Tab')
  const { targets, focus } = await page.evaluate(controls)
  add(found.targets, smallOf(targets, 48))
  add(found.focus, focus)
  add(found.reflow, await lostWhenSmall(page))
}

const smallOf = (targets: ReturnType<typeof controls>['targets'], leastPx: number) =>
  targets
    .filter(({ name, least }) => least < (SMALLER.test(name) ? 24 : leastPx))
    .map(({ name, least }) => `${name} ${least}px`)

/** Controls that are smaller to a finger. */
export const smallTargets = async (page: Page, leastPx: number): Promise<string[]> =>
  smallOf((await page.evaluate(controls)).targets, leastPx)

const textOf = (violations: Awaited<ReturnType<AxeBuilder['analyze']>>['violations']) =>
  violations.map(({ id, nodes }) => `${id} ${nodes.map(({ html }) => html.slice(0, 160)).join(' ')}`)

/** There are no frames: one page is enough, and quick. */
const builder = (page: Page) => new AxeBuilder({ page }).setLegacyMode()

const axe = async (page: Page) => textOf((await builder(page).analyze()).violations)

/** A small phone, a tablet and a desk, so high that nothing lies half under a bar, where it would be a small target. */
const OTHER_SIZES = [320, 768, 1280].map((width) => ({ width, height: 4000 }))
/** axe looks at the size of targets only where it is told to. */
const targetsToo = { rules: { 'target-size': { enabled: true } } }

async function axeElsewhere(page: Page): Promise<string[]> {
  const before = page.viewportSize()
  const found: string[] = []
  for (const size of OTHER_SIZES) {
    await resize(page, size)
    const { violations } = await builder(page).options(targetsToo).analyze()
    found.push(...textOf(violations).map((text) => `${size.width} px: ${text}`))
  }
  const { width } = OTHER_SIZES.at(-1) ?? { width: 0 }
  for (const theme of ['dark', 'outdoor'])
    found.push(...(await contrastIn(page, theme)).map((text) => `${width} px: ${text}`))
  if (before) await resize(page, before)
  return found
}

/**
 * Axe in every size while a banner is in sight, before and after it looked; the colours of the other themes on a phone and
 * on a desk, or in every size.
 */
export async function axeWith(page: Page, banner: Locator, everywhere: boolean): Promise<string[]> {
  const found: string[] = []
  const before = page.viewportSize()
  for (const size of [...OTHER_SIZES, { width: 390, height: 4000 }]) {
    await resize(page, size)
    await expect(banner).toBeInViewport({ ratio: 1 })
    const { violations } = await builder(page).options(targetsToo).analyze()
    const others = everywhere || [390, 1280].includes(size.width) ? ['dark', 'outdoor'] : []
    const colours: string[][] = []
    for (const theme of others) colours.push(await contrastIn(page, theme))
    await expect(banner).toBeInViewport({ ratio: 1 })
    found.push(...[...textOf(violations), ...colours.flat()].map((text) => `${size.width} px: ${text}`))
  }
  if (before) await resize(page, before)
  return found
}

/** Only the colours change with the theme. */
async function contrastIn(page: Page, theme: string): Promise<string[]> {
  const before = await page.evaluate(wear, theme)
  const { violations } = await builder(page).withRules('color-contrast').analyze()
  await page.evaluate(wear, before)
  return textOf(violations).map((text) => `${theme}: ${text}`)
}

/** The theme at once: a colour on its way is no colour. */
function wear(theme: string): string {
  const { dataset } = document.documentElement
  const was = dataset['theme'] ?? ''
  const still = new CSSStyleSheet()
  still.replaceSync('*, ::before, ::after { transition: none !important }')
  document.adoptedStyleSheets.push(still)
  dataset['theme'] = theme
  return was
}

/** With reduced motion: what takes longer than a frame. */
function moving(): string[] {
  const seconds = (list: string) => Math.max(...list.split(',').map((each) => Number.parseFloat(each)))
  const slow = [...document.querySelectorAll('body *')].filter((element) => {
    const { animationName, animationDuration, transitionDuration } = getComputedStyle(element)
    // a banner lets presses through in its first moment: that moves nothing
    const moves = animationName.split(', ').map((each) => each !== 'none' && each !== 'flash_pass')
    const durations = animationDuration.split(', ')
    const isAnimated = moves.some((does, at) => does && seconds(durations[at] ?? '0s') > 0.001)
    return isAnimated || seconds(transitionDuration) > 0.001
  })
  return slow.map((element) => element.outerHTML.slice(0, 120))
}

/** The controls of what is on top: how large each is to a finger, and which show no focus. */
function controls() {
  const top = [...document.querySelectorAll('dialog[open]')].at(-1) ?? document.body
  const all = [...top.querySelectorAll<HTMLElement>('a[href], button, input, select, textarea')].filter(
    (each) => each.checkVisibility({ visibilityProperty: true }) && !each.matches(':disabled'),
  )
  const active = document.activeElement
  const found = all.map((control) => {
    const name =
      (control.getAttribute('aria-label') ??
        (control.textContent.trim() || control.closest('label')?.textContent.trim())) ||
      control.id
    // what is pressed: the label around it, or the row that its ::after covers
    const isRow =
      getComputedStyle(control, '::after').position === 'absolute' &&
      getComputedStyle(control).position === 'static'
    const area = (isRow && control.offsetParent) || control.closest('label') || control
    const { width, height } = area.getBoundingClientRect()
    control.focus()
    const looks = [
      getComputedStyle(control),
      getComputedStyle(control, '::after'),
      getComputedStyle(control.closest('label') ?? control),
    ]
    const isSeen = looks.some(
      ({ outlineStyle, outlineWidth }) => outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2,
    )
    return {
      name,
      least: Math.round(Math.min(width, height)),
      isSeen: isSeen || document.activeElement !== control,
    }
  })
  if (active instanceof HTMLElement) active.focus()
  return { targets: found, focus: found.filter(({ isSeen }) => !isSeen).map(({ name }) => name) }
}
