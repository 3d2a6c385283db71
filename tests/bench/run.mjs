/**
 * `npm run bench -- sync`: what the sync engine costs in Chromium, each measure as a ratio to the bare minimum measured
 * in the same run: medians of interleaved runs. No time is a promise: the ratios are.
 */
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { chromium } from '@playwright/test'
import { build } from 'vite'
import { requestRows, startBenchServer } from './server.mjs'

const root = resolve(import.meta.dirname, '../..')
const folder = join(root, 'node_modules/.cache/bench')
const REQUESTS = 2_000
const RECORDS = 200
const PHOTOS = 20
/** A good mobile connection. Without any, the floor would measure loopback and nothing a phone ever sees. */
const LATENCY_MS = 40
const rounds = Number(process.env.BENCH_ROUNDS ?? 3)

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]

async function interleaved(page, name, ...args) {
  const times = { floor: [], app: [] }
  for (let round = 0; round < rounds; round++)
    for (const [kind, fn] of [
      ['floor', `${name}Floor`],
      ['app', name],
    ])
      times[kind].push(await page.evaluate(([f, a]) => window.bench[f](...a), [fn, args]))
  return { floor: median(times.floor), app: median(times.app) }
}

const row = (what, { floor, app }, target) => ({
  what,
  'floor ms': Math.round(floor),
  'app ms': Math.round(app),
  ratio: Number((app / floor).toFixed(2)),
  target: `≤ ${target}`,
  met: app / floor <= target ? 'yes' : 'no',
})

async function main() {
  const what = process.argv[2] ?? 'sync'
  if (what !== 'sync') throw new Error(`there is no bench "${what}" yet: npm run bench -- sync`)
  mkdirSync(folder, { recursive: true })
  await build({
    configFile: false,
    root: import.meta.dirname,
    logLevel: 'warn',
    build: { outDir: folder, emptyOutDir: true, target: 'es2023' },
  })
  const server = await startBenchServer({
    folder,
    rows: requestRows(REQUESTS, Date.now()),
    latencyMs: LATENCY_MS,
  })
  const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium'
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
  try {
    const page = await browser.newPage()
    page.on('pageerror', (error) => console.log(error.message))
    await page.goto(`http://localhost:${server.port}/`)
    const growth = await page.evaluate(() => window.bench.queueGrowth())
    console.table([
      row(`initial sync of ${REQUESTS} requests`, await interleaved(page, 'initialSync', REQUESTS), 2),
      row(`replay of ${RECORDS} records`, await interleaved(page, 'replay', RECORDS), 1.3),
      row(
        'a save with 1,000 waiting, to one with 100',
        { floor: growth.at100 * 100, app: growth.at1000 * 100 },
        1.5,
      ),
      row(`${PHOTOS} photos of 2 MB stored`, await interleaved(page, 'photos', PHOTOS), 1.3),
    ])
    console.log(`the CRM answers after ${LATENCY_MS} ms; medians of ${rounds} interleaved runs`)
  } finally {
    await browser.close()
    server.close()
  }
}

await main()
