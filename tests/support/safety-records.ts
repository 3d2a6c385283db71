/** Safety measures of request 1 on 2026-11-20, as the device keeps them. */
import { blankFacts } from '#schemas/changes/change-queue.ts'
import type { SendFacts } from '#schemas/change.ts'
import { safetyKey, type SafetyMeasureRecord } from '#schemas/resources/safety-measure.ts'

export const DAY = '2026-11-20'

const base = (safetyType: string): SafetyMeasureRecord => ({
  key: safetyKey('1', DAY, safetyType),
  requestId: '1',
  workingDate: DAY,
  safetyType,
  serverId: '',
  changes: [],
  unsent: 'no',
})

/** One that the CRM has; its id is `s-` and the type. */
export const confirmed = (safetyType: string, needFlag = '1') => ({
  ...base(safetyType),
  serverId: `s-${safetyType}`,
  server: {
    id: `s-${safetyType}`,
    detailed: true,
    stamp: '',
    needFlag,
    workingStartTime: null,
    workingEndTime: null,
    createdAt: `${DAY}T09:12:00+09:00`,
    createdDisplayName: '大西 修',
    filePath: null,
    name: 'SAFE-1',
    safetyFolderId: 'sf-1',
  },
})

/** One that was saved here and has not arrived. */
export const saved = (safetyType: string, needFlag = '1'): SafetyMeasureRecord => ({
  ...base(safetyType),
  unsent: 'yes',
  changes: [
    {
      id: `c-${safetyType}`,
      stamp: `0900-0000-${safetyType}`,
      savedAt: `${DAY}T09:15:00+09:00`,
      userId: 'u6',
      offline: true,
      kind: 'create',
      fields: { needFlag, workingStartTime: null, workingEndTime: null },
    },
  ],
})

/** Where the save of a measure stands. */
export function ledgerOf(record: SafetyMeasureRecord, over: Partial<SendFacts>): SendFacts {
  const [change] = record.changes
  if (!change) throw new Error('nothing was saved')
  return { ...blankFacts({ record: { resource: 'safetyMeasures', ...record }, change }), ...over }
}
