import { describe, expect, test } from 'vitest'
import { settledWith, withoutSettled } from '#schemas/changes/change-queue.ts'
import type {
  QuickReportChange,
  QuickReportContent,
  QuickReportRecord,
} from '#schemas/resources/quick-report.ts'
import type { Outcome } from '#sync/transport/outcome.ts'
import { pullResources, type RecordCollection } from '#sync/resources/resource-table.ts'
import { pushResources } from '#sync/resources/resource-table.ts'
import { identifierOf } from '#sync/runtime/start-pulls.ts'
import type { Api } from '#sync/scheduler/api.ts'

const IN = '2026-11-20T08:56:00+09:00'
const NONE: QuickReportContent = {
  inTime: null,
  outTime: null,
  type: null,
  reason1: null,
  reason2: null,
  reportContent: null,
}
const change = (id: string, kind: QuickReportChange['kind'], stamp: string): QuickReportChange => ({
  id,
  kind,
  stamp,
  savedAt: '2026-11-20T01:00:00Z',
  userId: 'u-1',
  offline: false,
  fields:
    kind === 'entry'
      ? {
          ...NONE,
          inTime: IN,
        }
      : {
          ...NONE,
          outTime: IN,
          type: '1',
        },
})
const server = { ...NONE, inTime: IN, editStatus: null, detailed: true, stamp: '1' }
const record = (id: string, given: Partial<QuickReportRecord> = {}): QuickReportRecord => ({
  key: `${id}_2026-11-20`,
  requestId: id,
  workingDate: '2026-11-20',
  workingDateType: '1',
  serverId: '',
  changes: [],
  unsent: 'yes',
  ...given,
})
const { quickReports } = pushResources
/** The call for a change of the first record of a group. */
const planOf = (change: QuickReportChange, group: QuickReportRecord[], loginUserId: string) => {
  const [first] = group
  if (!first) throw new Error('a group has a record')
  return quickReports.plan({ record: first, change }, group, loginUserId)
}
const [entry, exit, edit] = [change('e', 'entry', '1'), change('x', 'exit', '2'), change('y', 'edit', '3')]

describe('[contract 4] the call of a change', () => {
  test('an entry is posted, with its own id as the key', () => {
    expect(planOf(entry, [record('r1')], 'ss-1')).toMatchObject({
      call: {
        method: 'POST',
        path: 'quickReport/',
        idempotencyKey: 'e',
        body: { requestId: 'r1', inTime: IN },
      },
      recordKeys: ['r1_2026-11-20'],
    })
  })
  test('an exit of several is one call, for those that the CRM knows', () => {
    const bulk = { ...exit, group: 'g' }
    const changes = [bulk]
    const other = { ...bulk, fields: { ...bulk.fields, reportContent: '別の内容' } }
    const group = [
      record('r1', { serverId: 'q1', changes }),
      record('r2', { changes }),
      record('r3', { serverId: 'q3', changes }),
      record('r4', { serverId: 'q4', changes: [other] }),
    ]
    const plan = planOf(bulk, group, 'ss-1')
    expect(plan).toMatchObject({
      call: {
        method: 'PUT',
        path: 'quickReport/requestUpdate',
        body: { quickReports: [{ id: 'q1' }, { id: 'q3' }] },
      },
      recordKeys: ['r1_2026-11-20', 'r3_2026-11-20'],
    })
    expect(plan?.call).not.toHaveProperty('idempotencyKey')
  })
  test('an edit of a report with its exit is put to that report, its id as one segment', () => {
    const known = record('r1', { serverId: 'q/1', server: { ...server, id: 'q/1', outTime: IN } })
    expect(planOf(edit, [known], 'ss-1')?.call).toMatchObject({
      method: 'PUT',
      path: 'quickReport/q%2F1',
    })
  })
  test('an edit of a report without its exit registers the exit', () => {
    const known = record('r1', { serverId: 'q1', server: { ...server, id: 'q1' } })
    expect(planOf(edit, [known], 'ss-1')?.call.path).toBe('quickReport/requestUpdate')
  })
  test('no call for a record that the CRM does not know', () => {
    expect(planOf(exit, [record('r1')], 'ss-1')).toBeNull()
  })
})

test.each([
  [{ id: 'q1', inTime: IN }, 'q1'],
  [{ id: 7 }, '7'],
  [{ id: '' }, null],
  [{}, null],
  [null, null],
  ['<html>', null],
])('[OC3] the answer %j to a creating call tells the id %s', (body, id) => {
  expect(quickReports.created(body)?.id ?? null).toBe(id)
})

describe('[OC3][OC6] reading back an entry', () => {
  const row = (quickReport: object | null, given: object = {}) => ({
    id: 'r1',
    requestCode: 'R',
    workingDate: '2026-11-20',
    ttsOrder: {},
    quickReport,
    ...given,
  })
  const accepted = (body: unknown): Outcome => ({ kind: 'accepted', status: 200, body, total: null })
  async function readBack(outcome: Outcome) {
    const asked: unknown[] = []
    const api: Api = {
      read: () => Promise.reject(new Error('a read-back takes nothing that was kept')),
      fresh: { read: async (...call) => (asked.push(call), outcome) },
      write: () => Promise.reject(new Error('a read-back writes nothing')),
    }
    const result = await quickReports.readBack(
      { record: record('r1'), change: entry },
      { api, loginUserId: 'ss-1', takenIds: () => Promise.resolve(new Set()) },
    )
    expect(asked).toEqual([['request/r1', { supplierStaffId: 'ss-1', workingDate: '2026-11-20' }]])
    return result
  }

  test.each<[string, Outcome, object]>([
    [
      'our time',
      accepted(row({ id: 'q1', inTime: '2026-11-19T23:56:00Z' })),
      { kind: 'ours', serverId: 'q1' },
    ],
    ['another time', accepted(row({ id: 'q1', inTime: '2026-11-20T08:57:00+09:00' })), { kind: 'absent' }],
    ['no report', accepted(row(null)), { kind: 'absent' }],
    [
      'another day',
      accepted(row({ id: 'q1', inTime: IN }, { workingDate: '2026-11-21' })),
      { kind: 'absent' },
    ],
    ['no such request', { kind: 'missing', status: 404, reasons: [] }, { kind: 'absent' }],
    ['a row that cannot be read', accepted({ id: 'r1' }), { kind: 'failed', outcome: { kind: 'unknown' } }],
    ['no answer', { kind: 'unreachable' }, { kind: 'failed', outcome: { kind: 'unreachable' } }],
    ['a page', { kind: 'unknown', status: 200 }, { kind: 'failed', outcome: { kind: 'unknown' } }],
    ['a dead token', { kind: 'unauthorized', status: 401 }, { kind: 'failed' }],
  ])('%s', async (_, outcome, wanted) => expect(await readBack(outcome)).toMatchObject(wanted))
})

describe('[OC1] what goes with an accepted change', () => {
  test.each<[string, QuickReportChange[], QuickReportChange, string[]]>([
    ['the entry goes, its exit stays', [entry, exit], entry, ['x']],
    ['an exit goes', [exit], exit, []],
    ['with the earlier ones it replaced', [change('w', 'exit', '1'), exit], exit, []],
    ['what was saved after it stays', [exit, edit], exit, ['y']],
    [
      'an entry saved anew takes the refused one along, not the exit',
      [entry, exit, change('f', 'entry', '3')],
      change('f', 'entry', '3'),
      ['x'],
    ],
    ['one that is not there takes nothing', [exit], change('z', 'exit', '0'), ['x']],
  ])('%s', (_, changes, done, left) => {
    expect(withoutSettled(changes, done).map(({ id }) => id)).toEqual(left)
    const covered = changes.map(({ id }) => id).filter((id) => id !== done.id && !left.includes(id))
    expect(settledWith(changes, done).map(({ id }) => id)).toEqual(covered)
  })

  test('the record knows its id and what the CRM holds', () => {
    const entered = quickReports.serverAfter({ record: record('r1'), change: entry }, { id: 'q1' }, '9')
    expect(entered).toMatchObject({ id: 'q1', inTime: IN, stamp: '9' })
  })
})

test('[trap 12] the replications have the names that phones know', () => {
  const names = Object.keys(pullResources) as RecordCollection[]
  expect(names.map(identifierOf).toSorted()).toEqual([
    'crm-customer-location-change-request',
    'crm-emergency-report',
    'crm-location-contact-change-request',
    'crm-note-location-area',
    'crm-past-report',
    'crm-safety-measure',
    'crm-supplier-staff',
  ])
})
