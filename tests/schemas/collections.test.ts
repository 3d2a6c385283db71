/** RxDB's free version allows 13 collections a page: three stay free for resources to come (trap 10, decision 0078). */
import { expect, test } from 'vitest'
import { rxSchemas } from '#schemas/collections.ts'

const MOST_OF_RXDB = 13
const FREE = 3

test('[trap 10] the app leaves room for three collections more', () => {
  expect(Object.keys(rxSchemas).length).toBeLessThanOrEqual(MOST_OF_RXDB - FREE)
})
