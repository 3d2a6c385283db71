/** When something on a screen answers: it stands there, React itself has drawn it, and the frame is over. */

/**
 * Runs in the page before anything of it. The list of before and the skeletons stand without React, and answer nothing. It
 * looks when the page has changed: a look at each frame asks for the frames, which a page that loads does without.
 * @param targets `{ name: [selector, text] }`: the element that matches and holds the text; told as the mark `usable:<name>`
 */
export function watchUsable(targets) {
  const open = new Map(Object.entries(targets))
  const isDrawn = (element) => Object.keys(element).some((key) => key.startsWith('__reactProps'))
  const look = () => {
    for (const [name, [selector, text]] of open) {
      const found = [...document.querySelectorAll(selector)].some(
        (element) => isDrawn(element) && element.textContent.includes(text),
      )
      if (!found) continue
      open.delete(name)
      requestAnimationFrame(() => setTimeout(() => performance.mark(`usable:${name}`), 0))
    }
    if (open.size === 0) changes.disconnect()
  }
  const changes = new MutationObserver(look)
  changes.observe(document, { childList: true, subtree: true, characterData: true })
}

/**
 * Playwright's first evaluation in a page loads 330 kB of its own code, which takes 50 ms of a start at 4 times slower. It
 * therefore comes after the start.
 */
const UNTOUCHED_MS = 2_500

/** Waits for an entry of User Timing, without touching the page while it starts. */
export async function entryOf(page, name) {
  await page.waitForTimeout(UNTOUCHED_MS)
  await page.waitForFunction((entry) => performance.getEntriesByName(entry).length > 0, name, {
    polling: 500,
  })
}

/** Milliseconds from the navigation until the target could be used. */
export async function usableAt(page, name) {
  await entryOf(page, `usable:${name}`)
  return page.evaluate((mark) => performance.getEntriesByName(mark)[0].startTime, `usable:${name}`)
}

/** Milliseconds from the navigation to the first thing painted. */
export const firstPaint = (page) =>
  page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime)
