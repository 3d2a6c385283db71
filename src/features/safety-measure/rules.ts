/** The rules of 安全対策 (spec 2, 4, 5): which address opens a form, and what the form starts with. */
import { SafetyType } from '#schemas/codes.ts'
import { COMMON_CHECKS, SAFETY_CHECKS } from '#schemas/safety-measure.ts'
import type { SafetyTypeCode } from '#data/safety-measures.ts'
import { isIsoDate } from '#lib/time/tokyo-time.ts'

/** The form as it is ticked: the items of all lists of the type one after another, and the common ones. */
export interface SafetyInput {
  checks: boolean[]
  common: boolean[]
  /** The photos are no value of the form: this is where their error lies. */
  photos: ''
}

/** @param ticked whether it was all ticked before (it was saved) */
export const inputOf = (safetyType: SafetyTypeCode, ticked: boolean): SafetyInput => ({
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
 * There is a photo, or one is being read, and none that could not be sent (spec 5). Where the photos of the record were not
 * read, nobody can say that it has none.
 */
export function photoProblem({ items, loading, rest, failed }: FormPhotosState) {
  const isEmpty = items.length + loading.length === 0 && rest === null
  return isEmpty || failed ? 'ec00001' : undefined
}

/** Where each list of a type begins among `checks`. */
export const startsOf = (safetyType: SafetyTypeCode): number[] =>
  SAFETY_CHECKS[safetyType].map((_, list, sizes) =>
    sizes.slice(0, list).reduce((sum, items) => sum + items, 0),
  )

export interface AddQuery {
  requestId?: string | undefined
  safetyType?: string | undefined
  /** Carried along: a request may leave it out. */
  workingDateType?: string | undefined
  workingDate?: string | undefined
}

/** What 安全対策登録 is about; null where the address does not say it (then it is not-found). */
export function addTarget({ requestId, safetyType, workingDate }: AddQuery) {
  if (!requestId || !SafetyType.has(safetyType) || !workingDate || !isIsoDate(workingDate)) return null
  return { requestId, safetyType, workingDate }
}
