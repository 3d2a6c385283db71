/** WCAG 1.4.4 and 1.4.10: what is lost of a screen where there is little room. Functions run in the page. */
import type { Page } from '@playwright/test'

const SIZES = [
  { width: 390, height: 844 },
  { width: 320, height: 640 },
  // a phone of 390 px at 200 %
  { width: 195, height: 422 },
]
/** From here on labels break between words only. */
const ROOM_FOR_WORDS = 320

/**
 * The page itself may hear of its new size a moment later. A banner that stands elsewhere on the new one lets presses through
 * in its first moment: what begins to move is waited for.
 */
export async function resize(page: Page, size: { width: number; height: number }): Promise<void> {
  await page.setViewportSize(size)
  await page.waitForFunction(({ width, height }) => innerWidth === width && innerHeight === height, size)
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))
  await page.evaluate(async () => {
    const ends = document
      .getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity)
    await Promise.allSettled(ends.map(({ finished }) => finished))
  })
}

/** What scrolls sideways, is cut off, hidden, or broken inside a word, with the width before it. */
export async function lostWhenSmall(page: Page): Promise<string[]> {
  const before = page.viewportSize()
  const found: string[] = []
  for (const size of SIZES) {
    await resize(page, size)
    found.push(...(await lostNow(page)).map((each) => `${size.width} px: ${each}`))
  }
  if (before) await resize(page, before)
  return found
}

/** The same, as the page is. */
export const lostNow = (page: Page): Promise<string[]> => page.evaluate(lookForLost, ROOM_FOR_WORDS)

function lookForLost(roomForWords: number): string[] {
  // letters that are larger leave room for fewer of them
  const hasRoomForWords =
    (innerWidth * 16) / Number.parseFloat(getComputedStyle(document.documentElement).fontSize) >= roomForWords
  const found = new Set<string>()
  const dialogs = [...document.querySelectorAll('dialog[open]')]
  const top = dialogs.at(-1) ?? document.body
  const name = (element: Element) =>
    `${element.tagName.toLowerCase()} ${element.textContent.trim().slice(0, 24) || element.ariaLabel || element.id}`
  const scrolls = (root: Element) => root.scrollWidth > root.clientWidth
  const page = document.scrollingElement ?? document.documentElement
  for (const root of [page, ...dialogs].filter(scrolls))
    found.add(`${root.tagName} ${root.scrollWidth} > ${root.clientWidth}`)

  /** Read aloud only, or not shown. */
  const isUnseen = (element: Element) =>
    !element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) ||
    element.closest('.vh, option, [aria-hidden=true], [class^=demo-panel]')
  const boxes = new Map<Element, { x: boolean; y: boolean; box: DOMRect }>()
  /** What cuts the content of an element off, or shows its edge. */
  const frame = (element: Element) => {
    const known = boxes.get(element)
    if (known) return known
    const { overflowX, overflowY } = getComputedStyle(element)
    const cuts = (overflow: string) => overflow === 'hidden' || overflow === 'clip'
    const isControl = element.matches('button, a, input, select')
    const isRow = element.clientWidth === 0
    const made = {
      x: !isRow && (overflowX !== 'visible' || isControl),
      y: !isRow && (cuts(overflowY) || isControl),
      box: element.getBoundingClientRect(),
    }
    boxes.set(element, made)
    return made
  }
  const words = new Intl.Segmenter('ja', { granularity: 'word' })
  const texts = document.createTreeWalker(top, NodeFilter.SHOW_TEXT)
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const parent = node.parentElement
    const text = node.textContent ?? ''
    if (!parent || !text.trim() || isUnseen(parent)) continue
    const range = document.createRange()
    range.selectNodeContents(node)
    const rects = [...range.getClientRects()]
    for (let box: Element | null = parent; box; box = box.parentElement) {
      const { x, y, box: edge } = frame(box)
      const isOut = rects.some(
        ({ left, right, top: over, bottom }) =>
          (x && (left < edge.left - 1 || right > edge.right + 1)) ||
          (y && (over < edge.top - 3 || bottom > edge.bottom + 3)),
      )
      if (isOut) found.add(`cut off: ${name(parent)}`)
      if (getComputedStyle(box).position === 'fixed') break
    }
    if (rects.length < 2) continue
    if (rects.length > 3 && text.trim().length / rects.length < 2.5)
      found.add(`a column of letters: ${name(parent)}`)
    if (!hasRoomForWords || !parent.closest('button, a, h1, h2, h3, label, legend, dt')) continue
    // names break where they must
    if (getComputedStyle(parent).wordBreak === 'keep-all') continue
    let at = 0
    const topAt = (index: number) => {
      range.setStart(node, index)
      range.setEnd(node, index + 1)
      return range.getClientRects()[0]?.top
    }
    for (const { segment } of words.segment(text)) {
      const [first, last] = [topAt(at), topAt(at + segment.length - 1)]
      if (first !== undefined && last !== undefined && last > first + 4)
        found.add(`broken inside ${segment}: ${name(parent)}`)
      at += segment.length
    }
  }

  const controls = [...top.querySelectorAll<HTMLElement>('a[href], button, input, select, textarea')]
  for (const control of controls.filter((each) => !isUnseen(each))) {
    const area = control.closest('label') ?? control
    const { left: from, right: to } = area.getBoundingClientRect()
    const isIn = (icon: Element) => {
      const { left, right } = icon.getBoundingClientRect()
      return left >= from - 1 && right <= to + 1
    }
    const icons = [...area.querySelectorAll('svg')].filter((icon) => icon.checkVisibility())
    if (!icons.every(isIn)) found.add(`its icon sticks out: ${name(control)}`)
    const hits = (['center', 'start'] as const).map((block) => {
      control.scrollIntoView({ block, inline: 'nearest' })
      const { left, top: over, width, height } = area.getBoundingClientRect()
      return document.elementFromPoint(left + width / 2, over + height / 2)
    })
    // what the demo's panel covers is not the product's doing
    const isIt = (hit: Element | null) =>
      hit && (area.contains(hit) || hit.contains(area) || hit.closest('[class^=demo-panel]'))
    const [hit] = hits
    // a banner may lie in the middle of a small screen: what can be scrolled clear of it is not hidden
    if (!hits.some(isIt)) found.add(`hidden: ${name(control)} (by ${hit ? name(hit) : 'the edge'})`)
  }
  return [...found]
}
