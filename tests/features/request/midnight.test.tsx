/** An address without a day: the visit that a screen opened on stays under the hands at midnight (decision 0041). */
import { act, waitFor, within } from '@testing-library/react'
import { useState } from 'react'
import { describe, expect, test } from 'vitest'
import type { ClockReading } from '#lib/crm-clock.ts'
import { EmergencyAddScreen } from '#features/emergency-report/emergency-add-screen.tsx'
import { RequestViewScreen } from '#features/request/request-view-screen.tsx'
import { openTestDatabase, renderFeature, testClock, testValue } from '../../support/render-feature.tsx'
import { requestOn, storeVisits } from '../../support/visit-records.ts'

const DAY = '2026-11-20'
const NEXT = '2026-11-21'
const MIDNIGHT = Date.parse(`${NEXT}T00:00:00+09:00`)

async function twoDays() {
  const db = await openTestDatabase()
  await storeVisits(db, [requestOn('1', DAY), requestOn('1', NEXT)])
  return db
}

/** It is soon midnight, and then it is. */
function nearMidnight() {
  const start = Date.now()
  const clock = testClock(() => MIDNIGHT - 2_500 + Date.now() - start)
  const pass = () =>
    act(async () => new Promise<void>((done) => setTimeout(done, start + 2_700 - Date.now())))
  return { clock, pass }
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
    await waitFor(async () => expect(await db.emergencyReports.find().exec()).toHaveLength(1))
    const [report] = await db.emergencyReports.find().exec()
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
