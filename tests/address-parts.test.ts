/**
 * Who hears of the address hears of a part of it: a popup or a photo that opens over a screen is another part
 * (decisions/speed).
 */
import { readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '..')
/** It has no popup, and is left with its search as it is. */
const ALLOWED = ['src/routes/login.tsx', 'src/routes/logout.tsx']

/** Calls of the router's hooks that give the whole, by file. */
const wholes = (files: readonly { path: string; text: string }[]) =>
  files.flatMap(({ path, text }) => {
    const calls = [...text.matchAll(/\buse(?:Search|Match|Location|RouterState)\((?:\)|\{[^]*?\}\))/g)]
    // the hook of 依頼検索 has the name, too
    const isRouters = (call: string) => call !== 'useSearch()' || /Route\.useSearch\(\)/.test(text)
    return calls
      .map(([call]) => call)
      .filter((call) => isRouters(call) && !call.includes('select:'))
      .map((call) => `${path}: ${call}`)
  })

const sources = readdirSync(resolve(root, 'src'), { recursive: true, encoding: 'utf8' })
  .map((path) => `src/${path}`)
  .filter((path) => /\.tsx?$/.test(path) && !ALLOWED.includes(path))
  .map((path) => ({ path, text: readFileSync(resolve(root, path), 'utf8') }))

test('[decisions/speed] a screen is not drawn again with every popup: it asks the address for its own part', () => {
  expect(sources.length).toBeGreaterThan(300)
  expect(wholes(sources)).toEqual([])
})

test.each([
  ['const { day } = Route.useSearch()', 1],
  ["const open = useMatch({ from: '/_app/request/', shouldThrow: false })", 1],
  ['const day = Route.useSearch({ select: ({ day }) => day })', 0],
  [
    "const on = useMatch({\n  from: '/_app/request/',\n  select: ({ search }) => search.select === true,\n})",
    0,
  ],
  ['const { list } = useSearch()', 0],
])('the rule says of %s: %i', (text, found) => {
  expect(wholes([{ path: 'a.tsx', text }])).toHaveLength(found)
})
