import { expect, test } from 'vitest'
import type { ListedRequest } from '#data/visits/request-rows.ts'
import { freshDays } from '#features/request/search/days.ts'
import { requestRecord } from '../../../support/device-records.ts'

const NOW = Date.parse('2026-11-20T10:00:00+09:00')
const HOUR = 3_600_000
const row = (id: string, age: number): ListedRequest => ({
  ...requestRecord(id, { confirmedAt: new Date(NOW - age).toISOString() }),
  needs: null,
  address: null,
  tel: null,
  devices: [],
})
const hasUnsent = ({ id }: ListedRequest) => id === 'unsent'
const days = [
  { date: '2026-11-20', rows: [row('fresh', HOUR), row('old', 25 * HOUR), row('unsent', 25 * HOUR)] },
  { date: '2026-11-21', rows: [row('older', 30 * HOUR)] },
]
const idsAt = (now: number) => freshDays(days, hasUnsent, now).map(({ rows }) => rows.map(({ id }) => id))

test('[EX1] what nobody confirmed for a day leaves the list, unless something of it is unsent; a day without rows goes', () =>
  expect(idsAt(NOW)).toEqual([['fresh', 'unsent']]))
test('[EX3a] when the clock comes back it is there again', () => {
  expect(idsAt(NOW + 72 * HOUR)).toEqual([['unsent']])
  expect(idsAt(NOW - 12 * HOUR)).toEqual([['fresh', 'old', 'unsent'], ['older']])
})
