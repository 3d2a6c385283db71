/** What lies in localStorage may be lost with a killed browser: only what is named for it, here and in docs/security.md. */
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
/** The table of docs/security.md: each name with what a killed browser loses, because localStorage is on disk up to a minute late. */
const names = [...read('docs/security.md').matchAll(/^\| `(genba:[a-z-]+)` \| .+ \|$/gm)].map(
  ([, name = '']) => name,
)

/** Of the tab, in sessionStorage (`memory.ts`): gone with it anyway. */
const OF_THE_TAB = ['genba:request-scroll', 'genba:request-filter', 'genba:request-done']

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', 'src', 'sync'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((path) => /\.tsx?$/.test(path) && !/^src\/(?:demo-crm|app\/demo)\//.test(path))
  .flatMap((path) => {
    try {
      return [{ path, text: read(path) }]
    } catch {
      // deleted, and not committed yet
      return []
    }
  })

test('[SV1] no other name lies in localStorage: what a promise hangs on is written strictly', () => {
  const used = files.flatMap(({ path, text }) =>
    [...text.matchAll(/['"`](genba:[a-z-]*)/g)].map(([, name = '']) => `${path} ${name.replace(/-$/, '')}`),
  )
  expect(used.length).toBeGreaterThan(10)
  const known = new Set([...names, ...OF_THE_TAB, 'genba:circuit-crm', 'genba:circuit-files', 'genba:'])
  expect(used.filter((each) => !known.has(each.split(' ')[1] ?? ''))).toEqual([])
})

test('[SV1] localStorage is reached by its own methods alone, under names that start so', () => {
  const other =
    /localStorage\.(?!(?:get|set|remove)Item\()\w+|localStorage\[|localStorage\.\w+Item\(\s*['"`](?!genba:)/g
  const calls = files.flatMap(({ path, text }) =>
    [...text.matchAll(other)].map(([call]) => `${path} ${call}`),
  )
  expect(calls).toEqual([])
})

test('docs/security.md names no key that the app does not write', () => {
  const text = files.map((file) => file.text).join('\n')
  expect(names.length).toBeGreaterThan(5)
  expect(names.filter((name) => !text.includes(name))).toEqual([])
})
