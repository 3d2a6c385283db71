/**
 * What staff had already saved before the visitor came: the days before today are done, today has one early visit done.
 * Today's other visits are left for the visitor.
 */
import { quickReportId } from '../rows.ts'
import type {
  CustomerLocationChangeRow,
  EmergencyReportRow,
  LocationContactChangeRow,
  QuickReportRow,
  SafetyRow,
} from '../rows.ts'
import { addDays, atTime, tokyoDay } from '../tokyo-day.ts'
import { hash } from './hash.ts'
import { others, staffIdOf, userByName } from './people.ts'
import { endTime, startTime, type Visit } from './visits.ts'

const author = (userName: string) => {
  const user = userByName(userName)
  return user ? staffIdOf(user) : userName
}
const STAFF = author('demo6')
const MANAGER = author('demo5')
const OTHER = others[0]?.id ?? ''

/** The safety types a visit asks for: the directions 1–5 (6 and 7 are none). */
export const neededSafety = (visit: Visit) => visit.directions.filter((code) => code <= '5')

const isDone = (visit: Visit, now: number) =>
  visit.workingDate < tokyoDay(now)
    ? !(visit.slot === 6 && visit.workingDate === addDays(tokyoDay(now), -1))
    : visit.slot === 0 && Date.parse(endTime(visit)) <= now

const minutesLater = (time: string, minutes: number) => {
  const [hour = 0, minute = 0] = time.split(':').map(Number)
  const total = hour * 60 + minute + minutes
  return `${String(Math.floor(total / 60)).padStart(2, '0')}:${String(total % 60).padStart(2, '0')}`
}

/** How a past visit ended: mostly done; a part of several days as 当日作業分完了; now and then put off. */
function endOf(visit: Visit): Pick<QuickReportRow, 'type' | 'reason1' | 'reason2' | 'reportContent'> {
  if (visit.workingDate !== visit.lastDay)
    return {
      type: '2',
      reason1: '6',
      reason2: null,
      reportContent: '予定どおり進行。残りは翌日に作業します。',
    }
  if (visit.slot === 4 && hash(`q ${visit.id}`) % 3 === 0)
    return {
      type: '3',
      reason1: null,
      reason2: '2',
      reportContent: '管理人様に日程の連絡が届いておらず延期。',
    }
  return {
    type: '1',
    reason1: null,
    reason2: null,
    reportContent: visit.slot % 2 === 0 ? '異常なし。試運転確認済。' : null,
  }
}

export function seedQuickReports(visits: Visit[], now: number): QuickReportRow[] {
  return visits
    .filter((visit) => isDone(visit, now))
    .map((visit) => ({
      id: quickReportId(visit.id, visit.workingDate),
      requestId: visit.id,
      workingDate: visit.workingDate,
      workingDateType: visit.workingDateType,
      inTime: atTime(visit.workingDate, minutesLater(visit.start, -2)),
      outTime: atTime(visit.workingDate, minutesLater(visit.end, -9)),
      ...endOf(visit),
      // The office has confirmed what is three days old, so it cannot be edited any more (ec00008).
      confirmed: visit.workingDate <= addDays(tokyoDay(now), -3) && visit.slot % 2 === 0,
      loginUserId: STAFF,
      origin: 'seed' as const,
    }))
}

/** Done visits have all their measures; today's and tomorrow's slot 6 has one of them, made by a colleague. */
export function seedSafety(visits: Visit[], now: number): SafetyRow[] {
  return visits.flatMap((visit) => {
    const needed = neededSafety(visit)
    const types = isDone(visit, now) ? needed : visit.slot === 6 ? needed.slice(0, 1) : []
    return types.map((safetyType) => ({
      id: `sm.${visit.id}.${visit.workingDate.replaceAll('-', '')}${safetyType}`,
      requestId: visit.id,
      needFlag: '1',
      safetyType,
      workingDate: visit.workingDate,
      workingStartTime: startTime(visit),
      workingEndTime: endTime(visit),
      createdAt: atTime(addDays(visit.workingDate, visit.slot === 6 ? -1 : 0), visit.start),
      name: `安全対策_${visit.requestCode}_${visit.workingDate}_${safetyType}`,
      loginUserId: MANAGER,
      origin: 'seed' as const,
    }))
  })
}

/** The emergencies of the days before; the older ones are confirmed. */
export function seedEmergencyReports(visits: Visit[], now: number): EmergencyReportRow[] {
  return visits
    .filter((visit) => visit.emergency && isDone(visit, now))
    .map((visit) => ({
      id: `er.${visit.id}.1`,
      requestId: visit.id,
      workingDate: visit.workingDate,
      workingStartTime: startTime(visit),
      workingEndTime: endTime(visit),
      emergencyContents: '2,3',
      risk: '3,8',
      correspondenceDate: '1',
      ttsStaffContact: '2',
      emergencyContentsDetails:
        '到着時、満水警報が鳴動。応急処置で水位を下げ、予備機で運転を継続しています。',
      createdAt: atTime(visit.workingDate, minutesLater(visit.end, 10)),
      name: `緊急報告_${visit.requestCode}_1`,
      confirmed: visit.workingDate < addDays(tokyoDay(now), -1),
      loginUserId: STAFF,
      origin: 'seed' as const,
    }))
}

/** Slot 4 always has one; every other day the office has already taken it over (editStatus NG). */
export function seedCustomerLocationChanges(visits: Visit[]): CustomerLocationChangeRow[] {
  return visits
    .slice(0, 1)
    .filter((visit) => visit.slot === 4)
    .map((visit) => ({
      id: `cl.${visit.id}.1`,
      requestId: visit.id,
      parkingType: '2',
      parkingMethod: '敷地内は満車のため、東側コインパーキングを利用。',
      inMethod: '通用口の暗証番号が変わりました。管理室で新しい番号を確認してください。',
      confirmed: hash(`cl ${visit.id}`) % 2 === 0,
      loginUserId: MANAGER,
      origin: 'seed' as const,
    }))
}

/** Slot 5 has a change of the entry contact. */
export function seedContactChanges(visits: Visit[]): LocationContactChangeRow[] {
  return visits
    .slice(0, 1)
    .filter((visit) => visit.slot === 5)
    .map((visit) => ({
      id: `lc.${visit.id}.1`,
      requestId: visit.id,
      type: '02',
      name: `${visit.area.building} 管理事務所`,
      kana: 'ｶﾝﾘｼﾞﾑｼｮ',
      section: '管理課',
      class: '係長',
      staffName: '原田 圭',
      means: '電話（平日9:00〜17:00）',
      email: null,
      tel1: '03-5550-0187',
      confirmed: hash(`lc ${visit.id}`) % 2 === 0,
      loginUserId: OTHER,
      origin: 'seed' as const,
    }))
}
