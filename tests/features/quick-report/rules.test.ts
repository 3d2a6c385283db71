import { describe, expect, test } from 'vitest'
import { quickReportView } from '#data/visits/quick-report-view.ts'
import type { ReportedVisit } from '#data/visits/visits.ts'
import {
  contentOf,
  editBlockedBy,
  exitBlockedBy,
  canStillUpdate,
  needsContent,
  otherIds,
  reasonsAfter,
  reportedOf,
  whyBarred,
} from '#features/quick-report/rules.ts'
import { tokyoToday } from '#lib/time/tokyo-time.ts'
import { ENTERED, LEFT, reportOn, requestOn, visitOf } from '../../support/visit-records.ts'

const DAY = '2026-11-20'
const [COMPLETED, INCOMPLETE, CANCELLED] = ['1', '2', '3']

describe('[spec 4] changing the work category clears reasons', () => {
  const both = { reason1: '4', reason2: '2' }
  test.each([
    ['作業完了 clears both', COMPLETED, { reason1: '', reason2: '' }],
    ['作業未完了 clears 中止・延期の理由', INCOMPLETE, { reason1: '4', reason2: '' }],
    ['中止・延期 clears 残作業の理由', CANCELLED, { reason1: '', reason2: '2' }],
  ] as const)('%s', (_, type, expected) => {
    expect(reasonsAfter(type, both)).toEqual(expected)
  })
})

test.each([
  [CANCELLED, '99', true],
  [CANCELLED, '1', false],
  [INCOMPLETE, '99', false],
  [COMPLETED, '', false],
] as const)('[spec 5] category %s with reason %s: content required %s', (type, reason2, expected) => {
  expect(needsContent({ type, reason2 })).toBe(expected)
})

test.each([
  ['the working day', '2026-11-20', true],
  ['day 7, the last', '2026-11-27', true],
  ['day 8', '2026-11-28', false],
  ['before the working day', '2026-11-19', true],
])('[spec 9, ec00012] update on %s', (_, today, expected) => {
  expect(canStillUpdate(DAY, today)).toBe(expected)
})

// by Tokyo's calendar to the minute, wherever the device is; a night shift counts from its working day
test.each([
  ['2026-11-20T23:59:59+09:00', true],
  ['2026-11-27T00:00:00+09:00', true],
  ['2026-11-27T23:59:59.999+09:00', true],
  ['2026-11-28T00:00:00+09:00', false],
  ['2026-11-27T14:59:59Z', true],
  ['2026-11-27T15:00:00Z', false],
  // the morning after a night shift of that day, a week later
  ['2026-11-28T05:00:00+09:00', false],
])('[spec 9, ec00012] at %s: %s', (moment, isOpen) => {
  expect(canStillUpdate(DAY, tokyoToday(Date.parse(moment)))).toBe(isOpen)
})

const view = (server: Parameters<typeof reportOn>[1]) => quickReportView(reportOn('1', server), new Map())
const entered = { inTime: ENTERED }
const left = { inTime: ENTERED, outTime: LEFT }

test.each([
  ['inside', entered, DAY, null],
  ['not entered', {}, DAY, 'notEntered'],
  ['left already', left, DAY, 'ec00011'],
  ['inside, day 7', entered, '2026-11-27', null],
  ['inside, day 8', entered, '2026-11-28', 'ec00012'],
])('[ec00011–13] an exit: %s', (_, server, today, bar) => {
  expect(exitBlockedBy(view(server), today)).toBe(bar)
})

test.each([
  ['left', left, DAY, null],
  ['not left yet', entered, DAY, 'ec00013'],
  ['taken over by the CRM', { ...left, editStatus: 'NG' }, DAY, 'ec00008'],
  ['day 7', left, '2026-11-27', null],
  ['day 8', left, '2026-11-28', 'ec00012'],
  // the CRM calls every report NG that is too old
  ['taken over, day 7', { ...left, editStatus: 'NG' }, '2026-11-27', 'ec00008'],
  ['NG on day 8', { ...left, editStatus: 'NG' }, '2026-11-28', 'ec00012'],
])('[ec00008, ec00012] an edit: %s', (_, server, today, bar) => {
  expect(editBlockedBy(view(server), today)).toBe(bar)
})

test('[spec 4] what is saved holds only what belongs to the category', () => {
  const input = { type: COMPLETED ?? '', reason1: '4', reason2: '99', reportContent: '  ' }
  expect(contentOf(input, LEFT)).toEqual({
    outTime: LEFT,
    type: '1',
    reason1: null,
    reason2: null,
    reportContent: null,
  })
  expect(contentOf({ ...input, type: '2' }, LEFT).reason1).toBe('4')
  expect(contentOf({ ...input, type: '3', reportContent: '鍵なし' }, LEFT)).toMatchObject({
    reason1: null,
    reason2: '99',
    reportContent: '鍵なし',
  })
})

test('[contract 2] with a work category that no table knows both reasons stay as they are', () => {
  const input = { type: '9', reason1: '4', reason2: '2', reportContent: '' }
  expect(contentOf(input, LEFT)).toMatchObject({ type: '9', reason1: '4', reason2: '2' })
})

test.each([
  [undefined, []],
  ['', []],
  ['q2,q3', ['q2', 'q3']],
  [' q2 ,,q2,q1', ['q2']],
])('[spec 2] other=%s', (other, ids) => {
  expect(otherIds(other, 'q1')).toEqual(ids)
})

describe('[spec 2] several reports in one', () => {
  const reported = (id: string, server: object, area = 'a1'): ReportedVisit => {
    const record = reportOn(id, server)
    const visit = visitOf(requestOn(id, DAY, { locationAreaId: area }), record)
    return { record, report: quickReportView(record, new Map()), visit }
  }
  const [a, b] = [reported('1', entered), reported('2', entered)]

  test('an unknown id is named, the found ones stay', () => {
    expect(reportedOf(['q-1', 'x', 'q-2'], [a, null, b])).toEqual({ main: a, others: [b], missing: ['x'] })
    expect(reportedOf(['x'], [null])).toEqual({ main: null, others: [], missing: [] })
  })

  test('one report under two ids counts once', () => {
    expect(reportedOf(['q-1', '1_2026-11-20'], [a, a]).others).toEqual([])
    expect(reportedOf(['q-1', 'q-2', '2_2026-11-20'], [a, b, b]).others).toEqual([b])
  })

  test.each([
    ['both inside', a, [b], null],
    ['alone and left', reported('1', left), [], 'ec00011'],
    ['one has left', a, [reported('2', left)], 'ec00029'],
    ['the first has left', reported('1', left), [b], 'ec00029'],
    ['all have left', reported('1', left), [reported('2', left)], 'ec00011'],
    ['nobody is inside', reported('1', {}), [reported('2', {})], 'notEntered'],
    ['all have left another place', reported('1', left), [reported('2', left, 'a2')], 'ec00029'],
    ['another place', a, [reported('2', entered, 'a2')], 'ec00029'],
    ['the request is not on the device', a, [{ ...b, visit: null }], null],
  ])('[ec00029] %s', (_, main, others, bar) => {
    expect(whyBarred(main, others, DAY)).toBe(bar)
  })
})
