/** A device whose clock is off: what it has stamped is as old as its own clock says, whatever the CRM's clock says. */
import { act } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { ClockReading } from '#lib/time/crm-clock.ts'
import { RequestSearchScreen } from '#features/request/list/request-search-screen.tsx'
import { openTestDatabase, renderFeature, testClock, testValue } from '../../../support/render-feature.tsx'
import { requestOn, storeVisits } from '../../../support/visit-records.ts'

const DAY = '2026-11-20'

test.each([-30, -25, -1, 1, 25, 30])(
  '[EX1][PL4] %d hours off: what was read five minutes ago is no day old when the CRM tells its time',
  async (hours) => {
    const crm = Date.parse('2026-11-20T12:00:00+09:00')
    const device = crm + hours * 3_600_000
    const crmClock = testValue<ClockReading | null>(null)
    const db = await openTestDatabase()
    const confirmedAt = new Date(device - 5 * 60_000).toISOString()
    await storeVisits(db, [{ ...requestOn('1', DAY, { locationName: '現場1' }), confirmedAt }])
    const services = { clock: testClock(() => device), crmClock }
    const { screen } = await renderFeature(<RequestSearchScreen select={false} />, {
      path: '/request',
      db,
      services,
    })
    act(() => crmClock.set({ offMs: crm - device, at: device }))
    expect(await screen.findByRole('heading', { name: /11月20日（金）.*今日/ })).toBeTruthy()
    expect(screen.getByRole('link', { name: /現場1/ })).toBeTruthy()
    expect(screen.queryByText(/24時間が過ぎた依頼は表示しません/)).toBeNull()
  },
)
