/** Rules of 安全対策 (spec 2, 4, 5): the required URL parameters, the form's initial values, and the error of the photos. */
import { SafetyType } from '#schemas/codes.ts'
import { COMMON_CHECKS, SAFETY_CHECKS } from '#schemas/resources/safety-measure.ts'
import type { SafetyTypeCode } from '#data/resources/safety-measures.ts'
import { isIsoDate } from '#lib/time/tokyo-time.ts'

/** The form's values: one tick for each item of the type's checklists, in order, and one for each common item. */
export interface SafetyInput {
  checks: boolean[]
  common: boolean[]
  /** Always ''. Photos are not form values, but their error needs a field. */
  photos: ''
}

/** Returns the form's initial values. @param ticked value of every tick: true if the measure was saved before */
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

/** Returns the error of the photos (spec 5): at least one is required, none may have failed. Unread photos count as some. */
export function safetyPhotoProblem({ items, loading, rest, failed }: FormPhotosState) {
  const isEmpty = items.length + loading.length === 0 && rest === null
  return isEmpty || failed ? 'ec00001' : undefined
}

/** Returns the index in `checks` at which each of the type's checklists begins. */
export const startsOf = (safetyType: SafetyTypeCode): number[] =>
  SAFETY_CHECKS[safetyType].map((_, list, sizes) =>
    sizes.slice(0, list).reduce((sum, items) => sum + items, 0),
  )

export interface AddQuery {
  requestId?: string | undefined
  safetyType?: string | undefined
  /** Kind of the working day (spec 2); undefined if the request has none. */
  workingDateType?: string | undefined
  workingDate?: string | undefined
}

/** Returns the visit and safety type of 安全対策登録; null for an incomplete URL, which leads to not-found. */
export function addTarget({ requestId, safetyType, workingDate }: AddQuery) {
  if (!requestId || !SafetyType.has(safetyType) || !workingDate || !isIsoDate(workingDate)) return null
  return { requestId, safetyType, workingDate }
}
