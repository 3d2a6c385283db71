/** The rooms of the product: folders that a person can read through. */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parseModule } from './support/architecture.ts'
import { roomLimit, roomsInCircles, tooFull } from './support/rooms.ts'

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
