/**
 * What a page was pressed and where it went, and how far it has come, attached to a test that fails: a picture does not say
 * whether a press reached its control, was taken by something that moved under it, or led nowhere, nor what is waited for.
 */
import type { BrowserContext, Page, TestInfo } from '@playwright/test'

interface Press {
  ms: number
  what: string
  target: string
  /** Somebody has answered it in place of the browser. */
  answered: boolean
}

declare global {
  interface Window {
    presses_?: Press[]
  }
}

/** Notes the last presses and moves of each page, from its first script on. */
export async function watchPresses(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const MOST = 60
    const log: Press[] = []
    window.presses_ = log
    const note = (what: string, target: string, answered: () => boolean = () => false) => {
      const press = { ms: Math.round(performance.now()), what, target, answered: false }
      log.splice(0, log.push(press) - MOST)
      // after all who listen to it
      setTimeout(() => (press.answered = answered()), 0)
    }
    const nameOf = (target: EventTarget | null) => {
      const control = target instanceof Element ? (target.closest('a, button') ?? target) : null
      return control
        ? `${control.tagName} ${control.ariaLabel ?? control.textContent.slice(0, 20)}`
        : 'the page'
    }
    for (const type of ['pointerdown', 'pointerup', 'pointercancel', 'click'])
      addEventListener(type, (event) => note(type, nameOf(event.target), () => event.defaultPrevented), {
        capture: true,
      })
    for (const type of ['pushState', 'replaceState'] as const) {
      const go = history[type].bind(history)
      history[type] = (state, unused, url) => {
        note(type, String(url))
        go(state, unused, url)
      }
    }
    addEventListener('popstate', () => note('popstate', location.pathname), { capture: true })
  })
}

/** Attached where the test did not end as it should. */
export async function tellPresses(page: Page, info: TestInfo): Promise<void> {
  if (info.status === info.expectedStatus || page.isClosed()) return
  const presses = await page.evaluate(() => window.presses_ ?? []).catch(() => [])
  const lines = presses.map(
    ({ ms, what, target, answered }) => `${ms} ms ${what} ${target}${answered ? ' (answered)' : ''}`,
  )
  // the last first: a console shows the beginning only
  const body = [page.url(), ...lines.toReversed()].join('\n')
  await info.attach('presses', { body, contentType: 'text/plain' })
  const far = await page.evaluate(howFar).catch((error: unknown) => String(error))
  await info.attach('how far', { body: JSON.stringify(far, null, 1), contentType: 'application/json' })
}

/** Runs in the page: its own marks, the files that it has asked for last, and the locks that are held or waited for. */
async function howFar() {
  const rounded = (ms: number) => Math.round(ms)
  const { held = [], pending = [] } = await navigator.locks.query()
  return {
    now: rounded(performance.now()),
    document: document.readyState,
    visibility: document.visibilityState,
    marks: performance.getEntriesByType('mark').map(({ name, startTime }) => `${rounded(startTime)} ${name}`),
    files: performance
      .getEntriesByType('resource')
      .slice(-20)
      .map(({ name, startTime, duration }) => `${rounded(startTime)}+${rounded(duration)} ${name}`),
    held: held.map(({ name }) => name),
    pending: pending.map(({ name }) => name),
  }
}
