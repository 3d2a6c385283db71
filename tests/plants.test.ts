/** A planted defect whose place is gone tells nothing: each is found in today's code (decision 0062). */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { planted, plants } from './plants/plants.mjs'
import { plants as pullPlants } from './simulate/pull/plants.mjs'

const root = resolve(import.meta.dirname, '..')

test.each([...plants, ...pullPlants].map((plant) => [plant.file, plant.name, plant] as const))(
  '%s: %s',
  (file, _, plant) => {
    const text = readFileSync(resolve(root, file), 'utf8')
    expect(planted(text, plant)).not.toBe(text)
  },
)
