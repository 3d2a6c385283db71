/** What a request row says of its report counts only where it was read after the report itself (RULES PL3). */
import { expect, test } from 'vitest'
import type { QuickReportRecord } from '#schemas/resources/quick-report.ts'
import { reconcileSummaries, type RequestSummary } from '#sync/pull/records/pull-quick-reports.ts'

const IN = '2026-11-20T08:56:00+09:00'
const OUT = '2026-11-20T10:00:00+09:00'
const whose = { key: 'r1_2026-11-20', workingDate: '2026-11-20', workingDateType: '1' } as const
const report: QuickReportRecord = {
  ...whose,
  requestId: 'r1',
  serverId: 'q1',
  changes: [],
  unsent: 'no',
  server: {
    id: 'q1',
    inTime: IN,
    outTime: OUT,
    type: '1',
    reason1: null,
    reason2: null,
    reportContent: 'x',
    editStatus: null,
    detailed: true,
    stamp: '5',
  },
}
const entered = { id: 'q1', inTime: IN, outTime: null, type: null, editStatus: null }

test.each<[string, RequestSummary['quickReport'], object]>([
  ['that it has no exit', entered, { serverId: 'q1', server: { outTime: null, stamp: '6' } }],
  ['that there is none', null, { _deleted: true }],
])('[PL3] a row says %s: believed only where it was read after the report', (_, quickReport, wanted) => {
  const saidAt = (readStamp: string) =>
    reconcileSummaries([{ ...whose, id: 'r1', quickReport, readStamp }], [report])
  expect(saidAt('4')).toEqual([])
  expect(saidAt('5')).toEqual([])
  expect(saidAt('6')).toMatchObject([wanted])
})
