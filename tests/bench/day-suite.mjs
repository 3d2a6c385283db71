/** What the radio sees of a working day: the bytes of a second sync, and the calls of an hour in which nothing happens. */
import { setTimeout as sleep } from 'node:timers/promises'
import { startDayServer } from './day-server.mjs'
import { within } from './report.mjs'

const REQUESTS = 60
const QUIET_MS = 5_000
const HOUR_MS = 3_600_000
/** Less than the time limit of a call: an answer comes in real time and must not come too late in the page's. */
const STEP_MS = 10_000

/** Until the CRM has been asked nothing for a while. */
export async function quiet({ count }) {
  for (let known = -1; known !== count.calls; await sleep(QUIET_MS)) known = count.calls
}

/** Goes through so much of the page's time. */
export async function passTime(page, { count }, ms) {
  for (let at = 0; at < ms; at += STEP_MS) {
    let known
    await page.clock.runFor(STEP_MS)
    do {
      known = count.calls
      await sleep(20)
    } while (count.open > 0 || known !== count.calls)
  }
}

/** @returns how many calls there were in an hour of the page's time */
async function idleHour(page, server) {
  const before = server.count.calls
  await passTime(page, server, HOUR_MS)
  return server.count.calls - before
}

export async function hide(page) {
  await page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { get: () => 'hidden' })
    Object.defineProperty(document, 'hidden', { get: () => true })
    document.dispatchEvent(new Event('visibilitychange'))
  })
}

/** The app opened anew. @returns what the CRM was asked and what it answered until it was quiet */
async function sync(page, server) {
  const before = { ...server.count }
  await page.goto(`http://localhost:${server.port}/request`)
  await page.getByRole('link', { name: /R26-/ }).first().waitFor()
  await quiet(server)
  const since = (name) => server.count[name] - before[name]
  return { down: since('down'), bodies: since('bodies'), calls: since('calls') }
}

export async function daySuite(context, folder) {
  const server = await startDayServer({ folder, requests: REQUESTS })
  const page = await context.newPage()
  try {
    await page.goto(`http://localhost:${server.port}/seed.html`)
    await page.evaluate(() => window.seed(0, 0))
    const first = await sync(page, server)
    await page.clock.install()
    const second = await sync(page, server)
    // in the first hour the lists are not due yet
    await idleHour(page, server)
    const seen = await idleHour(page, server)
    await hide(page)
    await quiet(server)
    const hidden = await idleHour(page, server)
    const calls = `${second.calls} calls of ${first.calls}`
    const idle = (id, where, median, target) => ({
      id,
      what: `calls in an idle hour, ${where}, ${REQUESTS} requests today`,
      unit: 'calls',
      median,
      ...target,
    })
    return [
      within({
        id: 'second-sync',
        what: `bytes of the answers to an unchanged second sync of ${REQUESTS} requests, with headers (${calls})`,
        value: (second.down / first.down) * 100,
        limit: 5,
        unit: '%',
      }),
      within({
        id: 'second-sync-bodies',
        what: 'the same without headers',
        value: (second.bodies / first.bodies) * 100,
        limit: 5,
        unit: '%',
      }),
      idle('idle-seen', 'in sight', seen, {}),
      idle('idle-hidden', 'hidden', hidden, { target: '0', met: hidden === 0 }),
    ]
  } finally {
    await page.close()
    server.close()
  }
}
