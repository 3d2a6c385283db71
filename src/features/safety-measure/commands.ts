import type { Code } from '#schemas/code-table.ts'
import type { SafetyNeedFlag, SafetyType } from '#schemas/codes.ts'
import type { RequestRecord } from '#schemas/resources/request.ts'
import { safetyKey } from '#schemas/resources/safety-measure.ts'
import { addChange, kindOfSave, newChange, NOTHING_SENT, type Saver } from '#data/changes/changes.ts'

/**
 * Saves 安全対策 of a visit as 要 or 不要. A measure is created once; later only its photos can be edited (crm-contract 4).
 * @returns `registered` if the device already has the measure (ec00027)
 */
export async function saveSafetyMeasure(
  saver: Saver,
  request: Pick<RequestRecord, 'id' | 'workingDate' | 'workingStartTime' | 'workingEndTime'>,
  safetyType: Code<typeof SafetyType>,
  needFlag: Code<typeof SafetyNeedFlag>,
): Promise<'saved' | 'registered'> {
  const { id: requestId, workingDate, workingStartTime, workingEndTime } = request
  const key = safetyKey(requestId, workingDate, safetyType)
  if ((await kindOfSave(saver.db, { collection: 'safetyMeasures', key })) === 'edit') return 'registered'
  const change = newChange(saver, 'create', { needFlag, workingStartTime, workingEndTime })
  const blank = { key, requestId, workingDate, safetyType, ...NOTHING_SENT }
  await addChange(saver.db, 'safetyMeasures', blank, change)
  return 'saved'
}
