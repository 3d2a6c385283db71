/** What the sync engine costs in Chromium, each measure in turns with its floor. */
import { against } from './report.mjs'
import { requestRows } from './rows.mjs'
import { startBenchServer } from './server.mjs'

const REQUESTS = 2_000
const RECORDS = 200
const PHOTOS = 20
/** A good mobile connection. Without any, the floor would measure loopback and nothing a phone ever sees. */
const LATENCY_MS = 40
const rounds = Number(process.env.BENCH_ROUNDS ?? 3)
/** A third of a second each: more of them, for the disk's moods. */
const PHOTO_ROUNDS = 3 * rounds

async function interleaved(page, name, count, turns = rounds) {
  const times = { floor: [], app: [] }
  for (let round = 0; round < turns; round++)
    for (const [kind, fn] of [
      ['floor', `${name}Floor`],
      ['app', name],
    ])
      times[kind].push(await page.evaluate(([f, n]) => window.bench[f](n), [fn, count]))
  return times
}

export async function syncSuite(context, folder) {
  const rows = requestRows(REQUESTS, Date.now())
  const server = await startBenchServer({ folder, rows, latencyMs: LATENCY_MS })
  const page = await context.newPage()
  page.on('pageerror', (error) => console.log(error.message))
  try {
    await page.goto(`http://localhost:${server.port}/sync.html`)
    const growth = await page.evaluate(() => window.bench.queueGrowth())
    return [
      against({
        id: 'initial-sync',
        what: `initial sync of ${REQUESTS} requests (floor: fetch and bulkPut of the same pages)`,
        ...(await interleaved(page, 'initialSync', REQUESTS)),
        target: 0.9,
      }),
      against({
        id: 'replay',
        what: `replay of ${RECORDS} records (floor: the same calls one after another)`,
        ...(await interleaved(page, 'replay', RECORDS)),
        target: 1.3,
      }),
      against({
        id: 'queue-growth',
        what: 'a save with 1,000 waiting (floor: with 100)',
        floor: [growth.at100],
        app: [growth.at1000],
        target: 1.5,
      }),
      against({
        id: 'photos',
        what: `${PHOTOS} photos of 2 MB stored (floor: raw strict puts)`,
        ...(await interleaved(page, 'photos', PHOTOS, PHOTO_ROUNDS)),
        target: 1.3,
      }),
    ]
  } finally {
    await page.close()
    server.close()
  }
}
