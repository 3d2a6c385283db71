/** The links of 安全対策 on 依頼詳細: one for each safety type that the request requires or has a measure of. */
import type { RequestRecord } from '#schemas/resources/request.ts'
import {
  isRegistered,
  isUnnecessary,
  type SafetyMeasureView,
  type SafetyRow,
} from '#data/resources/safety-measures.ts'

/** Returns the URL of 安全対策選択 for a visit. @param safetyType the type to ask about at once */
export function safetySelectPath(
  { id, workingDate, workingDateType }: RequestRecord,
  safetyType?: SafetyRow['type'],
): string {
  const query = new URLSearchParams({ workingDateType: workingDateType ?? '', workingDate })
  if (safetyType !== undefined) query.set('safetyType', safetyType)
  return `/safetyMeasure/select/${encodeURIComponent(id)}?${query.toString()}`
}

const measurePath = ({ id }: SafetyMeasureView) => `/safetyMeasure/${encodeURIComponent(id)}`

export interface SafetyLink {
  type: SafetyRow['type']
  status: 'todo' | 'done' | 'unnecessary' | 'unknown'
  /** The existing measure, even if it does not count as registered. */
  measure: SafetyMeasureView | null
  path: string
}

/** Returns the links: to the record of a registered measure, otherwise to 安全対策選択, which asks 要 or 不要. */
export function safetyLinks(request: RequestRecord, rows: readonly SafetyRow[]): SafetyLink[] {
  return rows
    .filter(({ named, measure }) => named || measure)
    .map(({ type, measure, isUnknown }) => {
      if (isUnknown) return { type, status: 'unknown', measure, path: safetySelectPath(request, type) }
      if (!measure || !isRegistered(measure))
        return { type, status: 'todo', measure, path: safetySelectPath(request, type) }
      const status = isUnnecessary(measure) ? 'unnecessary' : 'done'
      return { type, status, measure, path: measurePath(measure) }
    })
}
