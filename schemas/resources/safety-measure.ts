/** Safety measures: one for each request, working day and type (ec00027). There is no edit but of the photos (crm-contract 4). */
import type { Code } from '#schemas/code-table.ts'
import { SafetyNeedFlag, type SafetyType } from '#schemas/codes.ts'
import type { Declaration, RecordOf } from '#schemas/declare/declare.ts'

/** Key: `safetyKey`. Its form has ticks and photos, and no field of the content (`safety-measure-checks.ts`). */
export const safetyMeasure = {
  slug: 'safetyMeasure',
  path: 'safety',
  fields: {
    needFlag: { kind: 'code', table: SafetyNeedFlag, from: 'choice' },
    workingStartTime: { kind: 'time', from: 'visit' },
    workingEndTime: { kind: 'time', from: 'visit' },
  },
  told: {
    createdAt: 'time',
    createdDisplayName: 'text',
    // where its photos lie (crm-contract 5)
    filePath: 'text',
    name: 'text',
    safetyFolderId: 'text',
  },
  codeNames: { safetyType: 'typeName' },
  names: { requestId: 'id', safetyType: 'type', 'workingDate?': 'date' },
  own: { safetyType: '1 <= string <= 8' },
  kinds: ['create'],
  sends: {
    create: { requestId: 'requestId', workingDate: 'workingDate', safetyType: 'safetyType' },
    edit: null,
  },
  // the request's row names it by day and type, and says of its content `needFlag` alone: `readBack` looks at that
  identity: { always: ['requestId', 'workingDate', 'safetyType'], whereRead: [], content: [] },
  refusesSecond: true,
  owner: 'visit',
  list: 'own',
  together: [],
  editedByOthers: false,
  offline: { add: 'works', edit: 'works' },
  indexes: ['serverId', 'requestId'],
} as const satisfies Declaration

export type SafetyMeasureRecord = RecordOf<typeof safetyMeasure>

/** Key: request, working day, type. */
export const safetyKey = (requestId: string, workingDate: string, safetyType: string) =>
  `${requestId}_${workingDate}_${safetyType}`

/** Items of the checklists of each type (spec 3: 地下ピット has 13 for others and 7 for workers), and the common three. */
export const SAFETY_CHECKS: Readonly<Record<Code<typeof SafetyType>, readonly number[]>> = {
  1: [13, 7],
  2: [9],
  3: [7],
  4: [6],
  5: [6],
}
export const COMMON_CHECKS = 3
