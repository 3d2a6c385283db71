/**
 * A planted defect whose place is gone tells nothing, nor does a test that is not there: each is found in today's code, and
 * the page says of each what told of it (decisions/proof).
 */
import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { pageOf, rowsOf } from './plants/page.mjs'
import { planted, plants, roomOf } from './plants/plants.mjs'
import { defects } from './simulate/defects.ts'
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
  const namesOf = (rows: readonly { room: string; name: string }[]) =>
    rows.map(({ room, name }) => `${room}: ${name}`).toSorted()
  const page = readFileSync(resolve(root, 'docs/generated/plants.md'), 'utf8')

  test('names no other than them, each once', () => {
    const known = new Set(namesOf(all))
    expect(known.size).toBe(all.length)
    const named = namesOf(rowsOf(page))
    expect(named.filter((name) => !known.has(name))).toEqual([])
    expect(new Set(named).size).toBe(named.length)
  })

  test('there are at least 100 of them, and of those tried 98 of 100 were caught', () => {
    expect(all.length).toBeGreaterThanOrEqual(100)
    const rows = rowsOf(page)
    expect(rows.length).toBeGreaterThanOrEqual(100)
    expect(rows.filter(({ by }) => by.startsWith('**')).length).toBeLessThanOrEqual(rows.length * 0.02)
  })

  test('keeps what it says of the rooms that were not tried', () => {
    const before = pageOf(page, [
      { room: 'a', name: 'one', by: 'x: y' },
      { room: 'b', name: 'two | three', by: null },
    ])
    const after = rowsOf(pageOf(before, [{ room: 'a', name: 'four', by: 'z' }]))
    expect(after.filter(({ room }) => room.length === 1)).toEqual([
      { room: 'a', name: 'four', by: 'z' },
      { room: 'b', name: 'two | three', by: '**見つからない**' },
    ])
  })
})
