/** Each promise of `docs/security.md` stands beside the test that holds it, and what comes from others is named exactly. */
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

/** Rows of the table whose head has this column, cell by cell. */
function rowsOf(column: string): string[][] {
  const tables = read('docs/security.md')
    .split('\n\n')
    .filter((part) => part.trimStart().split('\n')[0]?.includes(`| ${column} |`))
  return tables.flatMap((table) =>
    table
      .trim()
      .split('\n')
      .slice(2)
      .map((line) => line.split('|').slice(1, -1)),
  )
}

const TEST = /`(?:tests\/(?:[\w-]+\/)*)?([\w-]+\.(?:test\.tsx?|e2e\.ts))`/g
const files = readdirSync(join(root, 'tests'), { recursive: true, encoding: 'utf8' })

describe('docs/security.md', () => {
  const promises = rowsOf('試験')

  test('has the threats and the cases of encryption', () => expect(promises.length).toBeGreaterThan(25))

  test.each(promises.map((cells) => [cells[0]?.trim() ?? '', cells.join('|')]))(
    '%s: a test holds it',
    (_, row) => {
      const named = [...row.matchAll(TEST)].map(([, name = '']) => name)
      expect(named.length).toBeGreaterThan(0)
      expect(
        named.filter((name) => !files.some((path) => path.endsWith(`/${name}`) || path === name)),
      ).toEqual([])
    },
  )
})

describe('what comes from others is named exactly', () => {
  test('packages by their version', () => {
    const { dependencies, devDependencies } = JSON.parse(read('package.json')) as Record<
      'dependencies' | 'devDependencies',
      Record<string, string>
    >
    const versions = Object.entries({ ...dependencies, ...devDependencies })
    expect(versions.filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([])
  })

  test.each(readdirSync(join(root, '.github/workflows')))('actions of %s by their commit', (name) => {
    const used = [...read(`.github/workflows/${name}`).matchAll(/uses: (\S+)/g)].map(
      ([, action = '']) => action,
    )
    expect(used.length).toBeGreaterThan(0)
    expect(used.filter((action) => !/@[\da-f]{40}$/.test(action))).toEqual([])
  })
})
