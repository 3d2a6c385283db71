/** One visit is opened without looking through what only a list asks for: with 10,000 requests that is 20,000 marks. */
import { IDBIndex } from 'fake-indexeddb'
import { firstValueFrom } from 'rxjs'
import { expect, test, vi } from 'vitest'
import { prefetchKey } from '#schemas/collections/prefetch.ts'
import { visitList$, visitsOfKeys$, visitsOfReports$, visitsOfRequest$ } from '#data/visits/visits.ts'
import { openTestDatabase } from '../../support/render-feature.tsx'
import { ENTERED, reportOn, requestOn } from '../../support/visit-records.ts'
import { storeView } from '../../support/stored-views.ts'

const DAY = '2026-11-20'

test('[PL4] which lists are on the device is read for the list of requests, not for one of them', async () => {
  const db = await openTestDatabase()
  const request = requestOn('1', DAY)
  await db.requests.insert(request)
  await storeView(db, 'quickReports', reportOn('1', { inTime: ENTERED }))
  const askedAt = `${DAY}T09:00:00+09:00`
  await db.interests.upsert({
    key: prefetchKey('emergencyReports', '1'),
    kind: 'prefetch',
    askedAt,
    state: 'answered',
    answeredAt: askedAt,
    total: 0,
  })
  const read = vi.spyOn(IDBIndex.prototype, 'getAllKeys')
  const marksRead = () =>
    read.mock.contexts.filter(
      (index) => index instanceof IDBIndex && index.objectStore.transaction.db.name.endsWith('--lookups'),
    ).length
  expect(await firstValueFrom(visitsOfRequest$(db, '1'))).toMatchObject([{ state: 'in' }])
  expect(await firstValueFrom(visitsOfKeys$(db, [request.key]))).toHaveLength(1)
  expect(await firstValueFrom(visitsOfReports$(db, ['q-1']))).toMatchObject([{ report: { id: 'q-1' } }])
  expect(marksRead()).toBe(0)
  expect((await firstValueFrom(visitList$(db))).rows).toHaveLength(1)
  expect(marksRead()).toBeGreaterThan(0)
})
