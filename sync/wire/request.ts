/** Converts the CRM's row of a request to a record (crm-contract 4). */
import { visitKey } from '#schemas/resources/visit-key.ts'
import { EmergencyFlag } from '#schemas/codes.ts'
import type { Contact, RequestDetail, RequestRecord, RequestWire } from '#schemas/resources/request.ts'
import { digest } from '../lib/digest.ts'
import { textOrNull } from './fields.ts'

/** When a row was read. */
export interface ReadMark {
  /** Logical stamp taken before the read began; later local changes have a later one. */
  stamp: string
  /** Time of the read by the wall clock, ISO 8601. */
  at: string
}

/**
 * Converts a row.
 * @param previous the record on the device; its details stay if the row omits them
 * @param read `single`: the row was read by its id, so details that it omits do not exist
 */
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
    workingDateType: textOrNull(row.workingDateType),
    workingStartTime: textOrNull(row.workingStartTime),
    workingEndTime: textOrNull(row.workingEndTime),
    noWaterStartTime: textOrNull(row.noWaterStartTime),
    noWaterEndTime: textOrNull(row.noWaterEndTime),
    notificationDistributionDate: textOrNull(row.notificationDistributionDate),
    notificationDistributionName: textOrNull(row.notificationDistributionName),
    situation: textOrNull(row.situation),
    messageTts: textOrNull(row.messageTts),
    inLocationContact: contactOf(row.inLocationContact),
    outLocationContact: contactOf(row.outLocationContact),
    inLocationContactChangeStatus: textOrNull(row.inLocationContactChangeStatus),
    outLocationContactChangeStatus: textOrNull(row.outLocationContactChangeStatus),
    inLocationContactChangeRequestId: textOrNull(row.inLocationContactChangeRequest?.id),
    outLocationContactChangeRequestId: textOrNull(row.outLocationContactChangeRequest?.id),
    customerLocationChangeStatus: textOrNull(row.customerLocationChangeStatus),
    customerLocationChangeRequestId: textOrNull(row.customerLocationChangeRequest?.id),
    noteLocationAreaStatus: textOrNull(row.noteLocationAreaStatus),
    noteLocationAreaCount: row.noteLocationAreaCount ?? 0,
    safetyStatus: textOrNull(row.safetyStatus),
    safetyDirectionName: textOrNull(row.safetyDirectionName),
    emergencyReportFolderId: textOrNull(row.emergencyReportFolderId),
    orderFlag: textOrNull(order.orderFlag),
    emergency: order.emergencyFlag === EmergencyFlag.code.emergency,
    parkingType: textOrNull(order.parkingType),
    parkingMethod: textOrNull(order.parkingMethod),
    inMethod: textOrNull(order.inMethod),
    locationAreaId: textOrNull(order.locationArea?.id),
    locationName: order.locationArea?.name ?? '',
    customerName: textOrNull(order.customer?.name),
    customerAddress: addressOf(order.customer),
    salesName: textOrNull(order.salesMearge?.name),
    quickReport: row.quickReport
      ? {
          id: row.quickReport.id,
          inTime: textOrNull(row.quickReport.inTime),
          outTime: textOrNull(row.quickReport.outTime),
          type: textOrNull(row.quickReport.type),
          editStatus: textOrNull(row.quickReport.editStatus),
        }
      : null,
  }
}

function contactOf(contact: RequestWire['inLocationContact']): Contact | null {
  if (!contact) return null
  const { name, kana, section, staffName, means, email, tel1 } = contact
  return {
    name: textOrNull(name),
    kana: textOrNull(kana),
    section: textOrNull(section),
    class: textOrNull(contact.class),
    staffName: textOrNull(staffName),
    means: textOrNull(means),
    email: textOrNull(email),
    tel1: textOrNull(tel1),
  }
}

function addressOf(customer: RequestWire['ttsOrder']['customer']): string | null {
  const parts = [customer?.prefectureName, customer?.city, customer?.address1, customer?.address2]
  return parts.filter(Boolean).join(' ') || null
}

/**
 * True if the row has all four detail lists. A search row may omit some; then none of them is used
 * (crm-contract 4).
 */
const hasAllDetails = ({ goods, device, safety, underPitSurvey }: RequestWire) =>
  [goods, device, safety, underPitSurvey].every((part) => part != null)

function detailOf(row: RequestWire): RequestDetail {
  return {
    goods: (row.goods ?? []).map((goods) => ({
      id: textOrNull(goods.id),
      name: textOrNull(goods.name),
      details: (goods.goodsDetail ?? []).map((detail) => ({
        id: textOrNull(detail.id),
        itemName: textOrNull(detail.itemName),
        quantity: textOrNull(detail.quantity),
        model: textOrNull(detail.model),
      })),
    })),
    // A device without an id is dropped: devices are only used for their past reports.
    devices: (row.device ?? []).flatMap(({ deviceId, deviceModel, site1, site2 }) =>
      deviceId
        ? {
            deviceId,
            deviceModel: textOrNull(deviceModel),
            site1: textOrNull(site1),
            site2: textOrNull(site2),
          }
        : [],
    ),
    safety: (row.safety ?? []).map((safety) => ({
      id: safety.id,
      needFlag: textOrNull(safety.needFlag),
      safetyType: safety.safetyType ?? '',
      workingDate: textOrNull(safety.workingDate),
    })),
    underPitSurvey: (row.underPitSurvey ?? []).map((pit) => ({
      site: textOrNull(pit.site),
      depth: textOrNull(pit.depth),
      traffic: textOrNull(pit.traffic),
      hatch: textOrNull(pit.hatch),
      stepladder: textOrNull(pit.stepladder),
      observer: textOrNull(pit.observer),
      guide: textOrNull(pit.guide),
    })),
  }
}
