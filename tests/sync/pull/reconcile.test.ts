import { describe, expect, test } from 'vitest'
import { ROW_CONFIRM_MS } from '#schemas/limits.ts'
import { requestWire, type RequestRecord } from '#schemas/resources/request.ts'
import { daysAt, detailsDue, detailUrgency, dueAt, lifeOf } from '#sync/pull/engine/freshness.ts'
import { isComplete, isReadToEnd, type Snapshot } from '#sync/scheduler/read-pages.ts'
import { toRequestRecord } from '#sync/wire/request.ts'
import { changedRecords, parseRequestPage } from '../../support/without-pauses.ts'

const TODAY = '2026-11-20'
const NOW = Date.parse('2026-11-20T10:00:00+09:00')
const iso = (ms: number) => new Date(ms).toISOString()
const mark = (at = NOW) => ({ stamp: `${at}-0000-phone`, at: iso(at) })
const raw = (id: string, change: object = {}) => ({
  id,
  requestCode: `R-${id}`,
  workingDate: TODAY,
  ttsOrder: {},
  ...change,
})
const row = (id: string, change: object = {}) => requestWire.assert(raw(id, change))
const stored = (id: string, change: Partial<RequestRecord> = {}): RequestRecord => ({
  ...toRequestRecord(row(id), undefined, mark()),
  ...change,
})
const byKey = (...records: RequestRecord[]) => new Map(records.map((record) => [record.key, record]))

describe('[PL2] a page of rows', () => {
  test('a bad row is skipped and reported, the others are read', () => {
    const page = parseRequestPage([raw('a'), raw('b', { ttsOrder: null }), raw('c', { newField: 1 })])
    expect(page.rows.map(({ id }) => id)).toEqual(['a', 'c'])
    expect(page.problems).toEqual([expect.stringContaining('ttsOrder')])
    expect(page).toMatchObject({ skipped: [`b_${TODAY}`], unreadable: false })
  })
  test.each([
    ['a row without its key', [raw('a'), { requestCode: 'R' }], 1],
    ['a row with a day that does not exist', [raw('b', { workingDate: '2026-02-30' })], 0],
    ['null', [null], 0],
  ])('%s cannot be told apart from a missing one', (_, body, rows) => {
    const page = parseRequestPage(body)
    expect(page).toMatchObject({ unreadable: true, skipped: [] })
    expect([page.rows.length, page.problems.length]).toEqual([rows, 1])
  })
  test.each([[{ errors: [] }], ['<html>'], [null], [undefined], [5]])('%j is no page', (body) => {
    expect(parseRequestPage(body)).toEqual({
      rows: [],
      problems: ['not a list'],
      skipped: [],
      unreadable: true,
    })
  })
  test('an empty page is a page', () => {
    expect(parseRequestPage([])).toEqual({ rows: [], problems: [], skipped: [], unreadable: false })
  })
})

describe('[PL5] what a page changes', () => {
  test('a new row', () => {
    expect(changedRecords([row('a')], byKey(), mark()).map(({ key }) => key)).toEqual([`a_${TODAY}`])
  })
  test('not a row that is the same', () => {
    expect(changedRecords([row('a')], byKey(stored('a')), mark(NOW + 60_000))).toEqual([])
  })
  test('a row that changed: its details are to be read again, the known ones stay until then', () => {
    const detail = { goods: [], devices: [], safety: [], underPitSurvey: [] }
    const before = stored('a', { detail, detailConfirmedAt: iso(NOW) })
    const changed = changedRecords([row('a', { situation: '変更' })], byKey(before), mark())
    expect(changed).toMatchObject([{ situation: '変更', detail, detailConfirmedAt: '' }])
  })
  test('a row that says again what it said before a single read told otherwise', () => {
    const told = stored('a', { situation: '一時', detailConfirmedAt: iso(NOW) })
    expect(changedRecords([row('a')], byKey(told), mark(NOW + 60_000))).toMatchObject([
      { situation: null, detailConfirmedAt: iso(NOW) },
    ])
  })
  test('[PL9] not a row that was read anew beside the page, which came late', () => {
    const since = stored('a', { readStamp: mark(NOW + 1).stamp, confirmedAt: iso(NOW + 1) })
    expect(changedRecords([row('a', { situation: '前' })], byKey(since), mark())).toEqual([])
    expect(changedRecords([row('a', { situation: '後' })], byKey(since), mark(NOW + 2))).toHaveLength(1)
  })
  test.each([
    [ROW_CONFIRM_MS - 1, 0],
    [ROW_CONFIRM_MS, 1],
  ])('[EX1] a row confirmed %d ms ago is written again: %d', (later, count) => {
    const changed = changedRecords([row('a')], byKey(stored('a')), mark(NOW + later))
    expect(changed).toHaveLength(count)
    for (const record of changed) expect(record.confirmedAt).toBe(iso(NOW + later))
  })
})

const snapshot = (change: Partial<Snapshot> = {}): Snapshot => ({
  seen: new Set(['a', 'b', 'c']),
  counted: 3,
  totals: [3, 3],
  unreadable: false,
  ...change,
})

describe('[PL1] a snapshot', () => {
  test.each<[string, Partial<Snapshot>]>([
    ['pages agree and all was seen', {}],
    ['one page', { totals: [3] }],
    ['nothing, and the CRM says so', { seen: new Set(), counted: 0, totals: [0] }],
  ])('is complete: %s', (_, change) => expect(isComplete(snapshot(change))).toBe(true))

  test.each<[string, Partial<Snapshot>]>([
    ['no page was read', { seen: new Set(), counted: 0, totals: [] }],
    ['the CRM gave no total', { totals: [null, null] }],
    ['one page gave no total', { totals: [3, null] }],
    ['the total changed between two pages', { totals: [4, 3] }],
    ['fewer rows than the total', { totals: [4, 4] }],
    ['more rows than the total', { totals: [2, 2] }],
    ['a row could not be told', { unreadable: true }],
    ['a row was seen twice, so another was missed', { seen: new Set(['a', 'b']) }],
  ])('is not complete: %s', (_, change) => {
    expect(isComplete(snapshot(change))).toBe(false)
  })

  // a CRM need not say how many there are: what it does not have is none of, where nothing contradicts it
  test.each<[string, Partial<Snapshot>, boolean]>([
    ['pages agree and all was seen', {}, true],
    ['the CRM gave no total', { totals: [null, null] }, true],
    ['one page gave no total', { totals: [3, null] }, false],
    ['one page gave no total, the other one of more', { totals: [4, null] }, false],
    ['fewer rows than the total of one page', { totals: [3, 4] }, false],
    ['more rows than the total', { totals: [2, 2] }, false],
    ['a row could not be told', { unreadable: true }, false],
    ['a row was seen twice, so another was missed', { counted: 4, totals: [null] }, false],
  ])('%s: read to its end?', (_, change, isWhole) => expect(isReadToEnd(snapshot(change))).toBe(isWhole))
})

describe('[PL5] whose details are read', () => {
  const clock = { now: NOW, days: daysAt(NOW), refreshedAt: '', pauseStartedAt: '' }
  const on = (id: string, workingDate: string, change: Partial<RequestRecord>) =>
    stored(id, { workingDate, sortKey: `${workingDate} ${id}`, ...change })
  const HOUR = 3_600_000
  const done = { id: 'q', inTime: null, outTime: iso(NOW), type: null, editStatus: null }
  const urgency = (workingDate: string, hours: number | null, change: object = {}, refreshedAt = '') => {
    const detailConfirmedAt = hours === null ? '' : iso(NOW - hours * HOUR)
    return detailUrgency(on('a', workingDate, { detailConfirmedAt, ...change }), { ...clock, refreshedAt })
  }

  test.each<[string, string, number | null, object, 'due' | 'paced' | null]>([
    ['never read, or changed since', '2026-11-30', null, {}, 'due'],
    ['today, to be done, 59 minutes old', TODAY, 0.98, {}, null],
    ['today, to be done, 2 hours old', TODAY, 2, {}, 'due'],
    ['today, done, 5 hours old', TODAY, 5, { quickReport: done }, null],
    ['today, done, 18 hours old', TODAY, 18, { quickReport: done }, 'due'],
    ['tomorrow, 8 hours old', '2026-11-21', 8, {}, null],
    ['tomorrow, 18 hours old', '2026-11-21', 18, {}, 'paced'],
    ['the day after tomorrow, 23 hours old', '2026-11-22', 23, {}, null],
    ['the day after tomorrow, 48 hours old', '2026-11-22', 48, {}, 'paced'],
    ['in four days, 83 hours old', '2026-11-24', 83, {}, null],
    ['in four days, a week old', '2026-11-24', 168, {}, 'paced'],
    ['the day before yesterday, 83 hours old', '2026-11-18', 83, {}, null],
  ])('%s', (_, day, hours, change, expected) => expect(urgency(day, hours, change)).toBe(expected))

  test('the user asks for everything: today’s and tomorrow’s, whatever their age', () => {
    const since = iso(NOW - 60_000)
    expect(urgency(TODAY, 0.1, {}, since)).toBe('due')
    expect(urgency('2026-11-21', 0.1, {}, since)).toBe('due')
    expect(urgency('2026-11-22', 0.1, {}, since)).toBeNull()
    expect(urgency(TODAY, 0, {}, since)).toBeNull()
  })

  describe('what goes on over midnight is in the list of today until noon', () => {
    const YESTERDAY = '2026-11-19'
    const inside = { quickReport: { ...done, outTime: null } }
    const detailConfirmedAt = iso(NOW - 3 * HOUR)
    const asked = iso(NOW - HOUR)
    const of = (at: number, change: object, refreshedAt = '') =>
      detailUrgency(on('a', YESTERDAY, { detailConfirmedAt, ...change }), {
        ...clock,
        now: at,
        days: daysAt(at),
        refreshedAt,
      })

    test.each<[string, number, object, string, 'due' | 'paced' | null]>([
      ['somebody is inside, 3 hours old', NOW, inside, '', 'due'],
      ['nobody has entered, 3 hours old', NOW, {}, '', 'due'],
      ['it is done', NOW, { quickReport: done }, '', null],
      ['after noon', NOW + 2 * HOUR, inside, '', null],
      ['the user asked for everything since', NOW, inside, asked, 'due'],
      ['the user asked, and it is done', NOW, { quickReport: done }, asked, null],
      ['the user asked, after noon', NOW + 2 * HOUR, inside, asked, null],
    ])('[PL5] %s', (_, at, change, refreshedAt, expected) =>
      expect(of(at, change, refreshedAt)).toBe(expected),
    )
  })

  test('[PL5][EX3] read by a clock that was set back since: nobody knows when', () => {
    expect(urgency(TODAY, -400)).toBe('due')
    expect(urgency('2026-11-24', -400)).toBe('paced')
    const since = iso(NOW - 60_000)
    expect(urgency('2026-11-21', -400, {}, since)).toBe('due')
    // 更新 that such a clock has stamped is not there for weeks
    expect(urgency(TODAY, 0.1, {}, iso(NOW + 400 * HOUR))).toBeNull()
  })

  test('[PL10] what was read in one minute is not due in one minute', () => {
    const life = lifeOf('details', [{ workingDate: '2026-11-24' }], daysAt(NOW))
    const dues = Array.from({ length: 600 }, (_, i) => dueAt(`r${i}_2026-11-24`, NOW + i * 100, life) - NOW)
    const inTenth = (n: number) =>
      dues.filter((due) => Math.floor(((due / life - 0.5) / 0.5) * 10) === n).length
    for (let n = 0; n < 10; n += 1) expect(inTenth(n)).toBeGreaterThan(30)
    expect(Math.min(...dues)).toBeGreaterThanOrEqual(life / 2)
    expect(Math.max(...dues)).toBeLessThan(life + 60_000)
  })

  test('today first, then the days to come, then what is past; what is paced apart', () => {
    const never = { detailConfirmedAt: '' }
    const records = [
      on('old', '2026-11-19', { ...never, quickReport: done }),
      on('far', '2026-11-30', never),
      on('b', TODAY, never),
      on('next', '2026-11-21', never),
      on('a', TODAY, never),
      on('aged', '2026-11-21', { detailConfirmedAt: iso(NOW - 18 * HOUR) }),
    ]
    const before = structuredClone(records)
    const { due, paced } = detailsDue(records, clock)
    expect(due.map(({ id }) => id)).toEqual(['a', 'b', 'next', 'far', 'old'])
    expect(paced.map(({ id }) => id)).toEqual(['aged'])
    expect(records).toEqual(before)
  })
})
