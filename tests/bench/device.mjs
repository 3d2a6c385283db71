/**
 * A device for the benches: the production build behind a server of its own (an origin of its own, so a database of its
 * own), its service worker installed, requests on it, and no signal. The floor's page is in the same service worker.
 */
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { createRequire } from 'node:module'
import { build } from 'vite'
import { startBenchServer } from './server.mjs'
import { entryOf } from './usable.mjs'

const root = resolve(import.meta.dirname, '../..')
const require = createRequire(import.meta.url)
const cache = join(root, 'node_modules/.cache/bench')

const PAGES = ['floor', 'seed', 'sync', 'peers', 'photo']

/** The benches' own pages, as they ship. @returns what was built */
export const buildOwnPages = (folder) =>
  build({
    configFile: false,
    root: import.meta.dirname,
    logLevel: 'error',
    // PouchDB asks for Node's own, which no browser has
    resolve: { alias: { events: require.resolve('events/') } },
    worker: { format: 'es' },
    build: {
      emptyOutDir: true,
      outDir: folder,
      target: 'es2023',
      assetsDir: 'bench',
      rolldownOptions: { input: PAGES.map((name) => join(import.meta.dirname, `${name}.html`)) },
    },
  })

/** The production build with the benches' pages beside it. @returns its folder */
export async function buildPages() {
  const folder = join(cache, 'app')
  rmSync(cache, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  cpSync(join(root, 'dist'), folder, { recursive: true })
  const result = await buildOwnPages(join(cache, 'pages'))
  cpSync(join(cache, 'pages'), folder, { recursive: true })
  precache(join(folder, 'sw.js'), ['floor.html', ...filesOfFloor(result.output)])
  return folder
}

/** What the floor's page loads. */
function filesOfFloor(output) {
  const byName = new Map(output.map((chunk) => [chunk.fileName, chunk]))
  const found = new Set()
  const add = (name) => {
    if (found.has(name)) return
    found.add(name)
    byName.get(name)?.imports.forEach(add)
  }
  for (const chunk of output)
    if (chunk.type === 'chunk' && chunk.isEntry && chunk.name === 'floor') add(chunk.fileName)
  return [...found]
}

function precache(worker, files) {
  const text = readFileSync(worker, 'utf8')
  // what is compressed beside it is of the worker as it was
  for (const packed of ['br', 'gz']) rmSync(`${worker}.${packed}`, { force: true })
  // the list of what is precached, by whatever name the minified worker hands it over
  const start = /\(\[(?=\{url:)/
  if (!start.test(text)) throw new Error(`${basename(worker)} has no list: the floor cannot be precached`)
  const entries = files.map((url) => `${JSON.stringify({ url, revision: 'bench' })},`).join('')
  writeFileSync(
    worker,
    text.replace(start, (list) => list + entries),
  )
}

/**
 * @param options.requests how many requests are on the device
 * @param options.entered how many of today's have an entry
 * @param options.rest how many notes, photos and unsent saves there are beside them (`seed-rest.ts`)
 */
export async function openDevice(context, { folder, requests, entered, rest = null }) {
  const server = await startBenchServer({ folder, rows: [], latencyMs: 0, down: true })
  const origin = `http://localhost:${server.port}`
  const page = await context.newPage()
  await page.goto(`${origin}/seed.html`)
  const seeded = await page.evaluate(([n, e, others]) => window.seed(n, e, others), [requests, entered, rest])
  await page.goto(`${origin}/request`)
  await page.evaluate(async () => void (await navigator.serviceWorker.ready))
  await page.getByRole('link', { name: /R26-/ }).first().waitFor()
  await settled(page, seeded.database)
  await page.close()
  await startAgain(context, origin)
  return { ...seeded, origin, close: server.close }
}

/** Chromium writes down what it has compiled beside the start; nothing tells when it is done. */
const COMPILED_MS = 5_000

/**
 * A device in use has started from its worker before, and was looked at: what was compiled then is kept
 * (decisions/speed).
 */
async function startAgain(context, origin) {
  const page = await context.newPage()
  await page.goto(`${origin}/request`)
  await measured(page, 'app:first-rows')
  await page.waitForTimeout(COMPILED_MS)
  await page.close()
}

/**
 * A device in use: the app has looked through what is new on it, marked what it found, and RxDB has noted that nothing of
 * it is to be pushed (after a pull it knows that at once). The sync itself begins some time after the screen stands.
 */
async function settled(page, database) {
  let known = ''
  for (let same = 0; same < 5; await page.waitForTimeout(2_000)) {
    const now = JSON.stringify(await page.evaluate(progress, database))
    same = now === known ? same + 1 : 0
    known = now
  }
}

/** Runs in the page: how many lists are marked, and how far RxDB's replications have come. */
async function progress(database) {
  const names = (await indexedDB.databases()).map(({ name }) => name)
  const read = async (name, all) => {
    const opening = indexedDB.open(name)
    await new Promise((done) => opening.addEventListener('success', done))
    const docs = all(opening.result.transaction('docs').objectStore('docs'))
    await new Promise((done) => docs.addEventListener('success', done))
    opening.result.close()
    return docs.result
  }
  const metas = names.filter((name) => name.startsWith(`rxdb-dexie-${database}--0--rx-replication-meta-`))
  const checkpoints = metas.map(async (name) => {
    const docs = await read(name, (store) => store.getAll())
    return docs.flatMap(({ checkpointData }) => checkpointData ?? [])
  })
  const marks = read(`rxdb-dexie-${database}--0--lookups`, (store) => store.count())
  return [await marks, ...(await Promise.all(checkpoints))]
}

/** A page of a device on a slow phone. @param rate how many times slower than this machine */
export async function slowPage(context, rate) {
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate })
  return { page, session }
}

/** How long a finger stays on the glass. */
const PRESSED_MS = 80

/** So often it is looked whether it stands still, a tenth of a second each. */
const LOOKS = 300

/**
 * A tap as a finger makes it: a locator's own click runs scripts in the page between touch and handler, and its trial
 * presses the mouse, which the browser counts as one more interaction. No mouse either: pressed in the frame in which it
 * came there, Chromium tells its press with the paint of the click, some hundred milliseconds later.
 */
export async function tap(page, locator) {
  for (let look = 0; look < LOOKS; look++) {
    await locator.scrollIntoViewIfNeeded()
    const at = await locator.evaluate(standsAt)
    if (at) return touch(page, at)
  }
  throw new Error(`${locator} does not stand still, or something lies over it`)
}

const fingers = new WeakMap()

async function touch(page, at) {
  if (!fingers.has(page)) fingers.set(page, await page.context().newCDPSession(page))
  const finger = fingers.get(page)
  await finger.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [at] })
  await page.waitForTimeout(PRESSED_MS)
  await finger.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
}

/** Runs in the page. @returns its middle; null while it moves, cannot be pressed or something lies over it */
async function standsAt(element) {
  const middle = () => {
    const { x, y, width, height } = element.getBoundingClientRect()
    return { x: x + width / 2, y: y + height / 2 }
  }
  const before = middle()
  await new Promise((done) => setTimeout(done, 100))
  const now = middle()
  const hit = document.elementFromPoint(now.x, now.y)
  const isHit = element.contains(hit) || (hit?.contains(element) ?? false)
  return isHit && !element.disabled && now.x === before.x && now.y === before.y ? now : null
}

/** Milliseconds of a User Timing measure: what `act` does is waited for; without it, what the page has measured. */
export async function measured(page, name, act) {
  if (act) {
    await page.evaluate((measure) => performance.clearMeasures(measure), name)
    await act()
    await page.waitForFunction((measure) => performance.getEntriesByName(measure).length > 0, name, {
      polling: 30,
    })
  } else await entryOf(page, name)
  return page.evaluate((measure) => performance.getEntriesByName(measure)[0].duration, name)
}
