/** The rooms of the product: folders that a person can read through. */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { expect, test } from 'vitest'
import { parseModule, targetOf, type Module } from './support/architecture.ts'

const roomLimit = 20

/** @param paths of files of code @returns a line for each folder with too many files directly in it */
function tooFull(paths: readonly string[]): string[] {
  const files = new Map<string, number>()
  for (const path of paths) files.set(posix.dirname(path), (files.get(posix.dirname(path)) ?? 0) + 1)
  return [...files]
    .filter(([, count]) => count > roomLimit)
    .map(([folder, count]) => `${folder} has ${count} files`)
}

/** The table of routes, which the router's plugin writes beside `main.tsx`. */
const GENERATED = 'routeTree.gen.ts'

/** @returns the folders that are part of a circle of imports, or lie between two; lazy imports count, too */
function roomsInCircles(modules: readonly Module[]): string[] {
  const edges = modules.flatMap(({ path, imports }) => {
    const from = posix.dirname(path)
    const into = imports
      .filter(({ specifier }) => !specifier.endsWith(GENERATED))
      .map(({ specifier }) => posix.dirname(targetOf(path, specifier) ?? path))
    return into.filter((to) => to !== from && /^(src|sync|schemas)\b/.test(to)).map((to) => ({ from, to }))
  })
  const peeled = (rest: typeof edges): typeof edges => {
    const [sources, targets] = [new Set(rest.map(({ from }) => from)), new Set(rest.map(({ to }) => to))]
    const next = rest.filter(({ from, to }) => targets.has(from) && sources.has(to))
    return next.length === rest.length ? rest : peeled(next)
  }
  return [...new Set(peeled(edges).map(({ from }) => from))].toSorted()
}

const { stdout } = spawnSync('git', ['ls-files', '-co', '--exclude-standard', 'src', 'sync', 'schemas'], {
  encoding: 'utf8',
})
const code = stdout.split('\n').filter((path) => /\.tsx?$/.test(path))

test(`no folder of the product has more than ${roomLimit} files`, () => {
  expect(code.length).toBeGreaterThan(500)
  expect(tooFull(code)).toEqual([])
})

test('a folder is full with its last file', () => {
  const folder = (count: number) => Array.from({ length: count }, (_, i) => `src/ui/a${i}.ts`)
  expect(tooFull(folder(roomLimit))).toEqual([])
  expect(tooFull(folder(roomLimit + 1))).toEqual(['src/ui has 21 files'])
})

const importing = (path: string, ...specifiers: string[]) =>
  parseModule({ path, text: specifiers.map((from) => `import '${from}'`).join('\n') })

test('imports between rooms lead one way only', () => {
  const product = code.filter((path) => !path.startsWith('src/routes/') && existsSync(path))
  const modules = product.map((path) => parseModule({ path, text: readFileSync(path, 'utf8') }))
  expect(roomsInCircles(modules)).toEqual([])
})

test('two rooms that import each other are found, three in a chain are none', () => {
  const [up, down] = [importing('src/ui/a/x.ts', '#ui/b/y.ts'), importing('src/ui/b/y.ts', '#ui/c/z.ts')]
  expect(roomsInCircles([up, down])).toEqual([])
  expect(roomsInCircles([up, down, importing('src/ui/b/w.ts', '../a/v.ts')])).toEqual([
    'src/ui/a',
    'src/ui/b',
  ])
})
