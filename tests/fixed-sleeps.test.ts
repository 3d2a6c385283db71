/** A test waits for what comes, or until nothing more is being done: never for a fixed time (docs/CONTRIBUTING.md). */
import { readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { sleepsOf } from './support/fixed-sleeps.ts'

const root = resolve(import.meta.dirname, '..')
const sources = readdirSync(resolve(root, 'tests'), { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.(?:ts|tsx|mts|mjs)$/.test(name))
  .map((name) => `tests/${name}`)
  .map((path) => ({ path, text: readFileSync(resolve(root, path), 'utf8') }))

test('no test waits for a fixed time but those that are listed with their reasons, and all of those do', () => {
  expect(sleepsOf(sources)).toEqual([])
})

const found = (text: string) => sleepsOf([...sources, { path: 'tests/sync/a.test.ts', text }])

test.each([
  'await new Promise((resolve) => setTimeout(resolve, 300))',
  'const waited = (ms: number) => new Promise<void>((done) => setTimeout(done, ms))',
  'await new Promise<void>((done) => setTimeout(() => done(), 50))',
  'await page.waitForTimeout(500)',
  `import { setTimeout as sleep } from 'node:timers/promises'`,
])('refused: %s', (text) => {
  expect(found(text)).toEqual(['tests/sync/a.test.ts'])
})

test.each([
  'await new Promise((resolve) => setTimeout(resolve, 0))',
  'await new Promise((resolve) => setTimeout(resolve))',
  'test.setTimeout(60_000)',
  'const soft = setTimeout(() => child.kill(), limit)',
])('taken: %s', (text) => {
  expect(found(text)).toEqual([])
})

test('a file that is listed and waits for no fixed time is named', () => {
  expect(sleepsOf(sources.filter(({ path }) => path !== 'tests/sync/scheduler/storm.test.ts'))).toEqual([
    'tests/sync/scheduler/storm.test.ts',
  ])
})
