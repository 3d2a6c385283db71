/** Edits of others and of this device are merged field by field before a PUT; `history` has the replaced value (MG2, MG3). */
import { describe, expect, test } from 'vitest'
import type { DemoState } from '#demo-crm/tables.ts'
import type { RequestRecord } from '#schemas/resources/request.ts'
import type { ReplacedValue } from '#schemas/change.ts'
import { othersEdits, replacedHere } from '#schemas/change-history.ts'
import { saveCustomerLocation } from '#features/customer-location-change-request/commands.ts'
import { saveEmergencyReport } from '#features/emergency-report/commands.ts'
import { saveContactChange } from '#features/location-contact-change-request/commands.ts'
import { saveNote } from '#features/note-location-area/commands.ts'
import { saveReport } from '#features/quick-report/commands.ts'
import { until, type Device } from '../../support/device.ts'
import { contactOf, elsewhere, locationOf } from '../../support/other-company.ts'
import { CONTACT, EMERGENCY, isOpen, PARKING } from '../../support/record-saves.ts'
import { COMPLETED, enter, leave, nth, todayScene, OUT_TIME } from '../../support/replication.ts'
import { viewIn, viewsIn } from '../../support/stored-views.ts'

const app = todayScene()

interface Row {
  id: string
  origin: string
}
interface EditCase {
  name:
    | 'emergencyReports'
    | 'customerLocationChangeRequests'
    | 'locationContactChangeRequests'
    | 'noteLocationAreas'
  path: string
  rows(state: DemoState): readonly Row[]
  make(device: Device, request: RequestRecord): Promise<unknown>
  /** The other company's body: its edit of one field, the other fields unchanged. */
  theirs(request: RequestRecord): object
  /** This device edits another field than the other company; null if there is only one field. */
  other: ((device: Device, request: RequestRecord) => Promise<unknown>) | null
  /** This device edits the same field. */
  same(device: Device, request: RequestRecord): Promise<unknown>
  /** The CRM after `other`, and after `same`. */
  afterOther: object
  afterSame: object
  replaced: Pick<ReplacedValue, 'field' | 'value'>
}

const sent = { ...EMERGENCY, emergencyContents: '1,3', risk: '2,8' }
const emergencyOf = (device: Device) =>
  until(async () => {
    const made = await viewsIn(device.db, 'emergencyReports')
    return made.find(({ key, serverId }) => serverId !== '' && key !== serverId) ?? false
  })
const noteOf = async (device: Device) =>
  nth(
    (await viewsIn(device.db, 'noteLocationAreas')).filter(({ key, serverId }) => key !== serverId),
    0,
  )

const cases: EditCase[] = [
  {
    name: 'emergencyReports',
    path: 'emergencyReport',
    rows: (state) => state.emergencyReports,
    make: (device, request) => saveEmergencyReport(device.saver(), request, EMERGENCY),
    theirs: ({ id, workingDate }) => ({ ...sent, requestId: id, workingDate, risk: '1' }),
    other: async (device, request) =>
      saveEmergencyReport(
        device.saver(),
        request,
        { ...EMERGENCY, emergencyContentsDetails: '復旧' },
        await emergencyOf(device),
      ),
    same: async (device, request) =>
      saveEmergencyReport(
        device.saver(),
        request,
        { ...EMERGENCY, risk: ['3', '4'] },
        await emergencyOf(device),
      ),
    afterOther: { risk: '1', emergencyContentsDetails: '復旧', emergencyContents: '1,3' },
    afterSame: { risk: '3,4' },
    replaced: { field: 'risk', value: ['1'] },
  },
  {
    name: 'customerLocationChangeRequests',
    path: 'customerLocationChangeRequest',
    rows: (state) => state.customerLocationChangeRequests,
    make: (device, { id }) => saveCustomerLocation(device.saver(), id, PARKING, null),
    theirs: ({ id }) => ({ ...PARKING, requestId: id, parkingMethod: '臨時駐車場' }),
    other: async (device, { id }) =>
      saveCustomerLocation(
        device.saver(),
        id,
        { ...PARKING, inMethod: '正面から' },
        await locationOf(device, id),
      ),
    same: async (device, { id }) =>
      saveCustomerLocation(
        device.saver(),
        id,
        { ...PARKING, parkingMethod: '東側' },
        await locationOf(device, id),
      ),
    afterOther: { parkingMethod: '臨時駐車場', inMethod: '正面から', parkingType: '2' },
    afterSame: { parkingMethod: '東側' },
    replaced: { field: 'parkingMethod', value: '臨時駐車場' },
  },
  {
    name: 'locationContactChangeRequests',
    path: 'locationContactChangeRequest',
    rows: (state) => state.locationContactChangeRequests,
    make: (device, { id }) => saveContactChange(device.saver(), id, '02', CONTACT, null),
    theirs: ({ id }) => ({ ...CONTACT, requestId: id, type: '02', staffName: '田村' }),
    other: async (device, { id }) =>
      saveContactChange(
        device.saver(),
        id,
        '02',
        { ...CONTACT, tel1: '03-5550-0100' },
        await contactOf(device, id),
      ),
    same: async (device, { id }) =>
      saveContactChange(
        device.saver(),
        id,
        '02',
        { ...CONTACT, staffName: '森' },
        await contactOf(device, id),
      ),
    afterOther: { staffName: '田村', tel1: '03-5550-0100', section: '設備管理課' },
    afterSame: { staffName: '森' },
    replaced: { field: 'staffName', value: '田村' },
  },
  {
    name: 'noteLocationAreas',
    path: 'noteLocationArea',
    rows: (state) => state.notes,
    make: (device, request) => saveNote(device.saver(), request, { note: '台車は搬入口Bから。' }),
    theirs: () => ({ note: '搬入口Bは閉鎖。' }),
    other: null,
    same: async (device, request) =>
      saveNote(device.saver(), request, { note: '台車は搬入口Cから。' }, await noteOf(device)),
    afterOther: {},
    afterSame: { note: '台車は搬入口Cから。' },
    replaced: { field: 'note', value: '搬入口Bは閉鎖。' },
  },
]

describe.each(cases)(
  '$name',
  ({ name, path, rows, make, theirs, other, same, afterOther, afterSame, replaced }) => {
    async function made() {
      const device = await app.open()
      const request = nth(
        (await app.freeRequests(device)).filter(isOpen).filter(({ id }) => id !== ''),
        0,
      )
      const before = rows(await app.crm.inspect()).map(({ id }) => id)
      await make(device, request)
      await app.sent(device)
      const row = nth(
        rows(await app.crm.inspect()).filter(({ id }) => !before.includes(id)),
        0,
      )
      return { device, request, row }
    }
    const inCrm = async (id: string) => rows(await app.crm.inspect()).find((each) => each.id === id)
    const historyOf = async (device: Device, id: string) =>
      (await viewsIn(device.db, name, { serverId: id })).flatMap((doc) => [...(doc.history ?? [])])

    test.runIf(other)('[MG3] the edit of another company survives that of another field here', async () => {
      const { device, request, row } = await made()
      device.network.next(false)
      await other?.(device, request)
      await elsewhere(`${path}/${row.id}`, theirs(request))
      device.network.next(true)
      await app.sent(device)
      expect(await inCrm(row.id)).toMatchObject(afterOther)
      const history = await historyOf(device, row.id)
      expect(replacedHere(history)).toEqual([])
      // [MG5] the history has both values of their edit
      expect(othersEdits(history)).toMatchObject([{ field: replaced.field, after: replaced.value }])
    })

    test('[MG2][MG3] of two edits of one field that of this device stays, the replaced value is in the history', async () => {
      const { device, request, row } = await made()
      device.network.next(false)
      await same(device, request)
      await elsewhere(`${path}/${row.id}`, theirs(request))
      device.network.next(true)
      await app.sent(device)
      expect(await inCrm(row.id)).toMatchObject(afterSame)
      await until(async () => replacedHere(await historyOf(device, row.id)).length === 1)
      expect(replacedHere(await historyOf(device, row.id))).toMatchObject([replaced])
    })
  },
)

describe('quickReports', () => {
  const INCOMPLETE = { ...COMPLETED, type: '2', reason1: '4' }

  async function left() {
    const device = await app.open()
    const request = nth(await app.freeRequests(device), 0)
    await enter(device, request)
    await leave(device, [request])
    await app.sent(device)
    const report = nth(await app.reports(request.id), 0)
    const edit = async (content: Partial<typeof INCOMPLETE | typeof COMPLETED>) => {
      const doc = await viewIn(device.db, 'quickReports', request.key)
      await saveReport(device.saver(), [doc], 'edit', { ...COMPLETED, ...content })
    }
    const history = async () => replacedHere((await viewIn(device.db, 'quickReports', request.key)).history)
    return { device, request, report, edit, history }
  }

  test('[MG3] type and reason of another company stay when only the content was edited here', async () => {
    const { device, request, report, edit, history } = await left()
    device.network.next(false)
    await edit({ reportContent: 'こちらの編集' })
    await elsewhere(`quickReport/${report.id}`, INCOMPLETE)
    device.network.next(true)
    await app.sent(device)
    expect(await app.reports(request.id)).toMatchObject([
      { type: '2', reason1: '4', reportContent: 'こちらの編集', outTime: OUT_TIME },
    ])
    expect(await history()).toEqual([])
  })

  test('[MG2] type and reasons go together: who changed one has said all of them', async () => {
    const { device, request, report, edit, history } = await left()
    device.network.next(false)
    await edit({ type: '3', reason2: '1' } as object)
    await elsewhere(`quickReport/${report.id}`, INCOMPLETE)
    device.network.next(true)
    await app.sent(device)
    expect(await app.reports(request.id)).toMatchObject([{ type: '3', reason1: null, reason2: '1' }])
    await until(async () => (await history()).length === 2)
    expect((await history()).map(({ field, value }) => ({ field, value }))).toEqual(
      expect.arrayContaining([
        { field: 'type', value: '2' },
        { field: 'reason1', value: '4' },
      ]),
    )
  })

  test('[MG3] an exit that another company has registered meanwhile: ours is laid over theirs, field by field', async () => {
    const device = await app.open()
    const request = nth(await app.freeRequests(device), 0)
    await enter(device, request)
    await app.sent(device)
    device.network.next(false)
    await leave(device, [request], { reportContent: null } as object)
    const report = nth(await app.reports(request.id), 0)
    await elsewhere(`quickReport/${report.id}`, { ...INCOMPLETE, reportContent: '他社の報告' })
    device.network.next(true)
    await app.sent(device)
    expect(await app.reports(request.id)).toMatchObject([
      { type: '1', reason1: null, reportContent: '他社の報告', outTime: OUT_TIME },
    ])
  })

  test('[MG3] an edit made on one that was still on its way touches only what it changed', async () => {
    const { device, request, report, edit } = await left()
    device.network.next(false)
    await edit({ reportContent: '一度目' })
    const seen = await viewIn(device.db, 'quickReports', request.key)
    device.network.next(true)
    await app.sent(device)
    await elsewhere(`quickReport/${report.id}`, { ...INCOMPLETE, reportContent: '一度目' })
    await saveReport(device.saver(), [seen], 'edit', { ...COMPLETED, reportContent: '二度目' })
    await app.sent(device)
    expect(await app.reports(request.id)).toMatchObject([{ type: '2', reportContent: '二度目' }])
  })

  test('[MG3][EX2] an edit whose answer was lost for a day is found in the CRM: sent, not 期限切れ', async () => {
    const { device, request, edit } = await left()
    await app.crm.faults.add({
      id: 'lost',
      kind: 'lostAnswer',
      path: 'quickReport/',
      method: 'PUT',
      count: 1,
    })
    await app.crm.faults.add({
      id: 'off',
      kind: 'unreachable',
      path: 'quickReport/',
      method: 'GET',
      // each fault answers one call, and the circuit waits longer after each (OC10)
      count: 3,
    })
    await edit({ reportContent: '届いた' })
    await until(async () => (await app.reports(request.id))[0]?.reportContent === '届いた')
    app.phone.now += 25 * 3_600_000
    await app.sent(device)
    expect(app.writes().filter(({ method, acted }) => method === 'PUT' && acted)).toHaveLength(2)
  })
})
