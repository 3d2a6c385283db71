/** docs/coverage.md is true: the files and titles it names exist, and no route or popup is left out. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '..')
const page = readFileSync(join(root, 'docs/coverage.md'), 'utf8')

/** `file` or `file` › `title`, in a table's cells after the first. */
const NAMED = /`([^`]+)`(?: › `([^`]+)`)?/g
const ENDINGS = ['', '.ts', '.test.ts', '.test.tsx', '.e2e.ts']

const cells = page
  .split('\n')
  .filter((line) => line.startsWith('|'))
  .flatMap((line) => line.split('|').slice(2))
const named = [
  ...new Map(cells.flatMap((cell) => [...cell.matchAll(NAMED)]).map((each) => [each[0], each])).values(),
]

function pathOf(name: string): string | undefined {
  const places = [join(root, 'tests'), join(root, 'tests/features')]
  return places
    .flatMap((place) => ENDINGS.map((ending) => join(place, name + ending)))
    .find((path) => existsSync(path))
}

describe('docs/coverage.md', () => {
  test('names tests', () => expect(named.length).toBeGreaterThan(100))

  test.each(named.map(([text, file = '', title]) => [text, file, title] as const))('%s', (_, file, title) => {
    const path = pathOf(file)
    expect(path).toBeDefined()
    if (path && title !== undefined) expect(readFileSync(path, 'utf8').includes(title)).toBe(true)
  })

  test('has every route', () => {
    const generated = readFileSync(join(root, 'src/routeTree.gen.ts'), 'utf8')
    const byPath = /interface FileRoutesByFullPath \{([^}]*)\}/.exec(generated)?.[1] ?? ''
    const routes = [...byPath.matchAll(/'([^']+)'/g)].map(([, path = '']) =>
      path.replaceAll(/\$(\w+)/g, '{$1}').replace(/(.)\/$/, '$1'),
    )
    expect(routes.length).toBeGreaterThan(25)
    expect(routes.filter((route) => !page.includes(`\`${route}\``))).toEqual([])
  })

  test('has every popup of the address', () => {
    const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.tsx?$/.test(path))
      .map((path) => readFileSync(join(root, 'src', path), 'utf8'))
    const popups = new Set(
      sources.flatMap((text) => [...text.matchAll(/use(?:Open)?Popup\('([\w-]+)'/g)]).map(([, name]) => name),
    )
    expect(popups.size).toBeGreaterThan(7)
    expect([...popups].filter((name) => !page.includes(`\`${name}\``))).toEqual([])
  })
})
