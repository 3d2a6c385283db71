import type { QuickReportRow } from './quick-report.ts'
import { quickReportId } from '#demo-crm/world/rows.ts'
import { addDays, atTime, tokyoDay } from '#demo-crm/seed/tokyo-day.ts'
import { isDone, minutesLater, STAFF } from '#demo-crm/seed/done.ts'
import { hash } from '#demo-crm/seed/hash.ts'
import type { SeedVisit } from '#demo-crm/seed/visits.ts'

/**
 * Returns the result of a past visit: in most cases completed, sometimes postponed. In work of several days, each day
 * but the last has the result 当日作業分完了 (the day's work is completed).
 */
function endOf(visit: SeedVisit): Pick<QuickReportRow, 'type' | 'reason1' | 'reason2' | 'reportContent'> {
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

export function seedQuickReports(visits: SeedVisit[], now: number): QuickReportRow[] {
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
      confirmed: visit.workingDate <= addDays(tokyoDay(now), -3) && visit.slot % 2 === 0,
      loginUserId: STAFF,
      origin: 'seed' as const,
    }))
}
