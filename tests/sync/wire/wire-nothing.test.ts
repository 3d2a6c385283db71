/**
 * To the CRM an absent field and null are the same (crm-contract 2), and so are a reference that says nothing and none: none
 * of them costs the row that it stands in (PL2). Field by field, in the fullest row of each resource.
 */
import { describe, expect, test } from 'vitest'
import { customerLocationChangeRequest } from '#schemas/resources/customer-location-change-request.ts'
import { wireOf } from '#schemas/declare/derive.ts'
import { emergencyReport } from '#schemas/resources/emergency-report.ts'
import { locationContactChangeRequest } from '#schemas/resources/location-contact-change-request.ts'
import { noteLocationArea } from '#schemas/resources/note-location-area.ts'
import { pastReportWire } from '#schemas/resources/past-report.ts'
import { quickReport } from '#schemas/resources/quick-report.ts'
import { requestWire } from '#schemas/resources/request.ts'
import { safetyMeasure } from '#schemas/resources/safety-measure.ts'
import { supplierStaffWire } from '#schemas/resources/supplier-staff.ts'
import { serverFromWire } from '#sync/wire/declared.ts'
import { toPastReport, toSupplierStaff } from '#sync/resources/resource-table.ts'
import { toRequestRecord } from '#sync/wire/request.ts'

const DAY = '2026-11-20'
const AT = `${DAY}T09:00:00+09:00`
const mark = { stamp: '1', at: '2026-11-20T00:00:00.000Z' }
const contact = { name: '管理室', class: '室長', tel1: '03-0000-0000' }

const request = {
  ...{ id: 'r1', requestCode: 'R26-1', workingDate: DAY, workingDateType: '1', workingStartTime: AT },
  ...{ workingEndTime: AT, noWaterStartTime: AT, noWaterEndTime: AT, notificationDistributionDate: DAY },
  ...{ notificationDistributionName: '1', situation: '現況', messageTts: '連絡', noteLocationAreaCount: 2 },
  ...{ inLocationContact: contact, outLocationContact: contact, inLocationContactChangeStatus: '2' },
  inLocationContactChangeRequest: { id: 'c1' },
  outLocationContactChangeRequest: { id: 'c2' },
  customerLocationChangeRequest: { id: 'c3' },
  ...{ safetyStatus: '3', safetyDirectionName: '保護具', emergencyReportFolderId: 'f1' },
  quickReport: { id: 'q1', inTime: AT, outTime: AT, type: '1', editStatus: 'OK' },
  ttsOrder: {
    ...{ orderFlag: '7', emergencyFlag: '1', parkingType: '1', parkingMethod: '裏', inMethod: '表' },
    locationArea: { id: 'l1', name: '第一ビル' },
    customer: { name: '株式会社甲', prefectureName: '東京都', city: '港区' },
    salesMearge: { name: '営業' },
  },
  goods: [{ id: 'g1', name: 'ポンプ', goodsDetail: [{ id: 'd1', itemName: '軸', quantity: 2 }] }],
  device: [{ deviceId: 'd1', deviceModel: 'P-1', site1: '地下' }],
  safety: [{ id: 's1', safetyType: '1', needFlag: '1', workingDate: DAY }],
  underPitSurvey: [{ site: '1', depth: '2' }],
}
const report = {
  ...{ id: 'e1', requestId: 'r1', locationAreaId: 'l1', type: '1', safetyType: '1', needFlag: '1' },
  ...{ workingDate: DAY, workingStartTime: AT, workingEndTime: AT, inTime: AT, outTime: AT, createdAt: AT },
  ...{ reason1Id: '1', reason2Id: '2', reportContent: '完了', note: 'ふた', name: 'E-1', kana: 'カナ' },
  ...{ emergencyContents: '1,3', risk: '2', correspondenceDate: '1', ttsStaffContact: '1' },
  ...{
    emergencyContentsDetails: '水',
    parkingType: '1',
    parkingMethod: '裏',
    inMethod: '表',
    editStatus: 'OK',
  },
  ...{
    filePath: 'p',
    emergencyReportFolderId: 'f',
    supplierName: '丙',
    requestDetail: '点検',
    userFlag: '6',
  },
  emergencyReport: [{ id: 'e2', riskName: '浸水' }],
}

const declared = [
  quickReport,
  emergencyReport,
  safetyMeasure,
  noteLocationArea,
  customerLocationChangeRequest,
  locationContactChangeRequest,
].map((declaration): [string, object, (row: unknown) => unknown] => [
  declaration.slug,
  report,
  (row) => serverFromWire(declaration, wireOf(declaration).assert(row)),
])

const RESOURCES: [string, object, (row: unknown) => unknown][] = [
  ['request', request, (row) => toRequestRecord(requestWire.assert(row), undefined, mark, 'single')],
  ...declared,
  ['past report', report, (row) => toPastReport(pastReportWire.assert(row), 'd1')],
  ['staff', report, (row) => toSupplierStaff(supplierStaffWire.assert(row), 'sp1')],
]

type Path = readonly string[]

const pathsIn = (value: unknown): Path[] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([name, inner]) => [
        [name],
        ...pathsIn(inner).map((rest) => [name, ...rest]),
      ])
    : []

const at = (row: object, path: Path): unknown =>
  path.reduce<unknown>((inner, name) => Reflect.get(Object(inner), name), row)

/** The row with another value at this path; undefined removes the field. */
function withAt(row: object, path: Path, value: unknown): object {
  const copy = structuredClone(row)
  const holder = Object(at(copy, path.slice(0, -1))) as object
  const name = path.at(-1) ?? ''
  if (value === undefined) Reflect.deleteProperty(holder, name)
  else Reflect.set(holder, name, value)
  return copy
}

const isElement = (row: object, path: Path) => Array.isArray(at(row, path.slice(0, -1)))

/** The record on the device, or a note that the row cannot be read. */
function readOf(read: (row: unknown) => unknown, row: object): unknown {
  try {
    return read(row)
  } catch {
    return 'unreadable'
  }
}

describe.each(RESOURCES)('[contract 2][PL2] a row of %s', (_, row, read) => {
  const paths = pathsIn(row).filter((path) => !isElement(row, path))

  test('can be read', () => expect(readOf(read, row)).not.toBe('unreadable'))

  test.each(paths.map((path) => path.join('.')))('says the same without %s and with null there', (name) => {
    const path = name.split('.')
    expect(readOf(read, withAt(row, path, null))).toEqual(readOf(read, withAt(row, path, undefined)))
  })
})

describe('[contract 2][PL2] a request whose reference says nothing', () => {
  const [, row, read] = RESOURCES[0] ?? []
  const nothing = (value: object) => Object.fromEntries(Object.keys(value).map((name) => [name, null]))
  const objects = pathsIn(request).filter((path) => {
    const value = at(request, path)
    return typeof value === 'object' && !Array.isArray(value) && !isElement(request, path)
  })

  test.each(
    objects.map((path) => path.join('.')).filter((name) => name !== 'ttsOrder' && !name.endsWith('Contact')),
  )('is the request with none: %s', (name) => {
    if (!row || !read) throw new Error('no request')
    const path = name.split('.')
    const said = Object(at(row, path)) as object
    const without = readOf(read, withAt(row, path, null))
    expect(without).not.toBe('unreadable')
    expect(readOf(read, withAt(row, path, nothing(said)))).toEqual(without)
    expect(readOf(read, withAt(row, path, {}))).toEqual(without)
  })

  test('a device without an id is left out, the visit and its other devices are there', () => {
    const device = [{ deviceId: null, deviceModel: 'P-0' }, { deviceModel: 'P-1' }, { deviceId: 'd2' }]
    expect(read?.({ ...request, device })).toMatchObject({ detail: { devices: [{ deviceId: 'd2' }] } })
  })

  test('a location without an id has its name all the same', () => {
    const ttsOrder = { ...request.ttsOrder, locationArea: { id: null, name: '第一ビル' } }
    expect(read?.({ ...request, ttsOrder })).toMatchObject({ locationAreaId: null, locationName: '第一ビル' })
  })

  test('a report without an id that says when somebody came is not taken for none', () => {
    const said = { ...request.quickReport, id: null }
    expect(readOf(read ?? String, { ...request, quickReport: said })).toBe('unreadable')
  })
})
