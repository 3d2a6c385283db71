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
const CONTACT = 'name kana section class staffName means email tel1'
const contactWire = type(wireFields(CONTACT))
const PART = 'id itemName quantity model'
const goodsWire = type({
  ...wireFields('id name'),
  'goodsDetail?': type(wireFields(PART)).array().or(absent),
})

/** A machine (機器) on site. The CRM calls machines devices. */
const deviceWire = type({ 'deviceId?': wireIdOrNone, ...wireFields('deviceModel site1 site2') })

const safetyWire = type({
  id: wireId,
  ...wireFields('needFlag safetyType', wireCode),
  'workingDate?': wireDate,
})

const UNDER_PIT = 'site depth traffic hatch stepladder observer guide'
const underPitWire = type(wireFields(UNDER_PIT, wireCode))

const ttsOrderWire = type({
  ...wireFields('parkingMethod inMethod'),
  ...wireFields('orderFlag emergencyFlag parkingType', wireCode),
  'locationArea?': type({ 'id?': wireIdOrNone, 'name?': wireText }).or(absent),
  'customer?': type(wireFields('name prefectureName city address1 address2')).or(absent),
  'salesMearge?': type(wireFields('name')).or(absent),
})

/** A row of `request/search`, or the answer of `request/{id}` (crm-contract 4). */
export const requestWire = type({
  id: wireId,
  requestCode: wireId.pipe(legible),
  workingDate: isoDate,
  'notificationDistributionDate?': wireDate,
  'inLocationContact?': contactWire.or(absent),
  'outLocationContact?': contactWire.or(absent),
  'noteLocationAreaCount?': wireNumber,
  'safety?': safetyWire.array().or(absent),
  'goods?': goodsWire.array().or(absent),
  'device?': deviceWire.array().or(absent),
  'underPitSurvey?': underPitWire.array().or(absent),
  'quickReport?': quickReportOrNone,
  ttsOrder: ttsOrderWire,
  ...wireFields('workingStartTime workingEndTime noWaterStartTime noWaterEndTime', wireDateTime),
  ...wireFields('situation messageTts safetyDirectionName emergencyReportFolderId'),
  ...wireFields('workingDateType notificationDistributionName safetyStatus', wireCode),
  ...wireFields('inLocationContactChangeStatus outLocationContactChangeStatus', wireCode),
  ...wireFields('customerLocationChangeStatus noteLocationAreaStatus', wireCode),
  ...wireFields('inLocationContactChangeRequest outLocationContactChangeRequest', wireRef),
  ...wireFields('customerLocationChangeRequest', wireRef),
})
export type RequestWire = typeof requestWire.infer

/** Parses the key of a row that `requestWire` rejects, so that its record does not count as deleted (RULES PL1, PL2). */
export const requestRowKey = type({ id: wireId, workingDate: isoDate })
const contact = type(textFields(CONTACT))
export type Contact = typeof contact.infer
const goods = type({ ...textFields('id name'), details: type(textFields(PART)).array() })
const device = type({ deviceId: 'string', ...textFields('deviceModel site1 site2') })
const safetySummary = type({ id: 'string', safetyType: 'string', ...textFields('needFlag workingDate') })
const quickReportSummary = type({ id: 'string', ...textFields('inTime outTime type editStatus') })

/** Complete only in the answer to `GET request/{id}`. Without it the screen does not show オフラインで使えます. */
const requestDetail = type({
  goods: goods.array(),
  devices: device.array(),
  safety: safetySummary.array(),
  underPitSurvey: type(textFields(UNDER_PIT)).array(),
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
  inLocationContact: contact.or('null'),
  outLocationContact: contact.or('null'),
  noteLocationAreaCount: 'number',
  emergency: 'boolean',
  locationName: 'string',
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
  ...textFields('workingDateType workingStartTime workingEndTime noWaterStartTime noWaterEndTime orderFlag'),
  ...textFields('notificationDistributionDate notificationDistributionName situation messageTts'),
  ...textFields('inLocationContactChangeStatus inLocationContactChangeRequestId safetyStatus'),
  ...textFields('outLocationContactChangeStatus outLocationContactChangeRequestId safetyDirectionName'),
  ...textFields('customerLocationChangeStatus customerLocationChangeRequestId noteLocationAreaStatus'),
  ...textFields('emergencyReportFolderId parkingType parkingMethod inMethod locationAreaId'),
  ...textFields('customerName customerAddress salesName'),
})
export type RequestRecord = typeof requestRecord.infer
export type RequestDetail = typeof requestDetail.infer
