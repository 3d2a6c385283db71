/** A bulk exit of which the CRM would refuse one visit: the CRM accepts all visits or none (crm-contract 4). */
import { expect, test } from 'vitest'
import { until } from '../../support/device.ts'
import { patchRow } from '../../support/stored-views.ts'
import { enter, ledgerOf, leave, nth, NOW, OUT_TIME, todayScene } from '../../support/replication.ts'

const app = todayScene()
const DAY = 86_400_000

test('[OR3b][SV2] one that is refused keeps none of the others from being sent', async () => {
  const device = await app.open()
  const today = (await app.freeRequests(device)).slice(0, 2)
  const yesterday = await until(async () => {
    const docs = await device.db.requests.find({ selector: { workingDate: '2026-11-19' } }).exec()
    return docs.map((doc) => doc.toMutableJSON()).find(({ quickReport }) => !quickReport) ?? false
  })
  const all = [...today, yesterday]
  for (const request of all) await enter(device, request)
  await app.sent(device)
  device.network.next(false)
  await leave(device, all)
  // eight days after yesterday's visit, seven after today's (ec00012)
  app.crmNow = NOW + 7 * DAY
  device.network.next(true)
  await until(async () => {
    const rows = await ledgerOf(device)
    return rows.filter(({ kind, settledAt }) => kind === 'exit' && settledAt).length === 3
  })
  const exits = (await ledgerOf(device)).filter(({ kind }) => kind === 'exit')
  const stateOf = (key: string) => exits.find(({ recordKey }) => recordKey === key)
  expect(all.map(({ key }) => stateOf(key)?.state)).toEqual(['accepted', 'accepted', 'refused'])
  expect(stateOf(yesterday.key)?.reasons).toEqual(['ec00012'])
  for (const { id } of today) expect(await app.reports(id)).toMatchObject([{ outTime: OUT_TIME }])
  expect(nth(await device.queue(), 0).record.key).toBe(yesterday.key)
})

test('[OR3b] one that the CRM chokes on is found: after a 5xx to several each has a call of its own', async () => {
  const device = await app.open()
  const requests = (await app.freeRequests(device)).slice(0, 3)
  for (const request of requests) await enter(device, request)
  await app.sent(device)
  const fault = { path: 'quickReport/requestUpdate', kind: 'status', status: 500, count: 1 } as const
  await app.crm.faults.add({ id: 'choked', ...fault })
  await leave(device, requests)
  await app.sent(device)
  const exits = app.bodies.flatMap(({ quickReports }) =>
    Array.isArray(quickReports) ? quickReports.length : [],
  )
  expect(exits).toEqual([3, 1, 1, 1])
})

test.each(['refused', 'expired'] as const)(
  '[OR3][OR3b] one that is %s, as after a restart, is not taken along by the others of its save, which go',
  async (state) => {
    const device = await app.open()
    const requests = (await app.freeRequests(device)).slice(0, 3)
    for (const request of requests) await enter(device, request)
    await app.sent(device)
    device.network.next(false)
    await leave(device, requests)
    const { change } = nth(await device.queue(), 1)
    await patchRow(device.db, change.id, {
      state,
      reasons: ['ec00012'],
      settledAt: new Date(NOW).toISOString(),
    })
    device.network.next(true)
    await until(async () => (await device.queue()).length === 1)
    expect(await device.queue()).toMatchObject([{ change: { id: change.id }, progress: { state } }])
    expect(app.bodies.map(({ quickReports }) => quickReports)).toContainEqual([
      { id: expect.any(String) },
      { id: expect.any(String) },
    ])
  },
)
