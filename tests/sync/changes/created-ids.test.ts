/** A create is answered with the id of another record: both records keep their content. */
import { describe, expect, test } from 'vitest'
import type { PushCollection } from '#schemas/collections/push-collections.ts'
import type { RequestRecord } from '#schemas/resources/request.ts'
import type { DemoState } from '#demo-crm/tables.ts'
import { saveEmergencyReport } from '#features/emergency-report/commands.ts'
import { saveCustomerLocation } from '#features/customer-location-change-request/commands.ts'
import { saveContactChange } from '#features/location-contact-change-request/commands.ts'
import { until, type Device } from '../../support/device.ts'
import { contactOf, elsewhere, locationOf } from '../../support/other-company.ts'
import { CONTACT, EMERGENCY, PARKING, recordCases } from '../../support/record-saves.ts'
import { enter, IN_TIME, leave, nth, todayScene, statesOf } from '../../support/replication.ts'
import { viewsIn } from '../../support/stored-views.ts'

const app = todayScene()

interface Row {
  id: string
  requestId?: string | null
}
interface CreateCase {
  collection: PushCollection
  path: string
  save(device: Device, request: RequestRecord): Promise<unknown>
  made(state: DemoState): readonly Row[]
}

const cases: CreateCase[] = [
  {
    collection: 'quickReports',
    path: 'quickReport/',
    save: enter,
    made: ({ quickReports }) => quickReports.filter(({ origin }) => origin === 'call'),
  },
  ...recordCases,
]

/** From now on the CRM answers each create of this path with this id. */
function answering(path: string, id: () => string): void {
  const { fetch } = app.crm
  app.crm.fetch = async (request) => {
    const response = await fetch(request)
    if (request.method !== 'POST' || !request.url.endsWith(path) || !response.ok) return response
    const body: object = await response.json()
    return new Response(JSON.stringify({ ...body, id: id() }), { status: response.status })
  }
}

const openRequests = async (device: Device) =>
  (await app.freeRequests(device)).filter(
    ({ customerLocationChangeStatus, inLocationContactChangeStatus }) =>
      customerLocationChangeStatus === '1' && inLocationContactChangeStatus === '1',
  )

test.each(cases)(
  '[OC3] $collection: a create that is answered with the id of one made before is looked for, and both are here once',
  async ({ collection, path, save, made }) => {
    const device = await app.open()
    const [first, second] = await openRequests(device)
    const saved = [first, second].filter((request) => request !== undefined)
    await save(device, nth(saved, 0))
    await app.sent(device)
    const earlier = nth(made(await app.crm.inspect()), 0).id
    answering(path, () => earlier)
    await save(device, nth(saved, 1))
    await app.sent(device)
    await app.quiet()
    const held = made(await app.crm.inspect())
    expect(held.map(({ requestId }) => requestId)).toEqual(saved.map(({ id }) => id))
    const records = await viewsIn(device.db, collection)
    for (const { id, requestId } of held)
      expect(records.filter(({ serverId }) => serverId === id).map((record) => record.requestId)).toEqual([
        requestId,
      ])
    expect(app.writes(path)).toHaveLength(2)
  },
)

/** An edit that depends on a create, and the call that sends it. */
interface EditCase {
  name: PushCollection
  theirs(request: RequestRecord): object
  edit(device: Device, request: RequestRecord): Promise<unknown>
}
const edits: EditCase[] = [
  {
    name: 'quickReports',
    theirs: ({ id: requestId, workingDate, workingDateType }) => ({
      requestId,
      workingDate,
      workingDateType,
      inTime: IN_TIME,
    }),
    edit: (device, request) => leave(device, [request]),
  },
  {
    name: 'emergencyReports',
    theirs: ({ id, workingDate }) => ({
      ...EMERGENCY,
      emergencyContents: '1,3',
      risk: '2,8',
      requestId: id,
      workingDate,
    }),
    async edit(device, request) {
      const records = await viewsIn(device.db, 'emergencyReports', { requestId: request.id })
      const mine = nth(
        records.filter(({ changes }) => changes.length > 0),
        0,
      )
      const content = { ...EMERGENCY, emergencyContentsDetails: '復旧しました。' }
      await saveEmergencyReport(device.saver(), request, content, mine)
    },
  },
  {
    name: 'customerLocationChangeRequests',
    theirs: ({ id }) => ({ ...PARKING, requestId: id }),
    edit: async (device, { id }) =>
      saveCustomerLocation(
        device.saver(),
        id,
        { ...PARKING, inMethod: '表から入館' },
        await locationOf(device, id),
      ),
  },
  {
    name: 'locationContactChangeRequests',
    theirs: ({ id }) => ({ ...CONTACT, type: '02', requestId: id }),
    edit: async (device, { id }) =>
      saveContactChange(device.saver(), id, '02', { ...CONTACT, means: '内線' }, await contactOf(device, id)),
  },
]

describe('[MG3] a create that is answered with the id of another request’s record', () => {
  test.each(edits)(
    '$name: what is saved on it is not laid over theirs, and is sent once the right id is read',
    async ({ name, theirs, edit }) => {
      const { path, save, made } = nth(
        cases.filter(({ collection }) => collection === name),
        0,
      )
      const device = await app.open()
      const requests = await openRequests(device)
      const [mine, another] = [nth(requests, 0), nth(requests, 1)]
      device.network.next(false)
      await save(device, mine)
      await edit(device, mine)
      await elsewhere(path, { ...theirs(another), loginUserId: 'staff-7' }, 'POST')
      const before = nth(made(await app.crm.inspect()), 0)
      answering(path, () => before.id)
      device.network.next(true)
      await until(async () => (await statesOf(device)).length < 2)
      await until(async () => made(await app.crm.inspect()).length === 2)
      await app.quiet()
      const held = made(await app.crm.inspect())
      expect(held.find(({ id }) => id === before.id)).toEqual(before)
      expect(app.writes(path).filter(({ method }) => method === 'POST')).toHaveLength(2)
    },
  )
})
