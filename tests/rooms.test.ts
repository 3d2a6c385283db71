/** The rooms of the product: folders that a person can read through. */
import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { roomLimit, tooFull } from './support/rooms.ts'

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
