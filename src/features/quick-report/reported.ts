/** Finds the reports of 退館報告登録: the report in the URL's path, and the reports in `?other=` (まとめて登録). */
import type { ReportedVisit } from '#data/visits/visits.ts'
import { exitBlockedBy } from './rules.ts'

export interface Reported {
  /** The report in the URL's path; null if the device does not have the report. */
  main: ReportedVisit | null
  others: ReportedVisit[]
  /** Ids in `?other=` for which the device has no report. */
  missing: string[]
}

/**
 * Returns the reports that were found for the ids of the URL, without duplicates, and the ids without a report.
 * @param ids the id in the path first
 * @param found in the order of `ids`; null for an id without a report
 */
export function reportedOf(ids: readonly string[], found: readonly (ReportedVisit | null)[]): Reported {
  const [main = null, ...others] = found
  const known = others.filter((each) => each !== null)
  // The URL may name a report twice: by the CRM's id and by the local key.
  const isFirst = ({ record: { key } }: ReportedVisit, at: number) =>
    key !== main?.record.key && known.findIndex(({ record }) => record.key === key) === at
  return {
    main,
    others: known.filter(isFirst),
    missing: ids.slice(1).filter((_, index) => others[index] === null),
  }
}

/**
 * Returns the message key of the reason why the exit cannot be registered; null if it can; ec00029 if the visits have
 * different reasons.
 */
export function whyBarred(
  main: ReportedVisit,
  others: readonly ReportedVisit[],
  today: string,
): ReturnType<typeof exitBlockedBy> | 'ec00029' {
  const bar = exitBlockedBy(main.report, today)
  const isOne = others.every((other) => exitBlockedBy(other.report, today) === bar && isTogether(main, other))
  return isOne ? bar : 'ec00029'
}

/** True if both visits have the same day and, if known, the same location. */
function isTogether(a: ReportedVisit, b: ReportedVisit): boolean {
  if (a.report.workingDate !== b.report.workingDate) return false
  return !a.visit || !b.visit || a.visit.request.locationAreaId === b.visit.request.locationAreaId
}
