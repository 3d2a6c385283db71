/**
 * The app's own layer beside other databases for browsers, with the same documents in the same browser: cold open to 50 painted
 * rows, filter and count, a write, and a list that is told of it. At full speed: a CPU that is slowed by the browser slows no
 * worker, and one of them works in one. The floor of each is IndexedDB without any library.
 */
import { against } from './report.mjs'
import { startBenchServer } from './server.mjs'

/** As `peers/page.ts` knows them, and as they are named; what is in brackets is where they keep what they know. */
const PEERS = {
  idb: 'IndexedDB',
  genba: 'the app (RxDB on IndexedDB)',
  dexie: 'Dexie',
  rxdb: 'RxDB as it comes (Dexie)',
  pouchdb: 'PouchDB (IndexedDB)',
  tinybase: 'TinyBase (IndexedDB)',
  sqlite: 'SQLite-WASM (OPFS)',
}
const MEASURES = {
  open: 'cold open → 50 rows painted',
  search: 'filter and count',
  write: 'a write',
  live: 'a write → the list is told',
}
const FLOOR = 'idb'
/** Another one each time: some libraries keep what they have found. */
const FILTERS = ['12', '23'].map((place) => ({ place, flags: ['1', '2'] }))
const WRITES = 5

/** @param only these peers; null: all */
export async function peersSuite(context, folder, { large, rounds, ids }) {
  const names = Object.keys(PEERS).filter((name) => !ids || name === FLOOR || ids.includes(name))
  const server = await startBenchServer({ folder, rows: [], latencyMs: 0, down: true })
  const address = (name) => `http://localhost:${server.port}/peers.html?peer=${name}`
  const times = Object.fromEntries(
    names.map((name) => [name, Object.fromEntries(Object.keys(MEASURES).map((id) => [id, []]))]),
  )
  const from = new Date(Date.now() + 9 * 3_600_000).toISOString().slice(0, 10)
  try {
    for (const name of names) {
      const ms = await onPage(context, address(name), (page) =>
        page.evaluate((count) => window.peers.fill(count), large),
      )
      console.log(`${PEERS[name]}: ${large} documents put in ${Math.round(ms)} ms`)
    }
    for (let round = 0; round < rounds; round++)
      for (const name of names)
        await onPage(context, address(name), (page) => oneRound(page, from, times[name]))
  } finally {
    server.close()
  }
  const rows = names.flatMap((name) =>
    Object.entries(MEASURES).map(([id, what]) =>
      withoutTarget(
        against({
          id: `peers-${name}-${id}`,
          what: `${PEERS[name]}: ${what}, ${large} documents`,
          floor: times[FLOOR][id],
          app: times[name][id],
          target: Infinity,
        }),
      ),
    ),
  )
  console.log(comparison(names, rows))
  return rows
}

/** What others do is compared, and is no aim of the app. */
const withoutTarget = ({ id, what, unit, floor, median, p95, ratio }) => ({
  id,
  what,
  unit,
  floor,
  median,
  p95,
  ratio,
})

async function onPage(context, address, work) {
  const page = await context.newPage()
  page.on('pageerror', (error) => console.log(`${address}: ${error.message}`))
  try {
    await page.goto(address)
    return await work(page)
  } finally {
    await page.close()
  }
}

async function oneRound(page, from, times) {
  times.open.push(await page.evaluate((day) => window.peers.start(day), from))
  for (const filter of FILTERS) {
    const { ms, count } = await page.evaluate((asked) => window.peers.search(asked), filter)
    if (count === 0) throw new Error('nothing was found')
    times.search.push(ms)
  }
  const { write, live } = await page.evaluate(([day, n]) => window.peers.writes(day, n), [from, WRITES])
  times.write.push(...write)
  times.live.push(...live)
}

/** One line for each peer: milliseconds, and how often the floor's. */
export function comparison(names, rows) {
  const ids = Object.keys(MEASURES)
  const cell = (name, id) => {
    const { median, p95, ratio } = rows.find((row) => row.id === `peers-${name}-${id}`)
    return `${median} ms (p95 ${p95}; ${ratio} ×)`
  }
  const line = (cells) => `| ${cells.join(' | ')} |`
  return [
    line(['', ...Object.values(MEASURES)]),
    line(['---', ...ids.map(() => '---')]),
    ...names.map((name) => line([PEERS[name], ...ids.map((id) => cell(name, id))])),
  ].join('\n')
}
