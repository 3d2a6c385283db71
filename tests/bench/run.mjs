/**
 * `npm run bench`: how fast the app is in Chromium, each measure as a ratio to the bare minimum measured in the same run,
 * medians of interleaved runs. No time is a promise: the ratios are.
 *
 *     npm run bench                   everything, as a table and in test-results/bench.json
 *     npm run bench -- app search     these rows of the app only (tests/bench/app-suite.mjs); `app` alone: all of them
 *     npm run bench -- sync           the sync engine only
 *     npm run bench -- day            bytes and calls only: a second sync, an idle hour
 *     npm run bench -- seal           what the password costs that opens what is sealed
 *     npm run bench -- start          a start after a request was opened, with few requests and with many
 *     npm run bench -- huge           a CRM that knows no measure: the longest frames
 *     npm run bench -- many           50,000 requests, with notes, photos and unsent changes
 *     npm run bench -- unsent         2,000 unsent changes beside ten
 *     npm run bench -- photo          a photo of 12 megapixels, and the memory of twenty
 *     npm run bench -- report         作業報告書 of forty photos
 *     npm run bench -- visit          a first visit on Slow 4G
 *     npm run bench -- shift          a shift of eight hours: heap, CPU, calls (BENCH_SHIFT_HOURS)
 *     npm run bench -- idle           CPU in an idle minute, and timers (BENCH_IDLE_MINUTES)
 *     npm run bench -- peers dexie    the app's layer beside other databases for browsers; without a name: all of them
 *     npm run bench -- short          what CI runs: fails where a ratio is 30 % worse than in baseline.json
 *     npm run bench -- lighthouse     Lighthouse only, which npx fetches
 *     npm run bench -- short --keep   writes what was measured into baseline.json
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { spawnSync } from 'node:child_process'
import { chromium } from '@playwright/test'
import { runnerImport } from 'vite'
import { buildOwnPages, buildPages } from './device.mjs'
import { daySuite } from './day-suite.mjs'
import { appSuite } from './app-suite.mjs'
import { hugeSuite } from './huge-suite.mjs'
import { idleSuite } from './idle-suite.mjs'
import { lighthouseSuite } from './lighthouse-suite.mjs'
import { manySuite } from './many-suite.mjs'
import { orSaid } from './or-said.mjs'
import { peersSuite } from './peers-suite.mjs'
import { photoSuite } from './photo-suite.mjs'
import { reportSuite } from './report-suite.mjs'
import { sealSuite } from './seal-suite.mjs'
import { shiftSuite } from './shift-suite.mjs'
import { startSuite } from './start-suite.mjs'
import { syncSuite } from './sync-suite.mjs'
import { table } from './report.mjs'
import { unsentSuite } from './unsent-suite.mjs'
import { visitSuite } from './visit-suite.mjs'

const root = resolve(import.meta.dirname, '../..')
const baselineFile = join(import.meta.dirname, 'baseline.json')
/** A ratio may be this much worse than the baseline's; noise gets three tries, and the best of them counts. */
const WORSE = 1.3
const TRIES = 3
const LIGHTHOUSE_ROUNDS = 5

const [what = 'all', ...rest] = process.argv.slice(2)
const flags = rest.filter((word) => word.startsWith('-'))
const ids = rest.filter((word) => !word.startsWith('-'))
const LONG = {
  small: 500,
  large: Number(process.env.BENCH_LARGE ?? 10_000),
  rounds: Number(process.env.BENCH_ROUNDS ?? 7),
  ids: null,
}
const SIZES = {
  all: LONG,
  app: { ...LONG, ids: ids.length > 0 ? ids : null },
  // what a busy machine, too, measures alike: a save's floor is a few milliseconds, a frame or a heap has none
  short: {
    small: 500,
    large: 2_000,
    rounds: 3,
    ids: ['cold-start', 'cold-start-many', 'operable', 'search', 'open-request', 'js', 'css'],
  },
}

const { module: browser } = await runnerImport(join(import.meta.dirname, '../support/chromium.ts'))
// `runnerImport` leaves "development" behind: Vite would build the app, its worker and the floors with React's slow half
process.env.NODE_ENV = 'production'

const launchOptions = {
  executablePath: await browser.chromiumPath(),
  args: browser.chromiumArgs,
  viewport: { width: 390, height: 844 },
  hasTouch: true,
  locale: 'ja-JP',
  timezoneId: 'Asia/Tokyo',
}

async function withBrowser(work) {
  const profile = mkdtempSync(join(tmpdir(), 'genba-bench-'))
  const context = await chromium.launchPersistentContext(profile, launchOptions)
  context.setDefaultTimeout(90_000)
  try {
    return await work(context)
  } finally {
    await context.close()
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** Runs `suite` again only for what is worse than the baseline. @returns the rows and those that stay worse */
async function held(suite) {
  const { ratios } = JSON.parse(readFileSync(baselineFile, 'utf8'))
  const best = new Map()
  const isWorse = ({ id, ratio }) => ratios[id] !== undefined && ratio > ratios[id] * WORSE
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const again = attempt === 0 ? null : [...best.values()].filter(isWorse).map(({ id }) => id)
    if (again?.length === 0) break
    if (again) console.log(`worse than the baseline, again: ${again.join(', ')}`)
    for (const row of await suite(again ?? SIZES.short.ids)) {
      const known = best.get(row.id)
      if (!known || row.ratio < known.ratio) best.set(row.id, row)
    }
  }
  const rows = [...best.values()].map((row) => ({ ...row, baseline: ratios[row.id] }))
  return { rows, worse: rows.filter(isWorse) }
}

/** What is measured beside the app's own rows. */
const SUITES = {
  sync: syncSuite,
  day: daySuite,
  huge: (_, folder) => hugeSuite(folder, launchOptions),
  seal: (context, folder) => sealSuite(context, folder, LONG),
  start: (context, folder) => startSuite(context, folder, LONG),
  many: (context, folder) => manySuite(context, folder, LONG),
  unsent: (context, folder) => unsentSuite(context, folder, LONG),
  photo: (context, folder) => photoSuite(context, folder, LONG),
  report: (context, folder) => reportSuite(context, folder, LONG),
  visit: (_, folder) => visitSuite(folder, { ...LONG, launch: launchOptions, runnerImport }),
  shift: (context, folder) => shiftSuite(context, folder, { runnerImport }),
  idle: idleSuite,
  peers: (context, folder) =>
    peersSuite(context, folder, { ...LONG, ids: what === 'peers' && ids.length > 0 ? ids : null }),
}
const ALL = ['all', 'app', 'short', 'lighthouse', ...Object.keys(SUITES)]

/** @returns the rows, and those that are worse than the baseline */
async function measured(folder, keep) {
  const measure = (name) => orSaid(name, () => withBrowser((context) => SUITES[name](context, folder)))
  if (SUITES[what]) return { rows: await measure(what), worse: [] }
  const own = await withBrowser(async (context) => {
    const suite = await appSuite(context, folder, SIZES[what])
    try {
      if (what === 'short' && !keep) return await held(suite.measure)
      return { rows: await suite.measure(SIZES[what].ids), worse: [] }
    } finally {
      suite.close()
    }
  })
  if (what !== 'all') return own
  const { rows } = own
  // each in a browser of its own: what one leaves behind is not the next one's
  for (const name of Object.keys(SUITES)) rows.push(...(await measure(name)))
  return { rows, worse: [] }
}

/** What a test asks for, without a browser: the pages as they are built, and the rows of the short form. */
const PARTS = {
  pages: () => buildOwnPages(ids[0]),
  rows: () => console.log(SIZES.short.ids.join('\n')),
}

async function main() {
  if (PARTS[what]) return PARTS[what]()
  if (!ALL.includes(what)) throw new Error(`no bench "${what}": ${ALL.join(', ')}`)
  if (!existsSync(join(root, 'dist-about/manifest.json')))
    spawnSync('npm', ['run', '-s', 'build'], {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, DEMO_VALUES: '1' },
    })
  const keep = flags.includes('--keep')
  const scores = ['all', 'lighthouse'].includes(what) ? await lighthouse() : []
  if (what === 'lighthouse') return print({ rows: scores, worse: [], keep })
  const { rows, worse } = await measured(await buildPages(), keep)
  print({ rows: [...rows, ...scores], worse, keep })
}

/** Without a network, npx has nothing to run: the other rows are measured all the same. */
async function lighthouse() {
  try {
    return await lighthouseSuite(await browser.chromiumPath(), LIGHTHOUSE_ROUNDS)
  } catch (error) {
    console.log(`Lighthouse was not measured: ${error.message}`)
    process.exitCode = what === 'lighthouse' ? 1 : 0
    return []
  }
}

function print({ rows, worse, keep }) {
  console.log(table(rows))
  mkdirSync(join(root, 'test-results'), { recursive: true })
  writeFileSync(join(root, 'test-results/bench.json'), `${JSON.stringify({ what, rows }, null, 2)}\n`)
  if (keep) {
    const ratios = Object.fromEntries(rows.map(({ id, ratio }) => [id, ratio]))
    writeFileSync(baselineFile, `${JSON.stringify({ ratios }, null, 2)}\n`)
  }
  for (const { id, ratio, baseline } of worse)
    console.log(`SLOWER: ${id} is ${ratio}, more than ${WORSE} × the baseline's ${baseline}`)
  if (worse.length > 0) process.exitCode = 1
}

await main()
