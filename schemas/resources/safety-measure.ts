/** Safety measures, one for each request, day and type (ec00027). Only their photos can be edited (crm-contract 4). */
import type { Code } from '#schemas/code-table.ts'
import { SafetyNeedFlag, type SafetyType } from '#schemas/codes.ts'
import type { Declaration, RecordOf } from '#schemas/declare/declare.ts'

/** The record's key is `safetyKey`. The form has ticks and photos but no content (`safety-measure-checks.ts`). */
export const safetyMeasure = {
  slug: 'safetyMeasure',
  path: 'safety',
  fields: {
    needFlag: { kind: 'code', table: SafetyNeedFlag, from: 'choice' },
    workingStartTime: { kind: 'time', from: 'visit' },
    workingEndTime: { kind: 'time', from: 'visit' },
  },
  crmOnlyFields: {
    createdAt: 'time',
    createdDisplayName: 'text',
    // Id of the folder with the photos, `safetyFolderId` (crm-contract 5).
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
  // A read-back finds the created measure by day and type in the request's row. The content of this row is
  // only `needFlag`, which `safetyIdIn` compares.
  identity: { required: ['requestId', 'workingDate', 'safetyType'], ifReturned: [], content: [] },
  refusesSecond: true,
  owner: 'visit',
  list: 'own',
  together: [],
  editedByOthers: false,
  offline: { add: 'works', edit: 'works' },
  indexes: ['serverId', 'requestId'],
} as const satisfies Declaration

export type SafetyMeasureRecord = RecordOf<typeof safetyMeasure>

/** The record's key: request id, working day and type. */
export const safetyKey = (requestId: string, workingDate: string, safetyType: string) =>
  `${requestId}_${workingDate}_${safetyType}`

/** Number of checklist items by type (spec 3). 地下ピット has a checklist for third parties and one for workers. */
export const SAFETY_CHECKS: Readonly<Record<Code<typeof SafetyType>, readonly number[]>> = {
  1: [13, 7],
  2: [9],
  3: [7],
  4: [6],
  5: [6],
}
export const COMMON_CHECKS = 3
