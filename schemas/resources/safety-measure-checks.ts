/** The schema of the form 安全対策. Its ticks are not sent to the CRM. */
import { type } from 'arktype'
import type { Code } from '#schemas/code-table.ts'
import type { SafetyType } from '#schemas/codes.ts'
import { COMMON_CHECKS, SAFETY_CHECKS } from './safety-measure.ts'

const allTicked = (count: number) =>
  type('boolean[]').narrow(
    (ticks, ctx) => (ticks.length === count && ticks.every(Boolean)) || ctx.mustBe('ec00001'),
  )

/** The schema for a safety type: all items of the type and all common items must be ticked (spec 5). */
export const safetyMeasureDraft = (safetyType: Code<typeof SafetyType>) =>
  type({
    checks: allTicked(SAFETY_CHECKS[safetyType].reduce((sum, items) => sum + items, 0)),
    common: allTicked(COMMON_CHECKS),
  })
