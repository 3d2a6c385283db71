/**
 * A planted defect whose place is gone tells nothing, nor does a test that is not there: each is found in today's code, and
 * the page counts them (decisions/proof).
 */
import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseSync } from 'vite'
import { describe, expect, test } from 'vitest'
import { pageOf, rowsOf } from './plants/page.mjs'
import { planted, plants, roomOf } from './plants/plants.mjs'
import { defects } from './simulate/defects.ts'
import { withDefects } from './simulate/pull/build.mjs'
import { plants as pullPlants } from './simulate/pull/plants.mjs'
import { smallestDefects } from './simulate/smallest/defects.ts'

const root = resolve(import.meta.dirname, '..')

test.each([...plants, ...pullPlants].map((plant) => [plant.file, plant.name, plant] as const))(
  '%s: %s',
  (file, _, plant) => {
    const text = readFileSync(resolve(root, file), 'utf8')
    expect(planted(text, plant)).not.toBe(text)
  },
)

test.each([...new Set(pullPlants.map(({ file }) => file))])('%s compiles with its defects', (file) => {
  const text = withDefects(readFileSync(resolve(root, file), 'utf8'), file)
  expect(parseSync(file, text).errors).toEqual([])
})

test('the tests that are to tell of a defect are there', () => {
  const named = new Set(plants.flatMap(({ tests }) => tests.map((name) => `tests/sync/${name}.test.ts`)))
  expect([...named].filter((path) => !existsSync(resolve(root, path)))).toEqual([])
  expect(plants.filter(({ tests }) => tests.length === 0)).toEqual([])
})

describe('the page of planted defects', () => {
  const all = [
    ...plants.map((plant) => ({ room: roomOf(plant), name: plant.name })),
    ...defects.map(({ name }) => ({ room: 'sending', name })),
    ...pullPlants.map(({ name }) => ({ room: 'pulling', name })),
    ...smallestDefects.map(({ name }) => ({ room: 'smallest', name })),
  ]
  const rows = rowsOf(readFileSync(resolve(root, 'docs/generated/plants.md'), 'utf8'))

  test('has every room, with no more defects than there are', () => {
    expect(new Set(all.map(({ room, name }) => `${room}: ${name}`)).size).toBe(all.length)
    expect(new Set(rows.map(({ room }) => room))).toEqual(new Set(all.map(({ room }) => room)))
    const planted = (wanted: string) => all.filter(({ room }) => room === wanted).length
    expect(rows.filter(({ room, tried }) => tried > planted(room))).toEqual([])
  })

  test('at least 100 were tried, and of 100 of them 98 were caught', () => {
    const sum = (of: (row: (typeof rows)[number]) => number) => rows.reduce((n, row) => n + of(row), 0)
    expect(sum(({ tried }) => tried)).toBeGreaterThanOrEqual(100)
    expect(sum(({ caught }) => caught)).toBeGreaterThanOrEqual(sum(({ tried }) => tried) * 0.98)
  })

  test('keeps what it says of the rooms that were not tried', () => {
    const before = pageOf('# x\n\n', [
      { room: 'a', by: 'x: y' },
      { room: 'b', by: null },
    ])
    expect(
      rowsOf(
        pageOf(before, [
          { room: 'a', by: 'z' },
          { room: 'a', by: 'z' },
        ]),
      ),
    ).toEqual([
      { room: 'a', tried: 2, caught: 2 },
      { room: 'b', tried: 1, caught: 0 },
    ])
    expect(before.startsWith('# x\n')).toBe(true)
  })
})
