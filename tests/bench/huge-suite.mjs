/**
 * What a CRM that knows no measure costs: the longest frame, CPU 4 times slowed, while its answers are read and while they are
 * shown, beside the same app with a CRM like any other, in the same run.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { chromium } from '@playwright/test'
import { startDayServer } from './day-server.mjs'
import { startHugeServer } from './huge-server.mjs'
import { openPlainPage } from './plain-page.mjs'
import { under } from './report.mjs'

const SLOW = 4
const READING_MS = 20_000
const SHOWING_MS = 5_000
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

/** Runs in the page: the middle of the first row in sight. */
function firstRow() {
  const rows = [...document.querySelectorAll('main a')].filter((row) => row.textContent.includes('R26-'))
  const { x, y, width, height } = rows
    .map((row) => row.getBoundingClientRect())
    .find(({ top, bottom }) => top > innerHeight / 4 && bottom < innerHeight) ?? { width: 0 }
  return width > 0 && { x: x + width / 2, y: y + height / 2 }
}

/** Runs in the page. */
const isDetail = () => document.querySelector('h1')?.textContent.includes('依頼詳細')

async function framesOf(browser, server, { width, height }) {
  const page = await openPlainPage(browser, { width, height, rate: SLOW, init: watchFrames })
  const longest = () => page.evaluate(() => window.longestFrame())
  const origin = `http://localhost:${server.port}`
  try {
    await page.goto(`${origin}/seed.html`)
    await page.found(() => window.seed !== undefined)
    await page.evaluate(() => window.seed(0, 0))
    await page.goto(`${origin}/request`)
    await page.found(firstRow)
    // the start itself is another measure's
    await longest()
    await sleep(READING_MS)
    const reading = await longest()
    for (let n = 0; n < 10; n += 1) {
      await page.wheel(200, 500, 900)
      await sleep(200)
    }
    const { x, y } = await page.found(firstRow)
    await page.click(x, y)
    await page.found(isDetail)
    await sleep(SHOWING_MS)
    return { reading, showing: await longest() }
  } finally {
    await page.close()
    server.close()
  }
}

/** @param launch what the browser is started with */
export async function hugeSuite(folder, { viewport, ...launch }) {
  const frames = new Map(CRMS.map(([search]) => [search, []]))
  const browser = await chromium.launch(launch)
  try {
    for (let round = 0; round < ROUNDS; round += 1)
      for (const [search] of CRMS)
        frames.get(search).push(await framesOf(browser, await startCrm(folder, search), viewport))
  } finally {
    await browser.close()
  }
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
