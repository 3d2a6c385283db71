import { describe, expect, test } from 'vitest'
import { wireOf } from '#schemas/declare/derive.ts'
import {
  quickReport,
  type QuickReportChange,
  type QuickReportContent,
  type QuickReportRecord,
} from '#schemas/resources/quick-report.ts'
import {
  contentBody,
  editBody,
  entryBody,
  exitBody,
  sameSummary,
  serverAfter,
  serverFromSummary,
} from '#sync/resources/quick-report.ts'
import { sameInstant, serverFromWire } from '#sync/wire/declared.ts'

const IN = '2026-11-20T08:56:00+09:00'
const OUT = '2026-11-20T11:42:00+09:00'
const fields: QuickReportContent = {
  inTime: null,
  outTime: OUT,
  type: '1',
  reason1: null,
  reason2: null,
  reportContent: '完了',
}
const change = (
  kind: QuickReportChange['kind'],
  given: Partial<QuickReportContent> = {},
): QuickReportChange => ({
  id: 'c1',
  stamp: '1',
  savedAt: '2026-11-20T01:00:00Z',
  userId: 'u-1',
  offline: false,
  kind,
  fields: {
    ...fields,
    ...given,
  },
})
const record: QuickReportRecord = {
  key: 'r1_2026-11-20',
  requestId: 'r1',
  workingDate: '2026-11-20',
  workingDateType: '2',
  serverId: '',
  changes: [],
  unsent: 'no',
}
const summary = { id: 'q1', inTime: IN, outTime: OUT, type: '1', editStatus: null }
const wire = wireOf(quickReport).assert({
  ...summary,
  requestId: 'r1',
  workingDate: '2026-11-20',
  reason1Id: 6,
  reportContent: '完了',
})
const known = { ...serverFromWire(quickReport, wire), stamp: '5' }

describe('[contract 2] a reason that does not belong to the type is sent as null', () => {
  test.each([
    ['1', null, null],
    ['2', '6', null],
    ['3', null, '99'],
    [null, null, null],
  ])('type %s', (type, reason1, reason2) => {
    expect(contentBody({ ...fields, type, reason1: '6', reason2: '99' })).toMatchObject({
      type,
      reason1,
      reason2,
    })
  })
  test('an empty one is null, not ""', () => {
    const body = contentBody({ ...fields, type: '2', reason1: '', reason2: '', reportContent: '' })
    expect(body).toEqual({ type: '2', reason1: null, reason2: null, reportContent: null })
  })
})

describe('[contract 4] the bodies', () => {
  test('of an entry', () => {
    expect(entryBody(record, change('entry', { inTime: IN }), 'ss-1')).toEqual({
      requestId: 'r1',
      workingDate: '2026-11-20',
      workingDateType: '2',
      inTime: IN,
      loginUserId: 'ss-1',
    })
  })
  test('of an exit of several', () => {
    expect(exitBody(fields, ['q1', 'q2'], 'ss-1')).toEqual({
      outTime: OUT,
      type: '1',
      reason1: null,
      reason2: null,
      reportContent: '完了',
      quickReports: [{ id: 'q1' }, { id: 'q2' }],
      loginUserId: 'ss-1',
    })
  })
  test('of an edit: without an entry time the CRM keeps its own', () => {
    expect(editBody(fields, 'ss-1')).not.toHaveProperty('inTime')
    expect(editBody({ ...fields, inTime: IN }, 'ss-1')).toMatchObject({ inTime: IN, outTime: OUT })
  })
})

describe('what the CRM is known to hold', () => {
  test('after the single read: everything', () => {
    expect(known).toEqual({
      id: 'q1',
      inTime: IN,
      outTime: OUT,
      type: '1',
      reason1: '6',
      reason2: null,
      reportContent: '完了',
      editStatus: null,
      detailed: true,
      stamp: '5',
    })
  })

  test('from a first summary: not its reasons and content', () => {
    expect(serverFromSummary(summary, undefined, '6')).toEqual({
      ...summary,
      reason1: null,
      reason2: null,
      reportContent: null,
      detailed: false,
      stamp: '6',
    })
  })

  test('from a summary that is the same: reasons and content stay read', () => {
    const again = serverFromSummary({ ...summary, inTime: '2026-11-19T23:56:00Z' }, known, '6')
    expect(again).toMatchObject({ reason1: '6', reportContent: '完了', detailed: true, stamp: '6' })
  })

  test('from a summary that changed: they are shown until they are read again', () => {
    const changed = serverFromSummary({ ...summary, type: '2' }, known, '6')
    expect(changed).toMatchObject({ type: '2', reportContent: '完了', detailed: false })
  })

  test('from another report in its place: nothing of the old one', () => {
    const other = serverFromSummary({ ...summary, id: 'q2' }, known, '6')
    expect(other).toMatchObject({ id: 'q2', reason1: null, reportContent: null, detailed: false })
  })

  test('after an accepted entry', () => {
    const server = serverAfter(undefined, change('entry', { inTime: IN }), 'q1', '7')
    expect(server).toMatchObject({ id: 'q1', inTime: IN, outTime: null, detailed: true, stamp: '7' })
  })

  test('after an accepted exit: what was sent, and the entry time that was there', () => {
    const before = serverAfter(undefined, change('entry', { inTime: IN }), 'q1', '7')
    const server = serverAfter(before, change('exit', { type: '3', reason1: '6', reason2: '1' }), 'q1', '8')
    expect(server).toMatchObject({
      inTime: IN,
      outTime: OUT,
      type: '3',
      reason1: null,
      reason2: '1',
      stamp: '8',
    })
  })

  test('after an entry was accepted anew: the content that was there', () => {
    expect(serverAfter(known, change('entry', { inTime: OUT }), 'q1', '9')).toMatchObject({
      inTime: OUT,
      reportContent: '完了',
      type: '1',
    })
  })
})

test.each([
  [IN, '2026-11-19T23:56:00Z', true],
  [IN, '2026-11-19T23:56:00.000+00:00', true],
  [IN, OUT, false],
  [IN, null, false],
  [null, null, true],
])('[OC3] %s and %s are one instant: %s', (a, b, same) => expect(sameInstant(a, b)).toBe(same))

test.each<[string, Partial<typeof summary>, boolean]>([
  ['itself', {}, true],
  ['another offset', { outTime: '2026-11-20T02:42:00Z' }, true],
  ['another id', { id: 'q2' }, false],
  ['another type', { type: '2' }, false],
  ['another entry time', { inTime: OUT }, false],
])('a summary is the same as %s: %s', (_, given, same) => {
  expect(sameSummary(known, { ...summary, ...given })).toBe(same)
})
