import { afterEach, expect, test, vi } from 'vitest'
import { waitFor } from '@testing-library/react'
import { detailInterest } from '#data/fetch-requests/interests.ts'
import { RequestViewScreen } from '#features/request/detail/request-view.tsx'
import { openTestDatabase, renderFeature, testClock } from '../../../support/render-feature.tsx'
import { requestOn, storeVisits } from '../../../support/visit-records.ts'
import { DAY, whole } from './open-view.tsx'

const START = Date.parse('2026-11-20T12:00:00+09:00')
const MINUTE = 60_000
afterEach(() => void vi.restoreAllMocks())

/** 依頼詳細 of request 1, opened at noon. */
async function opened() {
  const phone = { now: START }
  const db = await openTestDatabase()
  await storeVisits(db, [requestOn('1', DAY, whole)], [])
  /** Minutes after noon, of all times that it was asked for. */
  const asked: number[] = []
  db.interests.$.subscribe(({ documentData }) => {
    if (documentData.key === detailInterest('1', DAY))
      asked.push((Date.parse(documentData.askedAt) - START) / MINUTE)
  })
  const { screen } = await renderFeature(<RequestViewScreen id="1" workingDate={DAY} />, {
    path: '/request/$id',
    href: `/request/1?workingDate=${DAY}`,
    db,
    services: { clock: testClock(() => phone.now) },
  })
  await screen.findByRole('region', { name: '依頼の概要' })
  return {
    asked,
    /** Back in sight, or out of it, so long after it was opened. */
    turn(after: number, visibility: DocumentVisibilityState) {
      phone.now = START + after
      vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(visibility)
      document.dispatchEvent(new Event('visibilitychange'))
    },
  }
}

test('[PL5] a request that comes into sight again is asked for anew, not within five minutes, nor out of sight', async () => {
  const { turn, asked } = await opened()
  await waitFor(() => expect(asked).toEqual([0]))
  turn(4 * MINUTE, 'visible')
  turn(6 * MINUTE, 'hidden')
  turn(7 * MINUTE, 'visible')
  await waitFor(() => expect(asked).toEqual([0, 7]))
  turn(11 * MINUTE, 'visible')
  turn(13 * MINUTE, 'visible')
  await waitFor(() => expect(asked).toEqual([0, 7, 13]))
})
