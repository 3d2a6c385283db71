/**
 * Ten times the data: 50,000 requests with 5,000 notes, 3,000 photos and 2,000 unsent changes, beside a device with 500 requests
 * and nothing else, in turns.
 */
import { coldList, heap, longestFrame } from './app.mjs'
import { openDevice, slowPage, measured } from './device.mjs'
import { against, limited, within } from './report.mjs'

const SMALL = 500
const MANY = Number(process.env.BENCH_MANY ?? 50_000)
const share = (most) => Math.round((most * MANY) / 50_000)
const REST = { notes: share(5_000), photos: share(3_000), unsent: share(2_000) }
const SLOW = 4
const LOOKED_AT_MS = 15_000
const MB = 1_000_000

/** Runs in the page before anything of it: the longest time between two frames, once it is told to begin. */
function watchFrames() {
  let before = 0
  window.longest_ = 0
  const note = (now) => {
    if (before > 0) window.longest_ = Math.max(window.longest_, now - before)
    before = now
    requestAnimationFrame(note)
  }
  requestAnimationFrame(note)
}

/** The longest frame while the app goes on with what it has to do after a start, the list in sight, on a slow phone. */
async function framesAfterStart(context, device) {
  const { page } = await slowPage(context, SLOW)
  await page.addInitScript(watchFrames)
  await page.goto(`${device.origin}/request`)
  await measured(page, 'app:operable')
  await page.evaluate(() => (window.longest_ = 0))
  await page.waitForTimeout(LOOKED_AT_MS)
  const longest = await page.evaluate(() => window.longest_)
  await page.close()
  return longest
}

async function inTurns(context, small, many, rounds) {
  const times = { small: { rows: [], operable: [] }, many: { rows: [], operable: [] }, frames: [], floor: [] }
  const start = async (device, times) => {
    const { rows, operable } = await coldList(context, device)
    times.rows.push(rows)
    times.operable.push(operable)
  }
  for (let round = 0; round < rounds; round++) {
    await start(small, times.small)
    await start(many, times.many)
    times.floor.push(await framesAfterStart(context, small))
    times.frames.push(await framesAfterStart(context, many))
  }
  return times
}

export async function manySuite(context, folder, { rounds }) {
  const small = await openDevice(context, { folder, requests: SMALL, entered: 1 })
  const begin = performance.now()
  const many = await openDevice(context, { folder, requests: MANY, entered: 1, rest: REST })
  console.log(`a device of ${MANY} requests made in ${Math.round((performance.now() - begin) / 1_000)} s`)
  await context.setOffline(true)
  try {
    const times = await inTurns(context, small, many, rounds)
    const scrolled = Math.max(...(await longestFrame(context, many)))
    const [few, all] = [await heap(context, small), await heap(context, many)]
    return rowsOf(times, scrolled, (all - few) / MB)
  } finally {
    await context.setOffline(false)
    small.close()
    many.close()
  }
}

function rowsOf({ small, many, frames, floor }, scrolled, heapOver) {
  const with_ = `${MANY} requests, ${REST.notes} notes, ${REST.photos} photos, ${REST.unsent} unsent`
  return [
    against({
      id: 'many-rows',
      what: `cold start offline → first rows, ${with_} (floor: with ${SMALL} requests)`,
      floor: small.rows,
      app: many.rows,
      target: 1.2,
    }),
    against({
      id: 'many-operable',
      what: 'the same → the list can be used',
      floor: small.operable,
      app: many.operable,
      target: 2,
    }),
    limited({
      id: 'many-frames',
      what: `longest frame in the ${LOOKED_AT_MS / 1_000} s after that, CPU ${SLOW}× slowed (floor: with ${SMALL} requests)`,
      values: frames,
      floor: floor.toSorted((a, b) => a - b)[Math.floor(floor.length / 2)],
      limit: 100,
    }),
    within({
      id: 'many-scroll',
      what: 'longest frame while they are scrolled, full speed',
      value: scrolled,
      limit: 100,
      unit: 'ms',
    }),
    within({
      id: 'many-heap',
      what: `JS heap over that with ${SMALL}`,
      value: heapOver,
      limit: 60,
      unit: 'MB',
    }),
  ]
}
