/**
 * A request on one working day (spec 3). The CRM sends one row for each request and working day, which becomes one
 * record. Only the wire schema has the CRM's misspelling `salesMearge`.
 */
import { type } from 'arktype'
import { CHANGE_STAMP_MAX, VISIT_KEY_MAX } from '#schemas/change.ts'
import { DATE_TIME_MAX, ID_MAX } from '#schemas/limits.ts'
import { legible } from '#schemas/text.ts'
import {
  isoDate,
  textFields,
  wireCode,
  wireDate,
  wireDateTime,
  wireFields,
  wireId,
  wireIdOrNone,
  wireNumber,
  wireRef,
  wireText,
  orNone,
} from '#schemas/declare/wire.ts'

const summary = type({
  id: wireId,
  'inTime?': wireDateTime,
  'outTime?': wireDateTime,
  'type?': wireCode,
  'editStatus?': wireText,
})
/** A summary with times but without an id is an error: "no report" would remove the report on the device. */
export const quickReportOrNone = type('unknown')
  .pipe(orNone('inTime', 'outTime', 'type'))
  .to(summary.or('null'))

export const quickReportCreated = type({ id: wireId, 'inTime?': wireDateTime })
const absent = 'null | undefined' as const
const CONTACT = ['name', 'kana', 'section', 'class', 'staffName', 'means', 'email', 'tel1'] as const
const contactWire = wireFields(CONTACT)
const PART = ['id', 'itemName', 'quantity', 'model'] as const
const goodsWire = type({
  'id?': wireText,
  'name?': wireText,
  'goodsDetail?': wireFields(PART).array().or(absent),
})

/** A machine (機器) on site. The CRM calls machines devices. */
const deviceWire = type({
  'deviceId?': wireIdOrNone,
  'deviceModel?': wireText,
  'site1?': wireText,
  'site2?': wireText,
})

const safetyWire = type({
  id: wireId,
  'needFlag?': wireCode,
  'safetyType?': wireCode,
  'workingDate?': wireDate,
})

const UNDER_PIT = ['site', 'depth', 'traffic', 'hatch', 'stepladder', 'observer', 'guide'] as const
const underPitWire = wireFields(UNDER_PIT, wireCode)

const ttsOrderWire = type({
  'orderFlag?': wireCode,
  'emergencyFlag?': wireCode,
  'parkingType?': wireCode,
  'parkingMethod?': wireText,
  'inMethod?': wireText,
  'locationArea?': type({ 'id?': wireIdOrNone, 'name?': wireText }).or(absent),
  'customer?': wireFields(['name', 'prefectureName', 'city', 'address1', 'address2']).or(absent),
  'salesMearge?': type({ 'name?': wireText }).or(absent),
})

/** A row of `request/search`, or the answer of `request/{id}` (crm-contract 4). */
export const requestWire = type({
  id: wireId,
  requestCode: wireId.pipe(legible),
  workingDate: isoDate,
  'workingDateType?': wireCode,
  'workingStartTime?': wireDateTime,
  'workingEndTime?': wireDateTime,
  'noWaterStartTime?': wireDateTime,
  'noWaterEndTime?': wireDateTime,
  'notificationDistributionDate?': wireDate,
  'notificationDistributionName?': wireCode,
  'situation?': wireText,
  'messageTts?': wireText,
  'inLocationContact?': contactWire.or(absent),
  'outLocationContact?': contactWire.or(absent),
  'inLocationContactChangeStatus?': wireCode,
  'outLocationContactChangeStatus?': wireCode,
  'inLocationContactChangeRequest?': wireRef,
  'outLocationContactChangeRequest?': wireRef,
  'customerLocationChangeStatus?': wireCode,
  'customerLocationChangeRequest?': wireRef,
  'noteLocationAreaStatus?': wireCode,
  'noteLocationAreaCount?': wireNumber,
  'safetyStatus?': wireCode,
  'safetyDirectionName?': wireText,
  'safety?': safetyWire.array().or(absent),
  'goods?': goodsWire.array().or(absent),
  'device?': deviceWire.array().or(absent),
  'underPitSurvey?': underPitWire.array().or(absent),
  'emergencyReportFolderId?': wireText,
  'quickReport?': quickReportOrNone,
  ttsOrder: ttsOrderWire,
})
export type RequestWire = typeof requestWire.infer

/** Parses the key of a row that `requestWire` rejects, so that its record does not count as deleted (RULES PL1, PL2). */
export const requestRowKey = type({ id: wireId, workingDate: isoDate })
const text = type('string | null')
const contact = textFields(CONTACT)
export type Contact = typeof contact.infer
const goods = type({ id: text, name: text, details: textFields(PART).array() })
const device = type({ deviceId: 'string', deviceModel: text, site1: text, site2: text })
const safetySummary = type({ id: 'string', needFlag: text, safetyType: 'string', workingDate: text })
const quickReportSummary = type({ id: 'string', inTime: text, outTime: text, type: text, editStatus: text })

/** Complete only in the answer to `GET request/{id}`. Without it the screen does not show オフラインで使えます. */
const requestDetail = type({
  goods: goods.array(),
  devices: device.array(),
  safety: safetySummary.array(),
  underPitSurvey: textFields(UNDER_PIT).array(),
})

export const SORT_KEY_MAX = 120

export const requestRecord = type({
  /** `visitKey(id, workingDate)`. */
  key: `string <= ${VISIT_KEY_MAX}`,
  id: `string <= ${ID_MAX}`,
  workingDate: 'string <= 10',
  /** Working day, start time and id, by which every list is sorted (spec: day and time). */
  sortKey: `string <= ${SORT_KEY_MAX}`,
  requestCode: 'string',
  workingDateType: text,
  workingStartTime: text,
  workingEndTime: text,
  noWaterStartTime: text,
  noWaterEndTime: text,
  notificationDistributionDate: text,
  notificationDistributionName: text,
  situation: text,
  messageTts: text,
  inLocationContact: contact.or('null'),
  outLocationContact: contact.or('null'),
  inLocationContactChangeStatus: text,
  outLocationContactChangeStatus: text,
  inLocationContactChangeRequestId: text,
  outLocationContactChangeRequestId: text,
  customerLocationChangeStatus: text,
  customerLocationChangeRequestId: text,
  noteLocationAreaStatus: text,
  noteLocationAreaCount: 'number',
  safetyStatus: text,
  safetyDirectionName: text,
  emergencyReportFolderId: text,
  orderFlag: text,
  emergency: 'boolean',
  parkingType: text,
  parkingMethod: text,
  inMethod: text,
  locationAreaId: text,
  locationName: 'string',
  customerName: text,
  customerAddress: text,
  salesName: text,
  quickReport: quickReportSummary.or('null'),
  /** Null before the details were read. */
  detail: requestDetail.or('null'),
  /** Digest of the row from the last search. If the digest changes, the details are read again (PL5). */
  rowDigest: 'string',
  /** Stamp taken before the last read of the row or its details began. Changes made since then have later stamps. */
  readStamp: `string <= ${CHANGE_STAMP_MAX}`,
  /** Device time (ISO 8601) at which the CRM last confirmed the row; `detailConfirmedAt`: the details. '' means never. */
  confirmedAt: `string <= ${DATE_TIME_MAX}`,
  detailConfirmedAt: `string <= ${DATE_TIME_MAX}`,
})
export type RequestRecord = typeof requestRecord.infer
export type RequestDetail = typeof requestDetail.infer
