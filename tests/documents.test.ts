/** What README, RULES and the decisions name is there: a file that was renamed must not live on in a text. */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { blocksOf } from './recipes/recipe.mjs'

const root = resolve(import.meta.dirname, '..')

/** What a build, a run or an operator makes; git knows nothing of it. */
const MADE = /^(bom\.cdx\.json|config\.json|schemas\/migrations\/[\w-]+\.ts|test-results\/.*|version\.json)$/

const git = spawnSync('git', ['ls-files', '-z', '-co', '--exclude-standard'], { cwd: root, encoding: 'utf8' })
const paths = git.stdout.split('\0').filter((path) => path && existsSync(join(root, path)))
const documents = paths.filter((path) => path.endsWith('.md') && !path.startsWith('.github/'))

const NAMED = /`((?:[\w@.-]+\/)*[\w@.$-]+\.(?:tsx?|mjs|css|md|json|html|ya?ml))`/g

/** A record of docs/decisions, by its name: `decisions/photos`, also as a link; a number is the form of before. */
const CITED = /(?:(?<![\w-])decisions\/|\bdecisions? (?=0\d{3}\b))([\w-]+)/gi

/** The files that a text names and the project does not have, by their name alone or with folders before it. */
function missingIn(text: string, known: readonly string[]): string[] {
  const named = [...text.matchAll(NAMED)].map(([, name = '']) => name)
  return named.filter(
    (name) => !MADE.test(name) && !known.some((path) => path === name || path.endsWith(`/${name}`)),
  )
}

/** What the recipes make. */
const ofRecipes = documents
  .filter((path) => path.startsWith('docs/recipes/'))
  .flatMap((path) => blocksOf(readFileSync(join(root, path), 'utf8')))
  .flatMap(({ kind, path }) => (kind === 'file' || kind === 'diff' ? [path] : []))

test.each(documents)('%s names files that are there', (path) => {
  const text = readFileSync(join(root, path), 'utf8')
  const made = path.startsWith('docs/recipes/') ? ofRecipes : []
  expect(missingIn(text, [...paths, ...made])).toEqual([])
})

test('a file that is not there is found', () => {
  const known = ['sync/changes/sender.ts', 'README.md']
  expect(missingIn('`sender.ts`, `changes/sender.ts`, `README.md`', known)).toEqual([])
  expect(missingIn('`look-first.ts` and `pull/sender.ts`', known)).toEqual([
    'look-first.ts',
    'pull/sender.ts',
  ])
  expect(documents.map((path) => basename(path))).toContain('RULES.md')
})

describe('the rules', () => {
  const rules = readFileSync(join(root, 'sync/RULES.md'), 'utf8')
  const known = [...rules.matchAll(/^ *- \*\*(\w+)\*\* /gm)].map(([, id = '']) => id)

  test('what a text cites is there: a rule, a detail, a trap', () => {
    const CITATION = /\b(?:(?:SV|OR|OC|MG|WR|PL|FL|EX|ST|TB)\d+[a-z]?|traps? \d+)\b/g
    const missing = paths
      .filter((path) => /\.(?:tsx?|mjs|css|md)$/.test(path))
      .flatMap((path) =>
        [...readFileSync(join(root, path), 'utf8').matchAll(CITATION)]
          .map(([cited]) => cited)
          .filter((cited) => !known.includes(cited.replace(/^traps? /, '')))
          .map((cited) => `${path}: ${cited}`),
      )
    expect(missing).toEqual([])
  })

  test('a test cites each of them in its title, a trap excepted', () => {
    const cited = paths
      .filter((path) => /^tests\/.*\.(?:test|e2e)\.tsx?$/.test(path))
      .flatMap((path) => [...readFileSync(join(root, path), 'utf8').matchAll(/\[([A-Z]{2}\d+[a-z]?)\]/g)])
      .map(([, id]) => id)
    const own = known.filter((id) => /^[A-Z]/.test(id))
    expect(own.length).toBeGreaterThan(90)
    expect(own.filter((id) => !cited.includes(id))).toEqual([])
  })
})

describe('the commands', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>
  }
  const runners = paths.filter((path) => /^tests\/.*\.mjs$/.test(path))
  const commands = [
    ...Object.entries(scripts),
    ...runners.map((path) => [path, readFileSync(join(root, path), 'utf8')] as const),
  ]
  const testsIn = (text: string) =>
    [...text.matchAll(/\btests\/[\w./-]+\.test\.tsx?\b/g)].map(([name]) => name)

  test('a test that a command names is there, and is found in whatever project it is', () => {
    const named = commands.filter(([, text]) => text.includes('vitest') && testsIn(text).length > 0)
    expect(named.map(([name]) => name)).toEqual(expect.arrayContaining(['openapi', 'tests/schemas.mjs']))
    const known = [...paths, ...ofRecipes]
    expect(named.flatMap(([, text]) => testsIn(text)).filter((path) => !known.includes(path))).toEqual([])
    expect(named.filter(([, text]) => text.includes('--project')).map(([name]) => name)).toEqual([])
  })
})

describe('the decisions', () => {
  const folder = join(root, 'docs/decisions')
  const records = readdirSync(folder)
    .filter((name) => name !== 'README.md')
    .map((name) => ({ name, lines: readFileSync(join(folder, name), 'utf8').trimEnd().split('\n') }))
  const index = readFileSync(join(folder, 'README.md'), 'utf8')

  test('there are at most 26 records, of at most 60 lines of at most 130 characters', () => {
    expect(records.length).toBeLessThanOrEqual(26)
    const long = ({ lines }: (typeof records)[number]) =>
      lines.length > 60 || lines.some((line) => line.length > 130)
    expect(records.filter(long).map(({ name }) => name)).toEqual([])
  })

  test.each(records)('$name says what is decided, why, and what was dropped', ({ lines }) => {
    expect(lines[0]).toMatch(/^# \S/)
    const headings = lines.filter((line) => line.startsWith('## '))
    expect(headings.filter((line) => line !== '## Consequences')).toEqual([
      '## Decision',
      '## Why',
      '## Dropped',
    ])
  })

  test('the index has a line for each record, and no other', () => {
    const lines = index.split('\n').filter((line) => line.startsWith('- '))
    expect(lines.toSorted()).toEqual(
      records.map(({ name, lines: [title = ''] }) => `- [${title.slice(2)}](${name})`).toSorted(),
    )
  })

  test('a record that the code, a test or a document cites is there', () => {
    const names = new Set(records.map(({ name }) => name.replace(/\.md$/, '')))
    const cited = paths
      .filter((path) => /\.(?:tsx?|mjs|css|md|ya?ml|html|sh)$/.test(path))
      .flatMap((path) =>
        [...readFileSync(join(root, path), 'utf8').matchAll(CITED)].map(([, name = '']) => ({ path, name })),
      )
    expect(cited.length).toBeGreaterThan(100)
    expect(cited.filter(({ name }) => name !== 'README' && !names.has(name))).toEqual([])
  })

  test('a citation is found in a title, a comment and a link; an old number is none', () => {
    const names = (text: string) => [...text.matchAll(CITED)].map(([, name]) => name)
    expect(names("test('[decisions/photos] …') // (RULES EX3, decisions/time)")).toEqual(['photos', 'time'])
    const old = ['decision', '0044'].join(' ')
    expect(names(`[photos](docs/decisions/photos.md), ${old}`)).toEqual(['photos', '0044'])
  })
})
