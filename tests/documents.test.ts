/** What README, RULES and the decisions name is there: a file that was renamed must not live on in a text. */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { expect, test } from 'vitest'

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

test.each(documents)('%s names files that are there', (path) => {
  expect(missingIn(readFileSync(join(root, path), 'utf8'), paths)).toEqual([])
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
