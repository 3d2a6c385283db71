/**
 * What the app costs a battery while nobody does anything and nothing waits: CPU milliseconds of its process in a minute, in
 * sight and hidden, beside a static page; and in the page's own time, which timers go off more often than every 30 seconds.
 */
import { startDayServer } from './day-server.mjs'
import { hide, passTime, quiet } from './day-suite.mjs'
import { limited } from './report.mjs'
import { startBusyTimers, busyTimers } from './timers.mjs'

const REQUESTS = 60
const MINUTE_MS = 60_000
const SETTLED_MS = 90_000
const MINUTES = Number(process.env.BENCH_IDLE_MINUTES ?? 2)
/** No aim of the issue: so much more than a page that does nothing is seen at once. */
const LIMIT_MS = 100

/** CPU milliseconds of the page's process, all its threads. */
async function cpu(session) {
  const { metrics } = await session.send('Performance.getMetrics')
  return metrics.find(({ name }) => name === 'ProcessTime').value * 1_000
}

async function minutes(page, session) {
  const found = []
  for (let n = 0; n < MINUTES; n++) {
    const before = await cpu(session)
    await page.waitForTimeout(MINUTE_MS)
    found.push((await cpu(session)) - before)
  }
  return found
}

async function watched(context, address, work) {
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('Performance.enable')
  try {
    await page.goto(address)
    return await work(page, session)
  } finally {
    await page.close()
  }
}

export async function idleSuite(context, folder) {
  const server = await startDayServer({ folder, requests: REQUESTS })
  const origin = `http://localhost:${server.port}`
  try {
    const floor = await watched(context, `${origin}/floor.html`, minutes)
    await watched(context, `${origin}/seed.html`, (page) => page.evaluate(() => window.seed(0, 0)))
    const times = await watched(context, `${origin}/request`, async (page, session) => {
      await page.getByRole('link', { name: /R26-/ }).first().waitFor()
      await quiet(server)
      await page.waitForTimeout(SETTLED_MS)
      const seen = await minutes(page, session)
      await hide(page)
      await quiet(server)
      return { seen, hidden: await minutes(page, session) }
    })
    const timers = await busyTimersOf(context, origin, server)
    return [...rowsOf(floor, times), ...timers]
  } finally {
    server.close()
  }
}

/** Of a tab that leads, and of one beside it. */
async function busyTimersOf(context, origin, server) {
  const rows = []
  const page = await context.newPage()
  await startBusyTimers(page)
  await page.goto(`${origin}/request`)
  await page.getByRole('link', { name: /R26-/ }).first().waitFor()
  await quiet(server)
  for (const where of ['in sight', 'hidden']) {
    if (where === 'hidden') await hide(page)
    const [busy] = await busyTimers([page], (ms) => passTime(page, server, ms))
    for (const { times, stack } of busy) console.log(`${where}: ${times} times in ten minutes: ${stack}`)
    rows.push({
      id: `timers-${where === 'hidden' ? 'hidden' : 'seen'}`,
      what: `timers that go off more often than every 30 s while nothing waits, ${where}`,
      unit: 'timers',
      median: busy.length,
      target: '0',
      met: busy.length === 0,
    })
  }
  await page.close()
  return rows
}

const rowsOf = (floor, times) =>
  Object.entries(times).map(([id, values]) =>
    limited({
      id: `battery-${id}`,
      what: `CPU in an idle minute, ${id === 'seen' ? 'in sight' : 'hidden'}, ${REQUESTS} requests today (floor: a static page)`,
      values,
      floor: floor.toSorted((a, b) => a - b)[Math.floor(floor.length / 2)],
      limit: LIMIT_MS,
    }),
  )
