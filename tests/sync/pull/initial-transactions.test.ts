/** What the first reading of a device costs in transactions of IndexedDB, which on a phone cost more than what they write. */
import { afterEach, expect, test, vi } from 'vitest'
import { firstValueFrom } from 'rxjs'
import { IDBDatabase } from 'fake-indexeddb'
import { visitList$ } from '#data/visits/visits.ts'
import { until } from '../../support/device.ts'
import { replicationScene } from '../../support/replication.ts'

const app = replicationScene()
afterEach(() => vi.restoreAllMocks())

// 60 and 18 where each read is written by itself
test('[PL11] two weeks are read with a few transactions for each request, not with dozens', async () => {
  app.daysAhead = 4
  app.phone.timeoutMs = 20_000
  app.phone.keepsAnswers = true
  const device = await app.open()
  const transactions = vi.spyOn(IDBDatabase.prototype, 'transaction')
  const visits = await until(async () => {
    const { rows, visitOf } = await firstValueFrom(visitList$(device.db))
    return rows.length > 20 && rows.map(visitOf).every(({ usableOffline }) => usableOffline) && rows
  }, 30_000)
  const perRequest = transactions.mock.calls.length / visits.length
  const writes = transactions.mock.calls.filter(([, mode]) => mode === 'readwrite').length / visits.length
  expect(perRequest).toBeLessThan(40)
  expect(writes).toBeLessThan(10)
})
