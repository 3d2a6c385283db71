/** The reports that 退館報告登録 is about: the one in the address, and those of `?other=` (まとめて登録). */
import type { ReportedVisit } from '#data/visits.ts'
import { exitBar } from './rules.ts'

export interface Reported {
  /** null: no report is known by that id */
  main: ReportedVisit | null
  others: ReportedVisit[]
  /** Ids in `other` that no report is known by. */
  missing: string[]
}

/**
 * @param ids the main id first
 * @param found in the order of `ids`, null where nothing was found
 */
export function reportedOf(ids: readonly string[], found: readonly (ReportedVisit | null)[]): Reported {
  const [main = null, ...others] = found
  const known = others.filter((each) => each !== null)
  // a report may be asked for by the CRM's id and by the device's key
  const isFirst = ({ record: { key } }: ReportedVisit, at: number) =>
    key !== main?.record.key && known.findIndex(({ record }) => record.key === key) === at
  return {
    main,
    others: known.filter(isFirst),
    missing: ids.slice(1).filter((_, index) => others[index] === null),
  }
}

/**
 * Returns why the exit cannot be registered, or null. A reason common to all selected visits comes first, else ec00029.
 * ec00011–13 can occur if the page was killed after the save, before the draft was deleted.
 */
export function saveBar(
  main: ReportedVisit,
  others: readonly ReportedVisit[],
  today: string,
): ReturnType<typeof exitBar> | 'ec00029' {
  const bar = exitBar(main.report, today)
  const isOne = others.every((other) => exitBar(other.report, today) === bar && isTogether(main, other))
  return isOne ? bar : 'ec00029'
}

/** Same day, and same location where the device knows both. */
function isTogether(a: ReportedVisit, b: ReportedVisit): boolean {
  if (a.report.workingDate !== b.report.workingDate) return false
  return !a.visit || !b.visit || a.visit.request.locationAreaId === b.visit.request.locationAreaId
}
