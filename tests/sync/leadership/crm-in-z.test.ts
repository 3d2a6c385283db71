/** A CRM that writes its date-times with `Z` and takes only `+09:00`, as the contract allows and wants (WR1). */
import { describe, expect, test } from 'vitest'
import { saveEmergencyReport } from '#features/emergency-report/commands.ts'
import { saveSafetyMeasure } from '#features/safety-measure/commands.ts'
import { wish } from '#data/fetch-requests/wishes.ts'
import { until } from '../../support/device.ts'
import { EMERGENCY, isOpen } from '../../support/record-saves.ts'
import { enter, leave, nth, todayScene, statesOf } from '../../support/replication.ts'
import { viewsIn } from '../../support/stored-views.ts'

const app = todayScene({ timesInZ: true })

async function opened() {
  const device = await app.open()
  const request = nth((await app.freeRequests(device)).filter(isOpen), 0)
  return { device, request }
}
const TIMES = {
  workingStartTime: expect.stringMatching(/\+09:00$/),
  workingEndTime: expect.stringMatching(/\+09:00$/),
}

describe('[WR1][SV2] with a CRM that writes Z', () => {
  test('緊急報告 and 安全対策 of a visit are accepted, and so are entry, exit and edits', async () => {
    const { device, request } = await opened()
    await enter(device, request)
    await leave(device, [request])
    await saveEmergencyReport(device.saver(), request, EMERGENCY)
    await saveSafetyMeasure(device.saver(), request, '3', '1')
    await app.sent(device)
    const refused = app.crm.calls.filter(({ method, status }) => method !== 'GET' && status >= 400)
    expect(refused).toEqual([])
    const made = nth(
      (await viewsIn(device.db, 'emergencyReports')).filter(({ serverId, key }) => serverId !== key),
      0,
    )
    await saveEmergencyReport(device.saver(), request, { ...EMERGENCY, risk: ['1'] }, made)
    await app.sent(device)
    const state = await app.crm.inspect()
    expect(state.emergencyReports.filter(({ origin }) => origin === 'call')).toMatchObject([
      { requestId: request.id, risk: '1', ...TIMES },
    ])
    expect(state.safety.filter(({ origin }) => origin === 'call')).toMatchObject([
      { requestId: request.id, ...TIMES },
    ])
    expect((await app.reports(request.id))[0]).toMatchObject({ type: '1' })
  })

  test('what an older version has stored with Z and was refused: 再送 mends it', async () => {
    const { device, request } = await opened()
    device.network.next(false)
    const inZ = { workingStartTime: '2026-11-20T00:00:00Z', workingEndTime: '2026-11-20T02:00:00.000Z' }
    await saveEmergencyReport(device.saver(), { ...request, ...inZ }, EMERGENCY)
    await saveSafetyMeasure(device.saver(), { ...request, ...inZ }, '3', '1')
    await app.crm.faults.add({
      id: 'refused as before',
      kind: 'status',
      status: 422,
      body: { errors: ['workingStartTimeが正しい形式ではありません。'] },
      method: 'POST',
      path: 'emergencyReport|safety',
      count: 2,
    })
    device.network.next(true)
    await until(async () => (await statesOf(device)).join() === 'failed,failed')
    for (const item of await device.queue()) await wish(device.db, item, 'resend')
    await app.sent(device)
    const sent = app.sentBodies.filter(({ call }) => call.startsWith('POST'))
    expect(sent.slice(-2).map(({ body }) => body['workingStartTime'])).toEqual(
      Array.from({ length: 2 }, () => '2026-11-20T09:00:00+09:00'),
    )
  })

  test('[OC3] an emergency report whose answer was lost is found by the moment it names', async () => {
    const { device, request } = await opened()
    await app.crm.faults.add({
      id: 'lost',
      kind: 'lostAnswer',
      method: 'POST',
      path: 'emergencyReport',
      count: 1,
    })
    await saveEmergencyReport(device.saver(), request, EMERGENCY)
    await app.sent(device)
    const { emergencyReports } = await app.crm.inspect()
    expect(emergencyReports.filter(({ origin }) => origin === 'call')).toHaveLength(1)
    expect(app.writes('emergencyReport/')).toHaveLength(1)
  })
})
