/** Texts of a request for the list, the board, 依頼詳細 and its popup. */
import { NotificationDistribution, OrderFlag, ParkingType } from '#schemas/codes.ts'
import { orderFlagLabel } from '#schemas/resources/request-search.ts'
import type { Contact, RequestRecord } from '#schemas/resources/request.ts'
import { fullDayText, timeOn, timeRange } from '#lib/time/tokyo-time.ts'
import { shownLabel } from '#lib/language.ts'
import { carriedDay, plannedEnd } from '#lib/time/working-day.ts'
import type { VisitRow } from './visits.ts'

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

/** Returns the heading of a request: job, time and place. */
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

function contactFacts(contact: Contact | null) {
  if (!contact) return null
  const name = joined([contact.name, contact.staffName && `${contact.staffName}様`], ' ')
  return { name, tel: contact.tel1 }
}

/** Returns the names of a request's safety directions. In the CRM's text, ； or ; separates them. */
export const safetyNames = (request: RequestRecord): string[] =>
  (request.safetyDirectionName ?? '')
    .split(/[;；]/)
    .map((name) => name.trim())
    .filter(Boolean)

const rangeText = (startIso: string | null, endIso: string | null) => {
  const { start, end } = timeRange(startIso, endIso)
  return start || end ? `${start}〜${end}` : ''
}

/** Returns a time range. A time on another day is shown with its day: a water cut (断水) may last into the next night. */
function rangeOn(workingDate: string, startIso: string | null, endIso: string | null): string {
  const [start, end] = [startIso, endIso].map((iso) => timeOn(iso, workingDate, workingDate))
  return start || end ? `${start}〜${end}` : ''
}

/** Returns a map link for the first place that is not blank; null if all are blank. */
export function mapOf(...places: readonly (string | null)[]): string | null {
  const place = places.find((each) => each !== null && each.trim() !== '')
  return place ? `https://www.google.com/maps/search/?api=1&query=${encodeURIComponent(place)}` : null
}

/** Returns the rows of 依頼詳細; a missing value is '' or null. */
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

/** Returns the groups of 商品 with their items; null if the details are not on the device. */
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

type Facts = Pick<VisitRow, 'state'> & {
  request: Pick<VisitRow['request'], 'workingDate' | 'workingEndTime'>
}

/** True if the visit began yesterday and no exit is registered. It counts as today's work until 12:00. */
export const isFromYesterday = ({ state, request }: Facts, nowMs: number) =>
  state !== 'out' && request.workingDate === carriedDay(nowMs)

/** True if the user is still inside after the planned end of the visit. */
export const isStillInside = ({ state, request }: Facts, nowMs: number) =>
  state === 'in' && nowMs > plannedEnd(request.workingDate, request.workingEndTime)
