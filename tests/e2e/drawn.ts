/**
 * Which components React draws again, as its developer tools hear of it: what was there before and is drawn anew. What comes
 * new is not counted, and nothing within a popup.
 */
import type { BrowserContext, Page } from '@playwright/test'

declare global {
  interface Window {
    drawnAgain_: number
  }
}

/** From the next page of the context on. */
export const watchDrawn = (context: BrowserContext): Promise<unknown> => context.addInitScript(listen)

/** @returns how many were drawn again while `act` ran and until the page was quiet */
export async function drawnAgain(page: Page, act: () => Promise<unknown>): Promise<number> {
  // a full minute draws every time on the screen anew: none comes, however slow the machine is
  await page.clock.setFixedTime(await page.evaluate(() => Date.now()))
  await page.evaluate(quiet, 8)
  await page.evaluate(() => void (window.drawnAgain_ = 0))
  await act()
  await page.evaluate(quiet, 8)
  return page.evaluate(() => window.drawnAgain_)
}

/** Resolves once the page was quiet for longer than the list waits with the marks of what was read ahead (one second). */
export const marksDrawn = (page: Page): Promise<void> => page.evaluate(quiet, 30)

/** Runs in the page: resolves once nothing was drawn for that many polls of 50 ms, also while the page's clock is fixed. */
async function quiet(polls: number) {
  for (let [last, since] = [window.drawnAgain_, 0]; since < polls; since++) {
    await new Promise((resolve) => setTimeout(resolve, 50))
    if (window.drawnAgain_ !== last) [last, since] = [window.drawnAgain_, 0]
  }
}

/** Runs in the page before anything of it. */
function listen() {
  interface Fiber {
    tag: number
    type: unknown
    flags: number
    child: Fiber | null
    sibling: Fiber | null
    alternate: Fiber | null
  }
  /** Components of functions: bare, with a ref, in memo. */
  const FUNCTIONS = [0, 11, 14, 15]
  /** React's PerformedWork. */
  const DRAWN = 1
  const count = (now: Fiber, before: Fiber): number => {
    if (now === before || now.type === 'dialog') return 0
    let sum = FUNCTIONS.includes(now.tag) && now.flags & DRAWN ? 1 : 0
    if (now.child === before.child) return sum
    for (let child = now.child; child; child = child.sibling)
      if (child.alternate) sum += count(child, child.alternate)
    return sum
  }
  window.drawnAgain_ = 0
  Object.assign(window, {
    __REACT_DEVTOOLS_GLOBAL_HOOK__: {
      renderers: new Map(),
      supportsFiber: true,
      inject: () => 1,
      onScheduleFiberRoot: () => undefined,
      onCommitFiberUnmount: () => undefined,
      onPostCommitFiberRoot: () => undefined,
      onCommitFiberRoot(_: number, { current }: { current: Fiber }) {
        if (current.alternate) window.drawnAgain_ += count(current, current.alternate)
      },
    },
  })
}
