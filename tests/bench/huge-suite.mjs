/**
 * What a CRM that knows no measure costs: the longest frame, CPU 4 times slowed, while its answers are read and while they are
 * shown, beside the same app with a CRM like any other, in the same run.
 */
import { startDayServer } from './day-server.mjs'
import { slowPage } from './device.mjs'
import { startHugeServer } from './huge-server.mjs'
import { under } from './report.mjs'

const SLOW = 4
const READING_MS = 20_000
const LIMIT_MS = 200
/** A garbage collection falls into the longest frame of one run and not of the next. */
const ROUNDS = 3
const CRMS = [
  ['usual', 'as they are'],
  ['many', '100,000 rows in one answer'],
  ['wide', 'texts as long as they are taken'],
]
const startCrm = (folder, search) =>
  search === 'usual' ? startDayServer({ folder, requests: 60 }) : startHugeServer({ folder, search })

/** Runs in the page, before anything of it: the longest frame since it was last asked. */
function watchFrames() {
  let last = performance.now()
  let longest = 0
  const look = (now) => {
    longest = Math.max(longest, now - last)
    last = now
    requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
  window.longestFrame = () => {
    const most = longest
    longest = 0
    return most
  }
}

const longest = (page) => page.evaluate(() => window.longestFrame())

async function framesOf(context, server) {
  const { page } = await slowPage(context, SLOW)
  await page.addInitScript(watchFrames)
  try {
    await page.goto(`http://localhost:${server.port}/seed.html`)
    await page.evaluate(() => window.seed(0, 0))
    await page.goto(`http://localhost:${server.port}/request`)
    const rows = page.getByRole('link', { name: /R26-/ })
    await rows.first().waitFor()
    // the start itself is another measure's
    await longest(page)
    await page.waitForTimeout(READING_MS)
    const reading = await longest(page)
    for (let n = 0; n < 10; n += 1) {
      await page.mouse.move(200, 500)
      await page.mouse.wheel(0, 900)
      await page.waitForTimeout(200)
    }
    await rows.first().click()
    await page.getByRole('heading', { name: '依頼詳細' }).waitFor()
    await page.waitForTimeout(5_000)
    return { reading, showing: await longest(page) }
  } finally {
    await page.close()
    server.close()
  }
}

export async function hugeSuite(context, folder) {
  const frames = new Map(CRMS.map(([search]) => [search, []]))
  for (let round = 0; round < ROUNDS; round += 1)
    for (const [search] of CRMS)
      frames.get(search).push(await framesOf(context, await startCrm(folder, search)))
  return CRMS.slice(1).flatMap(([search, named]) =>
    ['reading', 'showing'].map((kind) =>
      under({
        id: `huge-${search}-${kind}`,
        what: `longest frame while ${kind}, a CRM with ${named} (floor: a CRM like any other)`,
        floor: frames.get('usual').map((each) => each[kind]),
        app: frames.get(search).map((each) => each[kind]),
        limit: LIMIT_MS,
      }),
    ),
  )
}
