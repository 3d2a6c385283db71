import { act } from '@testing-library/react'
import { expect, test } from 'vitest'
import { prefetchKeys } from '#schemas/collections/prefetch.ts'
import { RequestSearchScreen } from '#features/request/list/request-search-screen.tsx'
import { openTestDatabase, renderFeature, testValue } from '../../../support/render-feature.tsx'
import { requestOn, storeVisits } from '../../../support/visit-records.ts'

const whole = requestOn('1', '2026-11-20', {
  locationAreaId: 'a1',
  detailConfirmedAt: '2026-11-20T07:05:00+09:00',
  detail: { goods: [], safety: [], underPitSurvey: [], devices: [] },
})

test('[PL4a][decisions/speed] rows that are whole can be used without a signal once the app itself is on the device, and not before', async () => {
  const db = await openTestDatabase()
  await storeVisits(db, [whole], [])
  await db.interests.bulkInsert(
    prefetchKeys(whole).map((key) => ({
      key,
      kind: 'prefetch' as const,
      askedAt: '',
      state: 'answered' as const,
      answeredAt: '',
      total: 0,
    })),
  )
  const appKept = testValue(false)
  const { screen } = await renderFeature(<RequestSearchScreen select={false} />, {
    path: '/request',
    href: '/request',
    db,
    services: { appKept },
  })
  expect(await screen.findByText('まだオフラインで使えません', {}, { timeout: 20_000 })).toBeTruthy()
  expect(screen.queryByText('オフラインで使えます')).toBeNull()
  act(() => appKept.set(true))
  expect(await screen.findByText('オフラインで使えます')).toBeTruthy()
  expect(screen.queryByText('まだオフラインで使えません')).toBeNull()
})
