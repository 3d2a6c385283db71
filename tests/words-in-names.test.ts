/**
 * Exported names and file names say in plain words what they are. Words that mean several things here are refused.
 * A folder that still has such names is listed with their number: it may only become smaller.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { expect, test } from 'vitest'

const WORN_OUT = new Set(
  `stand stands standing stood kept keep keeps keeping keeper told tell tells telling aside way ways
  turn turns turned turning look looks looked looking asked gone away hold holds held holding holder
  drain drains drained draining went says saying meant whose heard hear come comes came borne alive owed`.split(
    /\s+/,
  ),
)
const PHRASES = ['left out', 'of before']

/** Folders, longest path first, with the number of refused names that each still has. */
const ALLOWED: Record<string, number> = {
  'src/data/': 0,
  'src/': 0,
  'sync/': 0,
  'schemas/': 0,
}

/** Names in which a refused word is the plain one, with the reason. */
const EXCEPTIONS: Record<string, string> = {
  isUnderWay: 'under way is the plain word for in progress',
  'keep-awake': 'what the Screen Wake Lock API does',
  keepAwake: 'what the Screen Wake Lock API does',
}

interface Source {
  path: string
  text: string
}

/** `readHeldRows` → `read held rows`, `kept-json.ts` → `kept json`. */
const wordsIn = (name: string) =>
  [...name.matchAll(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g)].map(([word]) => word.toLowerCase())

function isWornOut(name: string): boolean {
  const words = wordsIn(name)
  const isPhrase = PHRASES.some((phrase) => ` ${words.join(' ')} `.includes(` ${phrase} `))
  return !Object.hasOwn(EXCEPTIONS, name) && (isPhrase || words.some((word) => WORN_OUT.has(word)))
}

const DECLARED =
  /^export (?:declare )?(?:async )?(?:abstract )?(?:const|let|function|class|type|interface) (\w+)/gm
const LISTED = /^export (?:type )?\{([^}]*)\}/gm
const DESTRUCTURED = /^export const \{([^}]*)\}/gm

/** The names that a module exports. */
const exportsOf = (text: string): string[] => [
  ...[...text.matchAll(DECLARED)].map(([, name = '']) => name),
  ...[...text.matchAll(LISTED), ...text.matchAll(DESTRUCTURED)]
    .flatMap(([, names = '']) => names.split(','))
    .map(
      (name) =>
        name
          .trim()
          .split(/\s+as\s+|\s*:\s*/)
          .at(-1) ?? '',
    ),
]

/** @returns `path: name` for each refused name, by its folder in ALLOWED */
function wornOutNames(sources: readonly Source[]): Map<string, string[]> {
  const found = new Map<string, string[]>(Object.keys(ALLOWED).map((folder) => [folder, []]))
  for (const { path, text } of sources) {
    const file = basename(path).split('.')[0] ?? ''
    const names = [file, ...exportsOf(text)].filter(isWornOut)
    const folder = Object.keys(ALLOWED).find((each) => path.startsWith(each)) ?? ''
    found.get(folder)?.push(...names.map((name) => `${path}: ${name}`))
  }
  return found
}

const root = resolve(import.meta.dirname, '..')
const { stdout } = spawnSync('git', ['ls-files', '-co', '--exclude-standard', 'src', 'sync', 'schemas'], {
  cwd: root,
  encoding: 'utf8',
})
const sources = stdout
  .split('\n')
  .filter((path) => /\.(?:tsx?|css)$/.test(path) && !path.startsWith('src/locales/'))
  .flatMap((path) => {
    try {
      return [{ path, text: readFileSync(resolve(root, path), 'utf8') }]
    } catch {
      return [] // deleted, but not committed yet
    }
  })
const found = wornOutNames(sources)

test.each(Object.entries(ALLOWED))(
  '%s has at most %i exported names and file names of worn-out words',
  (folder, most) => {
    expect(sources.some(({ path }) => path.startsWith(folder))).toBe(true)
    const names = found.get(folder) ?? []
    expect(names.slice(most)).toEqual([])
  },
)

test.each([
  ['a file name', 'src/ui/kept-row.tsx', '', 'kept-row'],
  ['a constant', 'src/ui/a.ts', 'export const heldRows = []', 'heldRows'],
  ['an async function', 'src/ui/a.ts', 'export async function tellUser() {}', 'tellUser'],
  ['a type', 'src/ui/a.ts', 'export interface ListStanding {}', 'ListStanding'],
  ['a renamed export', 'src/ui/a.ts', 'export { rows as askedRows }', 'askedRows'],
  ['a destructured export', 'src/ui/a.ts', 'export const { turn } = make()', 'turn'],
  ['upper case', 'src/ui/a.ts', 'export const KEEP_MS = 1', 'KEEP_MS'],
  ['a phrase', 'src/ui/a.ts', 'export const leftOutRows = []', 'leftOutRows'],
])('refused: %s', (_, path, text, name) => {
  expect(wornOutNames([{ path, text }]).get('src/')).toEqual([`${path}: ${name}`])
})

test.each([
  ['a longer word', 'export const understanding = 1'],
  ['a name that is not exported', 'const kept = 1'],
  ['an exception', 'export const isUnderWay = true'],
  ['a word of a string', "export const rows = 'kept'"],
])('taken: %s', (_, text) => {
  expect([...wornOutNames([{ path: 'src/ui/a.ts', text }]).values()].flat()).toEqual([])
})
