import { expect, test } from 'vitest'
import { safetyKey } from '#schemas/resources/safety-measure.ts'
import { saveSafetyMeasure } from '#features/safety-measure/commands.ts'
import { until } from '../../support/device.ts'
import { nth, NOW, statesOf, todayScene, TODAY } from '../../support/replication.ts'

const app = todayScene()

test('[contract 4] already there: 失敗 with ec00027, and the CRM’s own is shown', async () => {
  const device = await app.open()
  const request = nth(await app.freeRequests(device), 0)
  device.network.next(false)
  await saveSafetyMeasure(device.saver(), request, '4', '1')
  // a colleague registered the measure first
  const other = await app.crm.inspect()
  expect(other.safety.filter(({ origin }) => origin === 'call')).toHaveLength(0)
  const body = { errors: ['ec00027'] }
  const fault = { path: 'safety/$', method: 'POST', count: 1 } as const
  await app.crm.faults.add({ id: 'first', kind: 'status', status: 400, body, ...fault })
  device.network.next(true)
  await until(async () => (await statesOf(device))[0] === 'failed')
  expect((await device.queue())[0]?.progress).toMatchObject({ status: 400, reasons: ['ec00027'] })
})

test('[contract 4] a measure is made once: saving it again changes nothing', async () => {
  const device = await app.open()
  const request = nth(await app.freeRequests(device), 0)
  device.network.next(false)
  expect(await saveSafetyMeasure(device.saver(), request, '4', '1')).toBe('saved')
  expect(await saveSafetyMeasure(device.saver(), request, '4', '2')).toBe('registered')
  device.network.next(true)
  await app.sent(device)
  expect(app.writes('safety/')).toHaveLength(1)
  expect(await saveSafetyMeasure(device.saver(), request, '4', '2')).toBe('registered')
})

test('[PL4] the measures of a visit are on the device under request, day and type', async () => {
  const device = await app.open()
  const theirs = (await app.crm.inspect()).safety.filter(({ workingDate }) => workingDate === TODAY)
  expect(theirs.length).toBeGreaterThan(0)
  await until(async () => {
    const keys = theirs.map((row) => safetyKey(row.requestId, row.workingDate, row.safetyType))
    const found = await device.db.safetyMeasures.findByIds(keys).exec()
    return found.size === theirs.length && [...found.values()].every(({ server }) => server?.name)
  })
  expect(app.phone.now).toBe(NOW)
})
