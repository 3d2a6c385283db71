/** An address without a day: the visit that a screen opened on stays under the hands at midnight (decisions/time). */
import { act, waitFor, within } from '@testing-library/react'
import { useState } from 'react'
import { describe, expect, test } from 'vitest'
import type { Database } from '#data/database/database.ts'
import type { ClockReading } from '#lib/time/crm-clock.ts'
import { CustomerLocationAddScreen } from '#features/customer-location-change-request/customer-location-form-screens.tsx'
import { CustomerLocationViewScreen } from '#features/customer-location-change-request/customer-location-view-screen.tsx'
import { EmergencyAddScreen } from '#features/emergency-report/emergency-form-screens.tsx'
import { ContactAddScreen } from '#features/location-contact-change-request/contact-form-screens.tsx'
import { ContactViewScreen } from '#features/location-contact-change-request/contact-view-screen.tsx'
import { RequestViewScreen } from '#features/request/detail/request-view.tsx'
import { CONTACT, LOCATION, storeContact, storeLocation } from '../../../support/change-records.ts'
import { nearMidnight } from '../../../support/near-midnight.ts'
import { openTestDatabase, renderFeature, testClock, testValue } from '../../../support/render-feature.tsx'
import { requestOn, storeVisits } from '../../../support/visit-records.ts'
import { viewsIn } from '../../../support/stored-views.ts'

const DAY = '2026-11-20'
const NEXT = '2026-11-21'
const MIDNIGHT = Date.parse(`${NEXT}T00:00:00+09:00`)

async function twoDays() {
  const db = await openTestDatabase()
  await storeVisits(db, [requestOn('1', DAY), requestOn('1', NEXT)])
  return db
}

describe('[nights] without a day in the address', () => {
  test('入館登録 that is open stays of the visit it was opened for', async () => {
    const { clock, pass } = nearMidnight()
    const { screen, user } = await renderFeature(<RequestViewScreen id="1" workingDate={undefined} />, {
      path: '/request/$id',
      href: '/request/1',
      db: await twoDays(),
      services: { clock },
    })
    await user.click(await screen.findByRole('button', { name: '入館登録' }))
    const sheet = within(await screen.findByRole('dialog', { name: '入館登録' }))
    expect(sheet.getByText('作業日 2026年11月20日（金）')).toBeTruthy()
    await pass()
    expect(await sheet.findByText('作業日は11月20日（金）です。')).toBeTruthy()
  })

  test('緊急報告登録 is saved for the visit it was opened for', async () => {
    const { clock, pass } = nearMidnight()
    const db = await twoDays()
    const { screen, user } = await renderFeature(
      <EmergencyAddScreen requestId="1" workingDate={undefined} />,
      { path: '/emergencyReport/add/$id', href: '/emergencyReport/add/1', db, services: { clock } },
    )
    for (const choice of ['衛生面', '断水', '当日', '連絡済'])
      await user.click(await screen.findByLabelText(choice))
    await user.type(screen.getByLabelText('緊急内容詳細'), '断水')
    await pass()
    await user.click(screen.getByRole('button', { name: '保存' }))
    await waitFor(async () => expect(await viewsIn(db, 'emergencyReports')).toHaveLength(1))
    const [report] = await viewsIn(db, 'emergencyReports')
    expect(report).toMatchObject({
      workingDate: DAY,
      changes: [{ fields: { workingStartTime: `${DAY}T09:00:00+09:00` } }],
    })
  })

  test('another request that is opened in its place is shown as of its own day', async () => {
    const { clock, pass } = nearMidnight()
    const db = await twoDays()
    await storeVisits(db, [requestOn('2', DAY), requestOn('2', NEXT)])
    function Both() {
      const [id, setId] = useState('1')
      return (
        <>
          <button onClick={() => setId('2')}>次の依頼</button>
          <RequestViewScreen id={id} workingDate={undefined} />
        </>
      )
    }
    const { screen, user } = await renderFeature(<Both />, {
      path: '/request/$id',
      href: '/request/1',
      db,
      services: { clock },
    })
    await screen.findByRole('link', { name: '11月20日（金）', current: 'date' })
    await pass()
    await user.click(screen.getByRole('button', { name: '次の依頼' }))
    expect(await screen.findByRole('link', { name: '11月21日（土）', current: 'date' })).toBeTruthy()
  })

  test('a device that is a day ahead shows the CRM’s day as soon as it is told', async () => {
    const crmClock = testValue<ClockReading | null>(null)
    const device = MIDNIGHT + 9 * 3_600_000
    const { screen } = await renderFeature(<RequestViewScreen id="1" workingDate={undefined} />, {
      path: '/request/$id',
      href: '/request/1',
      db: await twoDays(),
      services: { clock: testClock(() => device), crmClock },
    })
    await screen.findByRole('link', { name: '11月21日（土）', current: 'date' })
    act(() => crmClock.set({ offMs: -24 * 3_600_000, at: device }))
    expect(await screen.findByRole('link', { name: '11月20日（金）', current: 'date' })).toBeTruthy()
  })
})

describe('[nights] 戻る of what hangs on a request of several days leads to the day one came from', () => {
  const fill = async (db: Database) => {
    await storeLocation(db, { server: LOCATION })
    await storeContact(db, '02', { server: CONTACT })
  }
  test.each([
    [
      '入館・駐車場情報変更依頼登録',
      () => <CustomerLocationAddScreen requestId="1" />,
      '/customerLocationChangeRequest/add/$requestId',
      '/customerLocationChangeRequest/add/1',
    ],
    [
      '入館・駐車場情報変更依頼詳細',
      () => <CustomerLocationViewScreen id="c1" />,
      '/customerLocationChangeRequest/$id',
      '/customerLocationChangeRequest/c1',
    ],
    [
      '入館連絡先変更依頼登録',
      () => <ContactAddScreen requestId="1" contactType="02" />,
      '/locationContactChangeRequest/add/$requestId/$type',
      '/locationContactChangeRequest/add/1/type1',
    ],
    [
      '入館連絡先変更依頼詳細',
      () => <ContactViewScreen id="k02" contactType="02" />,
      '/locationContactChangeRequest/$id/$type',
      '/locationContactChangeRequest/k02/type1',
    ],
  ] as const)('%s', async (_, Screen, path, address) => {
    const db = await openTestDatabase()
    const isAdd = address.includes('/add/')
    const over = {
      inLocationContact: CONTACT,
      inLocationContactChangeStatus: isAdd ? '1' : '2',
      customerLocationChangeStatus: isAdd ? '1' : '2',
    }
    await storeVisits(db, [requestOn('1', '2026-11-19', over), requestOn('1', DAY, over)])
    if (!isAdd) await fill(db)
    const from = '/request/1?workingDate=2026-11-19'
    const { screen, user, router, href } = await renderFeature(<Screen />, { path, href: from, db })
    await act(async () => router.history.push(address))
    await user.click(await screen.findByLabelText('戻る'))
    await waitFor(() => expect(href()).toBe(from))
  })
})
