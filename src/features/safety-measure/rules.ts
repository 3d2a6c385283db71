/** Rules of 安全対策 (spec 2, 4, 5): which URLs open a form, and its initial values. */
import { SafetyType } from '#schemas/codes.ts'
import { COMMON_CHECKS, SAFETY_CHECKS } from '#schemas/resources/safety-measure.ts'
import type { SafetyTypeCode } from '#data/resources/safety-measures.ts'
import { isIsoDate } from '#lib/time/tokyo-time.ts'

/** The form's ticks: the items of all lists of the type in order, and the common items. */
export interface SafetyInput {
  checks: boolean[]
  common: boolean[]
  /** Photos are not a form value; this field only has their error. */
  photos: ''
}

/** @param ticked true if it was saved before, so that everything is ticked */
export const safetyInputOf = (safetyType: SafetyTypeCode, ticked: boolean): SafetyInput => ({
  checks: Array.from({ length: totalOf(safetyType) }, () => ticked),
  common: Array.from({ length: COMMON_CHECKS }, () => ticked),
  photos: '',
})

const totalOf = (safetyType: SafetyTypeCode) =>
  SAFETY_CHECKS[safetyType].reduce((sum, items) => sum + items, 0)

export const openChecks = ({ checks, common }: Pick<SafetyInput, 'checks' | 'common'>) =>
  [...checks, ...common].filter((tick) => !tick).length

interface FormPhotosState {
  items: readonly unknown[]
  loading: readonly unknown[]
  rest: unknown
  failed: boolean
}

/**
 * Returns the error of the photos (spec 5): at least one is required, and none may have failed to send. If the record's
 * photos have not been read, none is reported missing.
 */
export function safetyPhotoProblem({ items, loading, rest, failed }: FormPhotosState) {
  const isEmpty = items.length + loading.length === 0 && rest === null
  return isEmpty || failed ? 'ec00001' : undefined
}

/** A type has several checklists, one after the other in `checks`. Returns the index at which each begins. */
export const startsOf = (safetyType: SafetyTypeCode): number[] =>
  SAFETY_CHECKS[safetyType].map((_, list, sizes) =>
    sizes.slice(0, list).reduce((sum, items) => sum + items, 0),
  )

export interface AddQuery {
  requestId?: string | undefined
  safetyType?: string | undefined
  /** Passed through; optional because a request may lack it. */
  workingDateType?: string | undefined
  workingDate?: string | undefined
}

/** Returns what 安全対策登録 is for; null if the URL is incomplete, which leads to not-found. */
export function addTarget({ requestId, safetyType, workingDate }: AddQuery) {
  if (!requestId || !SafetyType.has(safetyType) || !workingDate || !isIsoDate(workingDate)) return null
  return { requestId, safetyType, workingDate }
}
