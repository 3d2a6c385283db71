/** Which lists are read, and in which order (RULES PL5, PL10, decisions/pull). */
import { describe, expect, test } from 'vitest'
import type { Interest } from '#schemas/device/interest.ts'
import { daysAt } from '#sync/pull/engine/freshness.ts'
import type { ListMark } from '#sync/pull/records/local-records.ts'
import { urgencyOf } from '#sync/pull/records/record-lists.ts'
import { requestRecord } from '../../support/device-records.ts'
import { NOW, TODAY } from '../../support/replication.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const iso = (ms: number) => new Date(ms).toISOString()
const stampAt = (ms: number) => `${ms}-0000-x`

const markAt = (ago: number): ListMark => ({ basis: 'same', at: iso(NOW - ago), stamp: stampAt(NOW - ago) })
const detailAt = (ago: number): Interest => ({
  key: 'd',
  kind: 'detail',
  requestId: 'r1',
  workingDate: TODAY,
  askedAt: iso(NOW - ago),
  state: 'answered',
  answeredAt: '',
  total: 1,
})

interface Case {
  mark?: ListMark | undefined
  basis?: string
  day?: string
  lifetime?: 'lists' | 'seldom'
  refreshed?: number
  detail?: Interest
  sent?: string
  read?: boolean
  paused?: number
  /** How long ago its visit was confirmed. */
  confirmed?: number
}

function urgency({
  basis = 'same',
  day = TODAY,
  lifetime = 'lists',
  refreshed,
  detail,
  sent = '',
  paused,
  confirmed = 0,
  ...rest
}: Case) {
  const mark = 'mark' in rest ? rest.mark : markAt(10 * MINUTE)
  const list = {
    owner: 'o',
    requests: [requestRecord('r1', { workingDate: day, confirmedAt: iso(NOW - confirmed) })],
  }
  const round = {
    now: NOW,
    days: daysAt(NOW),
    refreshedAt: refreshed === undefined ? '' : iso(NOW - refreshed),
    pauseStartedAt: paused === undefined ? '' : iso(NOW - paused),
    read: new Set(rest.read ? ['o'] : []),
    lifetime,
    details: detail ? [detail] : [],
  }
  return urgencyOf(list, mark, basis, round, sent)
}

describe('[PL5] a list of records', () => {
  test.each<[string, Case, ReturnType<typeof urgency>]>([
    ['never read', { mark: undefined }, 'due'],
    ['today’s, read ten minutes ago', {}, null],
    ['today’s, read 179 minutes ago', { mark: markAt(3 * HOUR - MINUTE) }, null],
    ['today’s, read 6 hours ago', { mark: markAt(6 * HOUR) }, 'due'],
    ['tomorrow’s, read 8 hours ago', { mark: markAt(8 * HOUR), day: '2026-11-21' }, null],
    ['tomorrow’s, read 18 hours ago', { mark: markAt(18 * HOUR), day: '2026-11-21' }, 'paced'],
    ['of in two days, read 23 hours ago', { mark: markAt(23 * HOUR), day: '2026-11-22' }, null],
    ['of in two days, read 48 hours ago', { mark: markAt(48 * HOUR), day: '2026-11-22' }, 'paced'],
    ['of a later day, read 3 days ago', { mark: markAt(72 * HOUR), day: '2026-11-26' }, null],
    ['of a later day, read a week ago', { mark: markAt(168 * HOUR), day: '2026-11-26' }, 'paced'],
    ['today’s that changes seldom, read 11 hours ago', { mark: markAt(11 * HOUR), lifetime: 'seldom' }, null],
    ['today’s that changes seldom, read a day ago', { mark: markAt(24 * HOUR), lifetime: 'seldom' }, 'due'],
    [
      'of in two days that changes seldom, read 3 days ago',
      { mark: markAt(72 * HOUR), lifetime: 'seldom', day: '2026-11-22' },
      null,
    ],
    ['of which the request says something else', { basis: 'other' }, 'due'],
    ['today’s, read before the user asked for everything', { refreshed: MINUTE }, 'due'],
    ['today’s, read after the user asked for everything', { refreshed: 20 * MINUTE }, null],
    ['of a later day, the user asks for everything', { refreshed: MINUTE, day: '2026-11-22' }, null],
    ['whose request was opened since', { detail: detailAt(MINUTE) }, 'screen'],
    ['whose request was opened before', { detail: detailAt(HOUR) }, null],
    [
      'read 4 minutes before its request was opened again',
      { mark: markAt(5 * MINUTE), detail: detailAt(MINUTE) },
      null,
    ],
    [
      'that changes seldom, whose request was opened since',
      { detail: detailAt(MINUTE), lifetime: 'seldom' },
      null,
    ],
    [
      'never read that changes seldom, whose request is on the screen',
      { mark: undefined, detail: detailAt(0), lifetime: 'seldom' },
      'screen',
    ],
    ['never read, whose request is on the screen', { mark: undefined, detail: detailAt(0) }, 'screen'],
    ['today’s, old, in the pause after an outage', { mark: markAt(6 * HOUR), paused: MINUTE }, 'paced'],
    ['whose request was opened before that pause', { detail: detailAt(2 * MINUTE), paused: MINUTE }, 'paced'],
    ['whose request was opened in that pause', { detail: detailAt(MINUTE), paused: 2 * MINUTE }, 'screen'],
    ['never read, in that pause', { mark: undefined, paused: MINUTE }, 'due'],
    ['[EX3] read by a clock that was set back since', { mark: markAt(-HOUR) }, 'due'],
    ['[EX3] read by such a clock, of a later day', { mark: markAt(-400 * HOUR), day: '2026-11-26' }, 'paced'],
    [
      '[EX3] read by such a clock, before the user asked for everything',
      { mark: markAt(-HOUR), refreshed: MINUTE, day: '2026-11-21' },
      'due',
    ],
    [
      '[EX3] read by such a clock, and its request is opened',
      { mark: markAt(-HOUR), detail: detailAt(0) },
      'screen',
    ],
    ['[EX3] read after such a clock has stamped 更新', { refreshed: -400 * HOUR }, null],
    ['with something sent since', { sent: stampAt(NOW) }, 'sent'],
    ['read after what was sent', { sent: stampAt(NOW - HOUR) }, null],
    ['old, but read in this round', { mark: markAt(6 * HOUR), read: true }, null],
    ['[EX1] never read, of a visit that has left the list', { mark: undefined, confirmed: 25 * HOUR }, null],
    ['[EX1] old, of a visit that has left the list', { mark: markAt(72 * HOUR), confirmed: 72 * HOUR }, null],
    [
      '[EX1] never read, of a visit confirmed yesterday, that is still on the list',
      { mark: undefined, confirmed: 23 * HOUR },
      'due',
    ],
    [
      '[EX1] of a visit that has left the list, and is opened',
      { mark: undefined, confirmed: 72 * HOUR, detail: detailAt(0) },
      'screen',
    ],
  ])('%s', (_, given, expected) => expect(urgency(given)).toBe(expected))
})
