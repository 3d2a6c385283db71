/** A request row of the CRM → the record on the device (crm-contract 4). */
import { visitKey } from '#schemas/visit-key.ts'
import { EmergencyFlag } from '#schemas/codes.ts'
import type { Contact, RequestDetail, RequestRecord, RequestWire } from '#schemas/request.ts'
import { digest } from '../lib/digest.ts'
import { orNull } from './fields.ts'

/** When and how a row was read. */
export interface ReadMark {
  /** Stamp taken before the read. */
  stamp: string
  /** Wall clock, ISO 8601. */
  at: string
}

/**
 * @param read `single`: the row is whole, and what it leaves out there is none of
 * @param previous the record on the device: its details stay where the row leaves them out
 */
export function toRequestRecord(
  row: RequestWire,
  previous: RequestRecord | undefined,
  mark: ReadMark,
  read: 'row' | 'single' = 'row',
): RequestRecord {
  const rowDigest = digest(summaryOf(row))
  const detail = read === 'single' || isWhole(row) ? detailOf(row) : null
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
    workingDateType: orNull(row.workingDateType),
    workingStartTime: orNull(row.workingStartTime),
    workingEndTime: orNull(row.workingEndTime),
    noWaterStartTime: orNull(row.noWaterStartTime),
    noWaterEndTime: orNull(row.noWaterEndTime),
    notificationDistributionDate: orNull(row.notificationDistributionDate),
    notificationDistributionName: orNull(row.notificationDistributionName),
    situation: orNull(row.situation),
    messageTts: orNull(row.messageTts),
    inLocationContact: contactOf(row.inLocationContact),
    outLocationContact: contactOf(row.outLocationContact),
    inLocationContactChangeStatus: orNull(row.inLocationContactChangeStatus),
    outLocationContactChangeStatus: orNull(row.outLocationContactChangeStatus),
    inLocationContactChangeRequestId: orNull(row.inLocationContactChangeRequest?.id),
    outLocationContactChangeRequestId: orNull(row.outLocationContactChangeRequest?.id),
    customerLocationChangeStatus: orNull(row.customerLocationChangeStatus),
    customerLocationChangeRequestId: orNull(row.customerLocationChangeRequest?.id),
    noteLocationAreaStatus: orNull(row.noteLocationAreaStatus),
    noteLocationAreaCount: row.noteLocationAreaCount ?? 0,
    safetyStatus: orNull(row.safetyStatus),
    safetyDirectionName: orNull(row.safetyDirectionName),
    emergencyReportFolderId: orNull(row.emergencyReportFolderId),
    orderFlag: orNull(order.orderFlag),
    emergency: order.emergencyFlag === EmergencyFlag.code.emergency,
    parkingType: orNull(order.parkingType),
    parkingMethod: orNull(order.parkingMethod),
    inMethod: orNull(order.inMethod),
    locationAreaId: orNull(order.locationArea?.id),
    locationName: order.locationArea?.name ?? '',
    customerName: orNull(order.customer?.name),
    customerAddress: addressOf(order.customer),
    salesName: orNull(order.salesMearge?.name),
    quickReport: row.quickReport
      ? {
          id: row.quickReport.id,
          inTime: orNull(row.quickReport.inTime),
          outTime: orNull(row.quickReport.outTime),
          type: orNull(row.quickReport.type),
          editStatus: orNull(row.quickReport.editStatus),
        }
      : null,
  }
}

function contactOf(contact: RequestWire['inLocationContact']): Contact | null {
  if (!contact) return null
  const { name, kana, section, staffName, means, email, tel1 } = contact
  return {
    name: orNull(name),
    kana: orNull(kana),
    section: orNull(section),
    class: orNull(contact.class),
    staffName: orNull(staffName),
    means: orNull(means),
    email: orNull(email),
    tel1: orNull(tel1),
  }
}

function addressOf(customer: RequestWire['ttsOrder']['customer']): string | null {
  const parts = [customer?.prefectureName, customer?.city, customer?.address1, customer?.address2]
  return parts.filter(Boolean).join(' ') || null
}

/** A search row may leave out any of its details; only all of them together count as known (crm-contract 4). */
const isWhole = ({ goods, device, safety, underPitSurvey }: RequestWire) =>
  [goods, device, safety, underPitSurvey].every((part) => part != null)

function detailOf(row: RequestWire): RequestDetail {
  return {
    goods: (row.goods ?? []).map((goods) => ({
      id: orNull(goods.id),
      name: orNull(goods.name),
      details: (goods.goodsDetail ?? []).map((detail) => ({
        id: orNull(detail.id),
        itemName: orNull(detail.itemName),
        quantity: orNull(detail.quantity),
        model: orNull(detail.model),
      })),
    })),
    devices: (row.device ?? []).map((device) => ({
      deviceId: device.deviceId,
      deviceModel: orNull(device.deviceModel),
      site1: orNull(device.site1),
      site2: orNull(device.site2),
    })),
    safety: (row.safety ?? []).map((safety) => ({
      id: safety.id,
      needFlag: orNull(safety.needFlag),
      safetyType: safety.safetyType ?? '',
      workingDate: orNull(safety.workingDate),
    })),
    underPitSurvey: (row.underPitSurvey ?? []).map((pit) => ({
      site: orNull(pit.site),
      depth: orNull(pit.depth),
      traffic: orNull(pit.traffic),
      hatch: orNull(pit.hatch),
      stepladder: orNull(pit.stepladder),
      observer: orNull(pit.observer),
      guide: orNull(pit.guide),
    })),
  }
}
