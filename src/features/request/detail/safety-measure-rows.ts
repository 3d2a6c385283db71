/** The links of 安全対策 on 依頼詳細: one for each safety type that the request requires or that has a measure. */
import type { RequestRecord } from '#schemas/resources/request.ts'
import {
  isRegistered,
  isUnnecessary,
  type SafetyMeasureView,
  type SafetyRow,
} from '#data/resources/safety-measures.ts'
import { gasSheet, MEASURED_TYPES } from '#features/sheet/gas-sheet.ts'

/** Returns the URL path of 安全対策選択 for a visit. @param safetyType the type whose question opens at once */
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
  /** The measure of this type, including one whose registration failed; null if there is none. */
  measure: SafetyMeasureView | null
  path: string
}

/**
 * Returns a link for each type that the request requires or that has a measure. A registered measure links to its
 * screen. Any other type links to 安全対策選択, where the user chooses 要 or 不要.
 */
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

/**
 * Returns the URL path of a form on which the user can fill in 酸素・硫化水素濃度測定記録: 安全対策 of a type that needs a measurement,
 * or 緊急報告 if all of these types are 不要.
 */
export function gasSheetPath(request: RequestRecord, rows: readonly SafetyRow[]): string {
  const { id, workingDate, workingDateType } = request
  const measured = rows.filter(({ type }) => MEASURED_TYPES.includes(type))
  const sheet = `sheet=${gasSheet.name}`
  const done = safetyLinks(request, measured).find(({ status }) => status === 'done')
  if (done) return `${done.path}/edit?${sheet}`
  const open = measured.filter(({ measure }) => !measure || !isRegistered(measure))
  const safetyType = (open.find(({ named }) => named) ?? open[0])?.type
  if (safetyType === undefined)
    return `/emergencyReport/add/${encodeURIComponent(id)}?workingDate=${workingDate}&${sheet}`
  const query = { requestId: id, safetyType, workingDate, ...(workingDateType && { workingDateType }) }
  return `/safetyMeasure/add?${new URLSearchParams(query).toString()}&${sheet}`
}
