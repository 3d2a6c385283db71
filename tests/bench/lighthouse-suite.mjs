/**
 * Lighthouse as a phone sees a first visit: the production build as a host serves it, compressed. Lighthouse is 185 MB and
 * no dependency of the project: npx fetches it.
 */
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { atLeast, median } from './report.mjs'
import { startBenchServer } from './server.mjs'

const LIGHTHOUSE = 'lighthouse@12.8.2'
const WANTED = { performance: 99, accessibility: 100, 'best-practices': 100 }
const PATHS = ['/request', '/login']

/** @param chromium the browser's path */
export async function lighthouseSuite(chromium, rounds) {
  const server = await startBenchServer({
    folder: resolve(import.meta.dirname, '../../dist'),
    rows: [],
    latencyMs: 0,
    down: true,
    compressed: true,
  })
  const scores = []
  for (const path of PATHS) {
    const runs = []
    for (let round = 0; round < rounds; round++)
      runs.push(await scoresOf(chromium, `http://localhost:${server.port}${path}`))
    scores.push({ path, runs })
  }
  server.close()
  return scores.flatMap(({ path, runs }) =>
    Object.entries(WANTED).map(([category, wanted]) =>
      atLeast({
        id: `lighthouse-${category}${path}`,
        what: `Lighthouse, phone: ${category} of ${path}`,
        value: median(runs.map((run) => run[category])),
        wanted,
      }),
    ),
  )
}

async function scoresOf(chromium, url) {
  const folder = mkdtempSync(join(tmpdir(), 'genba-lighthouse-'))
  const report = join(folder, 'report.json')
  const args = ['--quiet', '--chrome-flags=--headless=new --no-sandbox', '--output=json']
  await promisify(execFile)('npx', ['--yes', LIGHTHOUSE, url, ...args, `--output-path=${report}`], {
    env: { ...process.env, CHROME_PATH: chromium },
  })
  const { categories } = JSON.parse(readFileSync(report, 'utf8'))
  rmSync(folder, { recursive: true })
  return Object.fromEntries(
    Object.keys(WANTED).map((category) => [category, Math.round(categories[category].score * 100)]),
  )
}
