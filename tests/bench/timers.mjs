/** Which timers of a page go off more often than every 30 seconds, in the page's own time. */

const LOOKED_AT_MS = 10 * 60_000
/** Before that the app does what a start leaves. */
const SETTLED_MS = 5 * 60_000
/** A little more than twice a minute: what follows on the minute's drawing and on a round keeps no even pace (seen: 22). */
const OFTEN = LOOKED_AT_MS / 25_000

/** Runs in the page, over the clock that stands in the place of its own: counts what goes off, by who asked for it. */
function countTimers() {
  // what goes off together wakes the phone once
  const TOGETHER_MS = 100
  const counts = new Map()
  window.timers_ = counts
  const note = (stack) => {
    const { times, at } = counts.get(stack) ?? { times: 0, at: -Infinity }
    const now = performance.now()
    counts.set(stack, now - at < TOGETHER_MS ? { times, at } : { times: times + 1, at: now })
  }
  const counted =
    (make) =>
    (run, ms, ...rest) => {
      // a task of its own, and no time to wait
      if (typeof run !== 'function' || !(ms > 0)) return make(run, ms, ...rest)
      const stack = new Error('timer').stack.split('\n').slice(2, 6).join(' ← ')
      const noted = (...told) => {
        note(stack)
        return run(...told)
      }
      return make(noted, ms, ...rest)
    }
  window.setTimeout = counted(window.setTimeout.bind(window))
  window.setInterval = counted(window.setInterval.bind(window))
}

/** Before a page is opened: for all pages of the browser. */
export async function startBusyTimers(page) {
  await page.clock.install()
  await page.context().addInitScript(countTimers)
}

/**
 * Ten minutes of the pages' time, after those in which they settle.
 * @param pass lets so many milliseconds of it pass @returns of each page, how often the busy ones went off
 */
export async function busyTimers(pages, pass) {
  await pass(SETTLED_MS)
  for (const page of pages) await page.evaluate(() => window.timers_.clear())
  await pass(LOOKED_AT_MS)
  const counts = await Promise.all(pages.map((page) => page.evaluate(() => [...window.timers_])))
  return counts.map((each) =>
    each.filter(([, { times }]) => times > OFTEN).map(([stack, { times }]) => ({ stack, times })),
  )
}
