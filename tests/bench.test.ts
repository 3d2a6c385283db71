/** The bench starts from a clean checkout, and measures what ships: without a browser, and without a build of the app. */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import baseline from './bench/baseline.json' with { type: 'json' }

const root = resolve(import.meta.dirname, '..')
/** What only React's development half says. */
const DEVELOPMENT = /react-dom-client\.development|Invalid hook call\. Hooks can only be called/

// as npm runs it: what a test's own process has set is not handed on
const { NODE_ENV: _, VITEST: __, ...env } = process.env
const bench = (...args: string[]) =>
  spawnSync('node', ['tests/bench/run.mjs', ...args], { cwd: root, env, encoding: 'utf8' })

test('it starts, and names what it knows where it is asked for something else', () => {
  const { status, stderr } = bench('nothing')
  expect(stderr).toContain('no bench "nothing"')
  expect(stderr).toContain('short')
  expect(status).not.toBe(0)
})

// `npm run test:slow`: CI builds the same floors for `npm run bench -- short`
test.runIf(process.env['SLOW'])(
  "its floors are built as the app ships: without React's development half",
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'genba-bench-pages-'))
    try {
      execFileSync('node', ['tests/bench/run.mjs', 'pages', folder], { cwd: root, env, stdio: 'pipe' })
      const scripts = readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((name) => /\bfloor-.*\.js$/.test(name))
        .map((name) => readFileSync(join(folder, name), 'utf8'))
      expect(scripts.length).toBeGreaterThan(0)
      expect(scripts.filter((text) => DEVELOPMENT.test(text))).toEqual([])
    } finally {
      rmSync(folder, { recursive: true })
    }
  },
)

test('every row that CI compares is one that the short form measures', () => {
  const { status, stdout } = bench('rows')
  expect(status).toBe(0)
  expect(stdout.trim().split('\n').toSorted()).toEqual(Object.keys(baseline.ratios).toSorted())
})
