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
  const known = ['sync/queue/sender.ts', 'README.md']
  expect(missingIn('`sender.ts`, `queue/sender.ts`, `README.md`', known)).toEqual([])
  expect(missingIn('`look-first.ts` and `pull/sender.ts`', known)).toEqual([
    'look-first.ts',
    'pull/sender.ts',
  ])
  expect(documents.map((path) => basename(path))).toContain('RULES.md')
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
  const texts = readdirSync(folder)
    .filter((name) => /^\d{4}-/.test(name))
    .map((name) => ({
      name,
      number: Number(name.slice(0, 4)),
      text: readFileSync(join(folder, name), 'utf8'),
    }))
  const index = readFileSync(join(folder, 'README.md'), 'utf8')

  test('each has its number and title, a context and a decision', () => {
    const shaped = ({ number, text }: (typeof texts)[number]) =>
      text.startsWith(`# ${number}. `) && /^\*\*Context\.\*\* /m.test(text) && /^\*\*Decision\b/m.test(text)
    expect(texts.filter((one) => !shaped(one)).map(({ name }) => name)).toEqual([])
  })

  test('the index has a line for each, and no other', () => {
    const lines = texts.map(({ name, number, text }) => {
      const title = text.slice(text.indexOf('. ') + 2, text.indexOf('\n'))
      return `- [${number}](${name}) ${title}`
    })
    expect(
      index
        .split('\n')
        .filter((line) => line.startsWith('- '))
        .toSorted(),
    ).toEqual(lines.toSorted())
  })

  test('a number without a decision is said in the index', () => {
    const taken = new Set(texts.map(({ number }) => number))
    const unused = Array.from({ length: Math.max(...taken) }, (_, n) => n + 1).filter((n) => !taken.has(n))
    const said = index.trimEnd().split('\n').at(-1) ?? ''
    expect([...said.matchAll(/\d+/g)].map(([digits]) => Number(digits))).toEqual(unused)
  })
})
