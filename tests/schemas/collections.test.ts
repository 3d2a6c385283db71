/** RxDB's free version allows 13 collections in a page. The rest is for future resources (trap 10, decisions/storage). */
import { expect, test } from 'vitest'
import { rxSchemas } from '#schemas/collections/collections.ts'

const MOST_OF_RXDB = 13
const FREE = 2

test('[trap 10] so many collections are free', () => {
  expect(MOST_OF_RXDB - Object.keys(rxSchemas).length).toBe(FREE)
})
