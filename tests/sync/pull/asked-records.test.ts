/** A record that the address of a screen names by its id, and that nothing on the phone leads to. */
import { firstValueFrom } from 'rxjs'
import { describe, expect, test } from 'vitest'
import { askRecord, interest$, recordInterest } from '#data/fetch-requests/interests.ts'
import { newPhone, until, type Device } from '../../support/device.ts'
import { isOpen, recordCases, type RecordCase } from '../../support/record-saves.ts'
import { enter, IN_TIME, NOW, nth, replicationScene } from '../../support/replication.ts'
import { viewsIn } from '../../support/stored-views.ts'

const app = replicationScene()

type Collection = RecordCase['collection'] | 'quickReports'
const ask = (device: Device, collection: Collection, id: string) =>
  askRecord(device.db, app.phone.now, collection, id)
const standing = async ({ db }: Device, collection: Collection, id: string) =>
  (await firstValueFrom(interest$(db, recordInterest(collection, id))))?.state

/** Another phone of the same user, on which no search finds anything. */
async function emptyPhone(online = true): Promise<Device> {
  const none = { kind: 'status', status: 200, body: [], headers: { 'x-total-count': '0' } } as const
  await app.crm.faults.add({ id: 'none', path: 'request/search', count: 'always', ...none })
  app.phone = newPhone(NOW)
  return app.open({ online })
}

/** Saves one of the kind, and lets the CRM have it. */
async function makeOne({ collection, save }: RecordCase) {
  const device = await app.open()
  const request = nth((await app.freeRequests(device)).filter(isOpen), 0)
  await save(device, request)
  await app.sent(device)
  const made = await until(async () => {
    const docs = await viewsIn(device.db, collection, { requestId: request.id })
    const records = docs.map((doc) => doc)
    return records.find(({ key, serverId, server }) => server?.detailed && key !== serverId) ?? false
  })
  await app.close(device)
  return made
}

describe.each(recordCases)('[spec 2] $collection by its id', (row) => {
  const { collection } = row
  const records = async ({ db }: Device) => await viewsIn(db, collection)

  test('comes to a phone that has neither it nor its request', async () => {
    const { serverId: id, requestId, workingDate, server } = await makeOne(row)
    const device = await emptyPhone()
    expect(await records(device)).toEqual([])
    await ask(device, collection, id)
    const [record] = await until(async () => {
      const found = await records(device)
      return found.length > 0 && found
    })
    expect(record).toMatchObject({ serverId: id, requestId, workingDate, changes: [], unsent: 'no' })
    const { stamp: _, detailed, ...content } = record?.server ?? {}
    expect(detailed).toBe(true)
    expect(Object.keys(server ?? {})).toEqual(expect.arrayContaining(Object.keys(content)))
    await until(async () => (await standing(device, collection, id)) === 'answered')
    expect(device.problems).toEqual([])
  })

  test('the CRM has none: missing, and nothing comes', async () => {
    const device = await emptyPhone()
    await ask(device, collection, 'nobody')
    await until(async () => (await standing(device, collection, 'nobody')) === 'missing')
    expect(await records(device)).toEqual([])
  })

  test('asked without a signal, it is answered once there is one', async () => {
    const device = await emptyPhone(false)
    await ask(device, collection, 'nobody')
    expect(await standing(device, collection, 'nobody')).toBe('asked')
    device.network.next(true)
    await until(async () => (await standing(device, collection, 'nobody')) === 'missing')
  })
})

describe('[spec 2] quickReports by its id', () => {
  test('comes to a phone that has neither it nor its request', async () => {
    const device = await app.open()
    const request = nth(await app.freeRequests(device), 0)
    await enter(device, request)
    await app.sent(device)
    const [made] = await app.reports(request.id)
    await app.close(device)
    const next = await emptyPhone()
    await ask(next, 'quickReports', made?.id ?? '')
    const record = await until(async () => (await viewsIn(next.db, 'quickReports'))[0] ?? false)
    expect(record).toMatchObject({
      key: request.key,
      requestId: request.id,
      workingDate: request.workingDate,
      serverId: made?.id,
      server: { inTime: IN_TIME, outTime: null, detailed: true },
      changes: [],
    })
    await until(async () => (await standing(next, 'quickReports', made?.id ?? '')) === 'answered')
  })

  test('the CRM has none: missing', async () => {
    const device = await emptyPhone()
    await ask(device, 'quickReports', 'nobody')
    await until(async () => (await standing(device, 'quickReports', 'nobody')) === 'missing')
  })
})
