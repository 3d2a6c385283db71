/** A write that the CRM keeps refusing does not delay the fetch requests of screens for the same collection. */
import { firstValueFrom } from 'rxjs'
import { expect, test } from 'vitest'
import type { RequestRecord } from '#schemas/resources/request.ts'
import { saveEmergencyReport } from '#features/emergency-report/commands.ts'
import {
  askList,
  askRecord,
  interest$,
  listInterest,
  recordInterest,
} from '#data/fetch-requests/interests.ts'
import { until, type Device } from '../../support/device.ts'
import { EMERGENCY } from '../../support/record-saves.ts'
import { enter, nth, todayScene } from '../../support/replication.ts'

const app = todayScene()

const refused = (path: string) =>
  app.crm.faults.add({ id: 'down', kind: 'status', status: 503, path, method: 'POST', count: 'always' })
const answeredBy503 = () => app.writes('/').filter(({ status }) => status === 503).length

/** Waits until the pulls have nothing more to read, then saves a change whose write the CRM never accepts. */
async function blocked(path: string, save: (device: Device, request: RequestRecord) => Promise<unknown>) {
  app.phone.haste = 4
  const device = await app.open()
  const [first, second] = await app.freeRequests(device)
  if (!first || !second) throw new Error('two requests expected')
  await silent()
  await refused(path)
  await save(device, first)
  await until(() => answeredBy503() >= 3)
  return { device, other: second }
}

/** Resolves once no call has been made for a while. */
async function silent() {
  let known = -1
  let same = 0
  await until(() => {
    same = app.crm.calls.length === known ? same + 1 : 0
    known = app.crm.calls.length
    return same > 40
  }, 30_000)
}

test('[PL9] a list that a screen asks for is read while a write of its collection gets 503 for ever', async () => {
  const { device, other } = await blocked('emergencyReport/$', (device, request) =>
    saveEmergencyReport(device.saver(), request, EMERGENCY),
  )
  await askList(device.db, app.phone.now, { collection: 'emergencyReports', owner: other.id })
  const standing = () => firstValueFrom(interest$(device.db, listInterest('emergencyReports', other.id)))
  await until(async () => (await standing())?.state === 'answered', 8_000)
  expect(await device.queue()).toHaveLength(1)
})

test('[PL9] a report that a screen asks for is read while an entry gets 503 for ever', async () => {
  const { device } = await blocked('quickReport/$', enter)
  const { quickReports } = await app.crm.inspect()
  const { id } = nth(quickReports, 0)
  await askRecord(device.db, app.phone.now, 'quickReports', id)
  const standing = () => firstValueFrom(interest$(device.db, recordInterest('quickReports', id)))
  await until(async () => (await standing())?.state === 'answered', 8_000)
  expect(await device.queue()).toHaveLength(1)
})
