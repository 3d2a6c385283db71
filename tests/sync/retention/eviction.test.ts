import { expect, test } from 'vitest'
import { evicted, sizeOf } from '#data/database/eviction.ts'

test.each<[number[], number, number[]]>([
  [[], 0, []],
  [[3, 4], 7, []],
  [[3, 4], 6, [3]],
  [[3, 4], 3, [3, 4]],
  [[3, 4, 5], 0, [3, 4, 5]],
  // a photo larger than the limit is removed as well, with all older ones
  [[1, 9, 1], 8, [1, 9]],
  [[0, 2], 1, [0, 2]],
])('of the sizes %j in a cache of %d go %j', (sizes, most, gone) => {
  const all = sizes.map((size) => ({ size }))
  expect(evicted(all, most).map(({ size }) => size)).toEqual(gone)
  expect(sizeOf(all.slice(gone.length))).toBeLessThanOrEqual(most)
})
