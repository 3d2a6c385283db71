/** The texts of a request, the same in the list, on the board, in 依頼詳細 and in its popup. */
import { NotificationDistribution, OrderFlag, ParkingType } from '#schemas/codes.ts'
import { orderFlagLabel } from '#schemas/resources/order-flag.ts'
import type { Contact, RequestRecord } from '#schemas/resources/request.ts'
import { fullDayText, timeOn, timeRange } from '#lib/time/tokyo-time.ts'
import { shownLabel } from '#lib/language.ts'

const { code } = OrderFlag
const TONES = {
  [code.repair]: 'repair',
  [code.replacement]: 'replace',
  [code.construction]: 'build',
  [code.survey]: 'survey',
  [code.suppliedGoods]: 'survey',
  [code.goods]: 'survey',
  [code.maintenance]: 'maint',
  [code.maintenanceBilling]: 'maint',
} as const

const toneOf = (flag: string) => (OrderFlag.has(flag) ? TONES[flag] : 'survey')

/** The heading of a request: job, time and place. Used on every request screen and list row. */
export function requestHead(
  request: Pick<
    RequestRecord,
    'orderFlag' | 'workingStartTime' | 'workingEndTime' | 'emergency' | 'locationName' | 'requestCode'
  >,
) {
  const { orderFlag } = request
  return {
    ...timeRange(request.workingStartTime, request.workingEndTime),
    order:
      orderFlag === null ? null : { tone: toneOf(orderFlag), label: shownLabel(orderFlagLabel(orderFlag)) },
    emergency: request.emergency,
    place: request.locationName,
    code: request.requestCode,
  }
}

const joined = (parts: readonly (string | null)[], separator: string) => parts.filter(Boolean).join(separator)

/** A contact's name line and phone number; null if the request has none. */
function contactFacts(contact: Contact | null) {
  if (!contact) return null
  const name = joined([contact.name, contact.staffName && `${contact.staffName}様`], ' ')
  return { name, tel: contact.tel1 }
}

/** Names of a request's safety directions. The CRM separates them by ；or ; */
export const safetyNames = (request: RequestRecord): string[] =>
  (request.safetyDirectionName ?? '')
    .split(/[;；]/)
    .map((name) => name.trim())
    .filter(Boolean)

const rangeText = (startIso: string | null, endIso: string | null) => {
  const { start, end } = timeRange(startIso, endIso)
  return start || end ? `${start}〜${end}` : ''
}

/**
 * A time range, each time with its day if that is not the working day: a water cut (断水) may last into the next night.
 */
function rangeOn(workingDate: string, startIso: string | null, endIso: string | null): string {
  // A time needs no day if it is on the working day.
  const [start, end] = [startIso, endIso].map((iso) => timeOn(iso, workingDate, workingDate))
  return start || end ? `${start}〜${end}` : ''
}

/** A map search link for the first place that is not blank; null if there is none. */
export function mapOf(...places: readonly (string | null)[]): string | null {
  const place = places.find((each) => each !== null && each.trim() !== '')
  return place ? `https://www.google.com/maps/search/?api=1&query=${encodeURIComponent(place)}` : null
}

/** The rows of 依頼詳細; '' or null if the request has no value. */
export function requestFacts(request: RequestRecord) {
  const { notificationDistributionDate: noticeDay, notificationDistributionName: noticeBy } = request
  const parking = request.parkingType && shownLabel(ParkingType.label(request.parkingType))
  return {
    place: request.locationName,
    address: request.customerAddress ?? '',
    mapHref: mapOf(request.customerAddress, request.locationName),
    day: fullDayText(request.workingDate),
    time: rangeText(request.workingStartTime, request.workingEndTime),
    noWater: rangeOn(request.workingDate, request.noWaterStartTime, request.noWaterEndTime),
    notice: {
      by: noticeBy ? shownLabel(NotificationDistribution.label(noticeBy)) : '',
      day: noticeDay ? fullDayText(noticeDay) : '',
    },
    customer: request.customerName ?? '',
    sales: request.salesName ?? '',
    situation: request.situation ?? '',
    message: request.messageTts ?? '',
    inMethod: request.inMethod ?? '',
    parking: joined([parking, request.parkingMethod], '　'),
    inContact: contactFacts(request.inLocationContact),
    outContact: contactFacts(request.outLocationContact),
    safety: safetyNames(request).map(shownLabel),
  }
}

/** The groups of 商品 with their items; null if the details are not on the device. */
export const goodsFacts = (request: RequestRecord) =>
  request.detail?.goods.map((goods, index) => ({
    key: goods.id ?? String(index),
    heading: goods.name ?? '',
    items: goods.details.map((item, position) => ({
      key: item.id ?? String(position),
      name: item.itemName ?? '',
      model: item.model,
      quantity: item.quantity ?? '',
    })),
  })) ?? null
