/** Whether a control that is pressed looks pressed: under a thumb in a glove a pixel's move is not seen. */
import type { CDPSession, Page } from '@playwright/test'

/** What answers a touch and is not drawn by the browser itself. */
const PRESSED = 'a[href], button, summary, label:has(input)'

interface Area {
  name: string
  left: number
  top: number
  width: number
  height: number
}

/** @returns the names of controls in sight of which less than a third looks different while they are pressed */
export async function unseenPresses(page: Page): Promise<string[]> {
  const unseen = await lookOnce(page)
  // what React draws anew in between was not the one that was pressed
  const again = unseen.length > 0 ? await lookOnce(page) : []
  return unseen.filter((name) => again.includes(name))
}

async function lookOnce(page: Page): Promise<string[]> {
  const areas = await page.evaluate(areasOf, PRESSED)
  const cdp = await page.context().newCDPSession(page)
  const before = await page.screenshot({ animations: 'disabled' })
  const release = await pressAll(cdp)
  const after = await page.screenshot({ animations: 'disabled' })
  await release()
  await cdp.detach()
  // beside the app's own pages: one more of them would be one more tab
  const elsewhere = await page.context().browser()?.newContext()
  if (!elsewhere) throw new Error('nothing to compare pictures in')
  const reader = await elsewhere.newPage()
  const [first, second] = [before, after].map((shot) => shot.toString('base64'))
  const unseen = await reader.evaluate(alike, { first: first ?? '', second: second ?? '', areas })
  await elsewhere.close()
  return unseen
}

/** All of them at once, as the browser's own tools do it: nothing is answered. @returns lets them go */
async function pressAll(cdp: CDPSession): Promise<() => Promise<void>> {
  await cdp.send('DOM.enable')
  await cdp.send('CSS.enable')
  const { root } = await cdp.send('DOM.getDocument', { depth: 0 })
  const { nodeIds } = await cdp.send('DOM.querySelectorAll', { nodeId: root.nodeId, selector: PRESSED })
  const force = async (forcedPseudoClasses: string[]) => {
    for (const nodeId of nodeIds)
      // it may have gone since they were counted
      await cdp.send('CSS.forcePseudoState', { nodeId, forcedPseudoClasses }).catch(() => undefined)
  }
  await force(['active'])
  return () => force([])
}

/** Runs in the page: of what can be pressed and lies open in the window. */
function areasOf(selector: string): Area[] {
  const top = [...document.querySelectorAll('dialog[open]')].at(-1) ?? document.body
  return [...top.querySelectorAll<HTMLElement>(selector)].flatMap((control) => {
    const { left, top: y, width, height } = control.getBoundingClientRect()
    const isIn = left >= 0 && y >= 0 && left + width <= innerWidth && y + height <= innerHeight
    const hit = document.elementFromPoint(left + width / 2, y + height / 2)
    const isOpen = isIn && width > 0 && hit !== null && control.contains(hit)
    const isOff = control.matches(':disabled, [aria-disabled="true"]') || control.querySelector(':disabled')
    if (!isOpen || isOff || !control.checkVisibility({ visibilityProperty: true })) return []
    return [
      {
        name: (control.ariaLabel ?? control.textContent.trim().slice(0, 30)) || control.id,
        left,
        top: y,
        width,
        height,
      },
    ]
  })
}

/** Runs in an empty page: the names of the areas that look the same in both pictures. */
async function alike({ first, second, areas }: { first: string; second: string; areas: Area[] }) {
  const pixelsOf = async (base64: string) => {
    const blob = await (await fetch(`data:image/png;base64,${base64}`)).blob()
    const bitmap = await createImageBitmap(blob)
    const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d')
    context?.drawImage(bitmap, 0, 0)
    return ({ left, top, width, height }: Area) =>
      context?.getImageData(left, top, Math.max(1, width), Math.max(1, height)).data ?? []
  }
  const [before, after] = [await pixelsOf(first), await pixelsOf(second)]
  return areas
    .filter((area) => {
      const [was, is] = [before(area), after(area)]
      let different = 0
      for (let at = 0; at < was.length; at += 4)
        if ([0, 1, 2].some((channel) => Math.abs((was[at + channel] ?? 0) - (is[at + channel] ?? 0)) > 4))
          different += 1
      return different < was.length / 4 / 3
    })
    .map(({ name }) => name)
}
