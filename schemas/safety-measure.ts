/** Safety measures: one for each request, working day and type (ec00027). There is no edit but of the photos (crm-contract 4). */
import { type } from 'arktype'
import { changeBase, confirmed, travelling } from './change.ts'
import type { Code } from './code-table.ts'
import type { SafetyType } from './codes.ts'
import { wireCode, wireDate, wireDateTime, wireId, wireText } from './wire.ts'

const textOrNull = type('string | null')

export const safetyMeasureContent = type({
  /** 1 必要, 2 不要. */
  needFlag: textOrNull,
  workingStartTime: textOrNull,
  workingEndTime: textOrNull,
})
export type SafetyMeasureContent = typeof safetyMeasureContent.infer

const serverState = safetyMeasureContent.merge(confirmed).merge({
  createdAt: textOrNull,
  createdDisplayName: textOrNull,
  /** Where its photos lie (crm-contract 5). */
  filePath: textOrNull,
  name: textOrNull,
  safetyFolderId: textOrNull,
})
export type SafetyMeasureServer = typeof serverState.infer

const safetyTypeCode = type('1 <= string <= 8')

export const safetyMeasureRecord = travelling.merge({
  safetyType: safetyTypeCode,
  'server?': serverState,
  changes: changeBase.merge({ kind: "'create'", fields: safetyMeasureContent }).array(),
})
export type SafetyMeasureRecord = typeof safetyMeasureRecord.infer

/** Key: request, working day, type. */
export const safetyKey = (requestId: string, workingDate: string, safetyType: string) =>
  `${requestId}_${workingDate}_${safetyType}`

/** `GET safety/{id}`. */
export const safetyMeasureWire = type({
  id: wireId,
  requestId: wireId,
  'needFlag?': wireCode,
  safetyType: type('string | number').pipe(String).to(safetyTypeCode),
  workingDate: wireDate,
  'workingStartTime?': wireDateTime,
  'workingEndTime?': wireDateTime,
  'createdAt?': wireDateTime,
  'createdDisplayName?': wireText,
  'name?': wireText,
  'filePath?': wireText,
  'safetyFolderId?': wireText,
})
export type SafetyMeasureWire = typeof safetyMeasureWire.infer

/** Items of the checklists of each type (spec 3: 地下ピット has 13 for others and 7 for workers), and the common three. */
export const SAFETY_CHECKS: Readonly<Record<Code<typeof SafetyType>, readonly number[]>> = {
  1: [13, 7],
  2: [9],
  3: [7],
  4: [6],
  5: [6],
}
export const COMMON_CHECKS = 3

const allTicked = (count: number) =>
  type('boolean[]').narrow(
    (ticks, ctx) => (ticks.length === count && ticks.every(Boolean)) || ctx.mustBe('ec00001'),
  )

/** The form 安全対策 of a type: every item of its lists is ticked, one list after another, and the common ones (spec 5). */
export const safetyMeasureDraft = (safetyType: Code<typeof SafetyType>) =>
  type({
    checks: allTicked(SAFETY_CHECKS[safetyType].reduce((sum, items) => sum + items, 0)),
    common: allTicked(COMMON_CHECKS),
  })
