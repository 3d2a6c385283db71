/**
 * Photos of 12 megapixels in 現場メモ登録, CPU 4 times slowed: when the card is on the glass, when it may be saved, how long the
 * page's own thread stands still, and what twenty of them take of the memory. The floor is a worker that decodes and encodes
 * and does nothing else; no browser slows a worker, neither the app's nor the floor's.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { openDevice, slowPage, tap } from './device.mjs'
import { peakOver } from './memory.mjs'
import { against, limited } from './report.mjs'
import { startBenchServer } from './server.mjs'

const SLOW = 4
const MEGAPIXELS_12 = [4032, 3024]
const MANY = 20
const MEMORY_ROUNDS = 3
const REST_MS = 1_500
/** A camera is open for longer. */
const CAMERA_MS = 2_000

/** Runs in the page before anything of it: what becomes of files that are picked. */
function watchPhotos() {
  const found = { begin: 0, card: 0, ready: 0, blocked: 0 }
  window.watched_ = found
  const painted = (note) => requestAnimationFrame(() => setTimeout(() => note(performance.now()), 0))
  const cards = () => document.querySelectorAll('li button[aria-label$="を削除"]').length
  let wanted = Infinity
  document.addEventListener(
    'change',
    ({ target }) => {
      if (target.type !== 'file') return
      wanted = cards() + target.files.length
      Object.assign(found, { begin: performance.now(), card: 0, ready: 0, blocked: 0 })
    },
    { capture: true },
  )
  const look = () => {
    if (found.begin === 0) return
    if (found.card === 0 && document.querySelector('li[aria-busy]')) {
      found.card = -1
      painted((now) => (found.card = now - found.begin))
    }
    if (found.ready === 0 && cards() >= wanted) {
      found.ready = -1
      painted((now) => (found.ready = now - found.begin))
    }
  }
  const begin = () => new MutationObserver(look).observe(document, { childList: true, subtree: true })
  begin()
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries())
      if (found.begin > 0 && startTime + duration > found.begin && found.ready <= 0)
        found.blocked = Math.max(found.blocked, duration)
  }).observe({ type: 'longtask' })
}

/** Picks the files. @returns what was seen until all of them may be saved */
async function pick(page, files) {
  // as a finger does: the app starts its worker while the camera is open
  const chooser = page.waitForEvent('filechooser')
  await tap(page, page.getByText('写真を追加'))
  const opened = await chooser
  await page.waitForTimeout(CAMERA_MS)
  await opened.setFiles(files)
  await page.waitForFunction(() => window.watched_.ready > 0, null, { polling: 50, timeout: 300_000 })
  return page.evaluate(() => window.watched_)
}

/** The form, standing still. */
async function openForm(context, device, request) {
  const { page } = await slowPage(context, SLOW)
  await page.addInitScript(watchPhotos)
  await page.goto(`${device.origin}/noteLocationArea/add/bench-${request}`)
  await page.getByLabel('写真を追加').waitFor({ state: 'attached' })
  await page.waitForTimeout(REST_MS)
  return page
}

/** From a server of its own: the app's service worker would answer with the app. */
export async function openFloor(context, server) {
  const { page } = await slowPage(context, SLOW)
  await page.goto(`http://localhost:${server.port}/photo.html`)
  return page
}

/** A JPEG of this width and height, as a camera makes it. @param floor the page of `openFloor` */
export const drawnPhoto = async (floor, size) =>
  Buffer.from(await floor.evaluate(([w, h]) => window.photos.draw(w, h), size), 'base64')

async function floorOf(page, files) {
  await page.locator('input').setInputFiles(files)
  return page.evaluate(() => window.photos.made)
}

/** On disk: Playwright hands over no more than 50 MB at once. @returns the paths of so many files with this content */
export function filesWith(photo, count) {
  const folder = mkdtempSync(join(tmpdir(), 'genba-photos-'))
  return Array.from({ length: count }, (_, n) => {
    const path = join(folder, `IMG_${n}.jpg`)
    writeFileSync(path, photo)
    return path
  })
}

/** When the browser collects what is no longer needed is its own affair: one peak says little. */
async function memoryOf(context, { device, floor, many }) {
  const memory = { bare: [], peak: [] }
  for (let round = 0; round < MEMORY_ROUNDS; round++) {
    memory.bare.push(await peakOver(() => floorOf(floor, many)))
    const page = await openForm(context, device, round)
    memory.peak.push(await peakOver(() => pick(page, many)))
    await page.close()
  }
  console.log(`memory, floor and app: ${JSON.stringify(memory)}`)
  return memory
}

export async function photoSuite(context, folder, { rounds }) {
  const device = await openDevice(context, { folder, requests: MANY, entered: 1 })
  const server = await startBenchServer({ folder, rows: [], latencyMs: 0, down: true })
  const times = { floor: [], card: [], ready: [], blocked: [] }
  try {
    const floor = await openFloor(context, server)
    const photo = await drawnPhoto(floor, MEGAPIXELS_12)
    console.log(`a photo of 12 megapixels: ${(photo.byteLength / 1_000_000).toFixed(1)} MB`)
    const many = filesWith(photo, MANY)
    for (let round = 0; round < rounds; round++) {
      times.floor.push(await floorOf(floor, [many[round % MANY]]))
      const page = await openForm(context, device, round % MANY)
      const seen = await pick(page, [many[round % MANY]])
      for (const name of ['card', 'ready', 'blocked']) times[name].push(seen[name])
      await page.close()
    }
    const memory = await memoryOf(context, { device, floor, many })
    rmSync(dirname(many[0]), { recursive: true })
    return rowsOf(times, memory)
  } finally {
    device.close()
    server.close()
  }
}

function rowsOf({ floor, card, ready, blocked }, { bare, peak }) {
  const what = 'photo of 12 megapixels, CPU 4× slowed'
  return [
    limited({ id: 'photo-card', what: `${what}: picked → its card painted`, values: card, limit: 100 }),
    against({
      id: 'photo-ready',
      what: `${what}: picked → may be saved (floor: a bare worker that decodes and encodes)`,
      floor,
      app: ready,
      target: 1.2,
    }),
    limited({
      id: 'photo-blocked',
      what: `${what}: longest task on the page's thread (0: none over 50 ms)`,
      values: blocked,
      limit: 50,
    }),
    ...(peak.includes(null)
      ? []
      : [
          limited({
            id: 'photo-memory',
            what: `peak memory of all processes, ${MANY} such photos at once, over idle (floor: one after the other in a bare worker)`,
            values: peak,
            // what its page has taken it keeps: later rounds take nothing more
            floor: Math.max(...bare),
            limit: 250,
            unit: 'MB',
          }),
        ]),
  ]
}
