/** What lies in localStorage may be lost with a killed browser: only what is named for it, here and in docs/security.md. */
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { LOCAL_NAMES } from '#lib/browser/local-names.ts'

const root = resolve(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const names = Object.keys(LOCAL_NAMES)

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
  const used = files
    .filter(({ path }) => path !== 'src/lib/browser/local-names.ts')
    .flatMap(({ path, text }) =>
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

test('docs/security.md says of each what is lost', () => {
  const text = read('docs/security.md')
  for (const [name, lost] of Object.entries(LOCAL_NAMES)) expect(text).toContain(`| \`${name}\` | ${lost} |`)
})
