/** Converts the CRM's row of a request to a record (crm-contract 4). */
import { visitKey } from '#schemas/resources/visit-key.ts'
import { EmergencyFlag } from '#schemas/codes.ts'
import type { Contact, RequestDetail, RequestRecord, RequestWire } from '#schemas/resources/request.ts'
import { textOrNull, textsOf } from './declared.ts'

/** `stamp`: logical stamp from before the read began. `at`: device time of the read, ISO 8601. */
export type ReadMark = { stamp: string; at: string }

/** Converts a row. Details that it omits stay as in `previous`, but not in a `single` row, which was read by its id. */
export function toRequestRecord(
  row: RequestWire,
  previous: RequestRecord | undefined,
  mark: ReadMark,
  read: 'row' | 'single' = 'row',
): RequestRecord {
  const rowDigest = digest(summaryOf(row))
  const detail = read === 'single' || hasAllDetails(row) ? detailOf(row) : null
  const changed = previous?.rowDigest !== rowDigest
  return {
    ...summaryOf(row),
    detail: detail ?? previous?.detail ?? null,
    rowDigest,
    readStamp: mark.stamp,
    confirmedAt: mark.at,
    detailConfirmedAt: detail ? mark.at : changed ? '' : (previous?.detailConfirmedAt ?? ''),
  }
}

/** Values that every row has. In another order all stored rows would look changed, by `rowDigest`. */
function summaryOf(
  row: RequestWire,
): Omit<RequestRecord, 'detail' | 'rowDigest' | 'readStamp' | 'confirmedAt' | 'detailConfirmedAt'> {
  const order = row.ttsOrder
  const start = row.workingStartTime ? new Date(row.workingStartTime).toISOString() : '~'
  return {
    key: visitKey(row.id, row.workingDate),
    id: row.id,
    workingDate: row.workingDate,
    sortKey: `${row.workingDate} ${start} ${row.id}`,
    requestCode: row.requestCode,
    ...textsOf(row, ['workingDateType', 'workingStartTime', 'workingEndTime']),
    ...textsOf(row, ['noWaterStartTime', 'noWaterEndTime']),
    ...textsOf(row, ['notificationDistributionDate', 'notificationDistributionName']),
    situation: textOrNull(row.situation),
    messageTts: textOrNull(row.messageTts),
    inLocationContact: contactOf(row.inLocationContact),
    outLocationContact: contactOf(row.outLocationContact),
    ...textsOf(row, ['inLocationContactChangeStatus', 'outLocationContactChangeStatus']),
    inLocationContactChangeRequestId: textOrNull(row.inLocationContactChangeRequest?.id),
    outLocationContactChangeRequestId: textOrNull(row.outLocationContactChangeRequest?.id),
    customerLocationChangeStatus: textOrNull(row.customerLocationChangeStatus),
    customerLocationChangeRequestId: textOrNull(row.customerLocationChangeRequest?.id),
    noteLocationAreaStatus: textOrNull(row.noteLocationAreaStatus),
    noteLocationAreaCount: row.noteLocationAreaCount ?? 0,
    ...textsOf(row, ['safetyStatus', 'safetyDirectionName', 'emergencyReportFolderId']),
    orderFlag: textOrNull(order.orderFlag),
    emergency: order.emergencyFlag === EmergencyFlag.code.emergency,
    ...textsOf(order, ['parkingType', 'parkingMethod', 'inMethod']),
    locationAreaId: textOrNull(order.locationArea?.id),
    locationName: order.locationArea?.name ?? '',
    customerName: textOrNull(order.customer?.name),
    customerAddress: addressOf(order.customer),
    salesName: textOrNull(order.salesMearge?.name),
    quickReport: row.quickReport
      ? { id: row.quickReport.id, ...textsOf(row.quickReport, ['inTime', 'outTime', 'type', 'editStatus']) }
      : null,
  }
}

const CONTACT = ['name', 'kana', 'section', 'class', 'staffName', 'means', 'email', 'tel1'] as const

const contactOf = (contact: RequestWire['inLocationContact']): Contact | null =>
  contact ? textsOf(contact, CONTACT) : null

function addressOf(customer: RequestWire['ttsOrder']['customer']): string | null {
  const parts = [customer?.prefectureName, customer?.city, customer?.address1, customer?.address2]
  return parts.filter(Boolean).join(' ') || null
}

/** True if the row has all four detail lists. Of a search row that omits some, none is used (crm-contract 4). */
const hasAllDetails = ({ goods, device, safety, underPitSurvey }: RequestWire) =>
  [goods, device, safety, underPitSurvey].every((part) => part != null)

const DEVICE = ['deviceModel', 'site1', 'site2'] as const

function detailOf(row: RequestWire): RequestDetail {
  return {
    goods: (row.goods ?? []).map((goods) => ({
      ...textsOf(goods, ['id', 'name']),
      details: (goods.goodsDetail ?? []).map((detail) =>
        textsOf(detail, ['id', 'itemName', 'quantity', 'model']),
      ),
    })),
    // A machine without an id is left out, because the app uses machines only to read their past reports by id.
    devices: (row.device ?? []).flatMap(({ deviceId, ...device }) =>
      deviceId ? [{ deviceId, ...textsOf(device, DEVICE) }] : [],
    ),
    safety: (row.safety ?? []).map((safety) => ({
      id: safety.id,
      needFlag: textOrNull(safety.needFlag),
      safetyType: safety.safetyType ?? '',
      workingDate: textOrNull(safety.workingDate),
    })),
    underPitSurvey: (row.underPitSurvey ?? []).map((pit) =>
      textsOf(pit, ['site', 'depth', 'traffic', 'hatch', 'stepladder', 'observer', 'guide']),
    ),
  }
}

/** A short digest that shows whether a JSON value has changed. Not for security (cyrb53: 53 bits, plus the length). */
export function digest(value: unknown): string {
  const text = JSON.stringify(value)
  let high = 0xdeadbeef
  let low = 0x41c6ce57
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    high = Math.imul(high ^ code, 2654435761)
    low = Math.imul(low ^ code, 1597334677)
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909)
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909)
  return `${(4294967296 * (2097151 & low) + (high >>> 0)).toString(36)}.${text.length.toString(36)}`
}
