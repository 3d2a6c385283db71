/** The edges of what a page and its details make due: what the case tables of `reconcile.test.ts` do not reach. */
import { describe, expect, test } from 'vitest'
import { ROW_CONFIRM_MS } from '#schemas/limits.ts'
import { requestWire, type RequestRecord, type RequestWire } from '#schemas/resources/request.ts'
import { daysAt, detailsDue, detailUrgency, dueAt, lifeOf } from '#sync/pull/engine/freshness.ts'
import {
  createRequestMemory,
  requestedDetail,
  type RequestReads,
} from '#sync/pull/requests/request-details.ts'
import type { SyncDatabase } from '#sync/storage/database.ts'
import { toRequestRecord } from '#sync/wire/request.ts'
import { changedRecords } from '../../support/without-pauses.ts'

const TODAY = '2026-11-20'
const NOW = Date.parse('2026-11-20T10:00:00+09:00')
const days = daysAt(NOW)
const iso = (ms: number) => new Date(ms).toISOString()
const mark = { stamp: 's', at: iso(NOW) }
const row = (id: string): RequestWire =>
  requestWire.assert({ id, requestCode: `R-${id}`, workingDate: TODAY, ttsOrder: {} })
const stored = (id: string, change: Partial<RequestRecord> = {}): RequestRecord => ({
  ...toRequestRecord(row(id), undefined, mark),
  ...change,
})
const detail = { goods: [], devices: [], safety: [], underPitSurvey: [] }

describe('[PL2] a row that throws', () => {
  /** The CRM's row as it parsed, with a field that cannot be read. */
  const broken = Object.defineProperty(row('bad'), 'ttsOrder', {
    get: () => {
      throw new Error('nobody reads this')
    },
  })

  test('is told once, and the others are read', () => {
    const told: { id: string; problem: string }[] = []
    const changed = changedRecords([row('a'), broken, row('c')], new Map(), mark, ({ id }, problem) =>
      told.push({ id, problem }),
    )
    expect(changed.map(({ id }) => id)).toEqual(['a', 'c'])
    expect(told).toEqual([{ id: 'bad', problem: expect.stringMatching(/./) }])
  })

  test('is skipped also where nobody is told', () => {
    expect(changedRecords([broken], new Map(), mark)).toEqual([])
  })
})

test('[EX3] a row that a wrong clock put into the future is written again', () => {
  const ahead = stored('a', { confirmedAt: iso(NOW + ROW_CONFIRM_MS) })
  const near = stored('a', { confirmedAt: iso(NOW + ROW_CONFIRM_MS - 1) })
  expect(changedRecords([row('a')], new Map([[ahead.key, ahead]]), mark)).toHaveLength(1)
  expect(changedRecords([row('a')], new Map([[near.key, near]]), mark)).toEqual([])
})

test('[EX1] a row that brings its details again, the same ones, is not written anew', () => {
  const lists = { goods: [], device: [], safety: [], underPitSurvey: [] }
  const whole = requestWire.assert({
    id: 'a',
    requestCode: 'R-a',
    workingDate: TODAY,
    ttsOrder: {},
    ...lists,
  })
  const before = toRequestRecord(whole, undefined, mark)
  const later = { stamp: 't', at: iso(NOW + 60_000) }
  expect(before.detailConfirmedAt).toBe(mark.at)
  expect(changedRecords([whole], new Map([[before.key, before]]), later)).toEqual([])
})

test.each<[string, Partial<RequestRecord>, boolean]>([
  ['before the row said something new', { readStamp: '9', detailConfirmedAt: '' }, false],
  ['before the row, which says nothing new', { readStamp: '9', detailConfirmedAt: iso(NOW - 60_000) }, true],
  ['after the row said something new', { readStamp: '1', detailConfirmedAt: '' }, true],
])(
  '[PL5][PL9] details that were read %s are read again in this round unless they are as new as that',
  async (_, change, isRead) => {
    const previous = stored('a', change)
    const own = createRequestMemory({} as SyncDatabase, () => undefined)
    const memory = { ...own, local: async () => new Map([[previous.key, previous]]) }
    const api = { read: async () => ({ kind: 'accepted', status: 200, body: row('a'), total: null }) }
    const clock = { now: () => NOW, stamp: () => '5' }
    const gate = { succeeded: () => undefined }
    const reads = { api, clock, gate, memory, supplierStaffId: 's' } as unknown as RequestReads
    const asked = { key: 'k', kind: 'detail', requestId: 'a', workingDate: TODAY, askedAt: '' } as const
    const work = requestedDetail(reads, { ...asked, state: 'asked', answeredAt: '', total: 0 }, true)
    const merge = await work.read({ priority: 'screen', signal: new AbortController().signal })
    const { docs } = await merge()
    expect(docs).toMatchObject([{ detailConfirmedAt: isRead ? mark.at : '' }])
    expect(memory.isRead(previous.key)).toBe(isRead)
  },
)

describe('[PL5][PL10] how urgently details are read', () => {
  const clock = { now: NOW, days, refreshedAt: '', pauseStartedAt: '' }
  const SINCE = iso(NOW - 60_000)

  test.each<[string, Partial<RequestRecord>, string, 'due' | 'paced']>([
    ['never read, of the window', { detail: null }, '', 'due'],
    ['changed, of the window', { detail }, '', 'due'],
    ['never read, in a pause after an outage', { detail: null }, SINCE, 'due'],
    ['changed, in a pause after an outage', { detail }, SINCE, 'paced'],
    [
      'never read, found by a search beyond the window',
      { detail: null, workingDate: '2027-02-01' },
      '',
      'paced',
    ],
  ])('%s', (_, change, pauseStartedAt, expected) => {
    const request = stored('a', { detailConfirmedAt: '', ...change })
    expect(detailUrgency(request, { ...clock, pauseStartedAt })).toBe(expected)
  })

  test('what was read beyond the window is not paced before its life is over', () => {
    const far = stored('a', { workingDate: '2027-02-01', detailConfirmedAt: iso(NOW), detail })
    expect(detailUrgency(far, clock)).toBeNull()
  })

  test('today’s is due, but waits in a pause after an outage', () => {
    const old = stored('a', { detailConfirmedAt: iso(NOW - 3 * 3_600_000), detail })
    expect(detailUrgency(old, clock)).toBe('due')
    expect(detailUrgency(old, { ...clock, pauseStartedAt: SINCE })).toBe('paced')
  })

  test('at the very moment its life ends it is due', () => {
    const request = stored('a', { detailConfirmedAt: iso(NOW), detail })
    const end = dueAt(request.key, NOW, lifeOf('details', [request], days))
    expect(detailUrgency(request, { ...clock, now: end - 1 })).toBeNull()
    expect(detailUrgency(request, { ...clock, now: end })).toBe('due')
  })

  test('what was read when the user asked is not read again', () => {
    const request = stored('a', { detailConfirmedAt: SINCE, detail })
    expect(detailUrgency(request, { ...clock, refreshedAt: SINCE })).toBeNull()
    expect(detailUrgency(request, { ...clock, refreshedAt: iso(NOW) })).toBe('due')
  })

  test('of what is fresh nothing is said', () => {
    expect(detailsDue([stored('a', { detailConfirmedAt: iso(NOW), detail })], clock)).toEqual({
      due: [],
      paced: [],
    })
  })

  const on = (id: string, workingDate: string, outTime: string | null = null) =>
    stored(id, {
      workingDate,
      sortKey: '',
      quickReport: { id, inTime: null, outTime, type: null, editStatus: null },
      detailConfirmedAt: '',
      detail: null,
    })

  test('the days to come go before what is past, whatever the keys', () => {
    const left = on('p', '2026-11-19', iso(NOW))
    const { due } = detailsDue([left, on('t', '2026-11-21'), on('n', TODAY)], clock)
    expect(due.map(({ id }) => id)).toEqual(['n', 't', 'p'])
  })

  test('[PL5a] at night what yesterday has not finished is read before the days to come', () => {
    const night = Date.parse('2026-11-21T02:00:00+09:00')
    const noon = Date.parse('2026-11-21T12:00:00+09:00')
    const at = (now: number) => ({ ...clock, now, days: daysAt(now) })
    const all = [
      on('left', TODAY, iso(NOW)),
      on('next', '2026-11-22'),
      on('inside', TODAY),
      on('now', '2026-11-21'),
    ]
    const read = (now: number) => detailsDue(all, at(now)).due.map(({ id }) => id)
    expect(read(night)).toEqual(['now', 'inside', 'next', 'left'])
    expect(read(noon)).toEqual(['now', 'next', 'left', 'inside'])
  })
})
