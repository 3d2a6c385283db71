/** Which lists are read, and in which order (RULES PL5, decision 0025). */
import { describe, expect, test } from 'vitest'
import type { Interest } from '#schemas/interest.ts'
import { urgencyOf, type ListMark } from '#sync/record-lists.ts'
import { requestRecord } from '../support/device-records.ts'
import { NOW, TODAY } from '../support/replication.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const iso = (ms: number) => new Date(ms).toISOString()
const stampAt = (ms: number) => `${ms}-0000-x`

const markAt = (ago: number): ListMark => ({ because: 'same', at: iso(NOW - ago), stamp: stampAt(NOW - ago) })
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
  because?: string
  day?: string
  near?: boolean
  refreshed?: number
  detail?: Interest
  sent?: string
  read?: boolean
}

function urgency({
  because = 'same',
  day = TODAY,
  near = true,
  refreshed,
  detail,
  sent = '',
  ...rest
}: Case) {
  const mark = 'mark' in rest ? rest.mark : markAt(10 * MINUTE)
  const list = { owner: 'o', requests: [requestRecord('r1', { workingDate: day })] }
  const round = {
    now: NOW,
    refreshedAt: refreshed === undefined ? '' : iso(NOW - refreshed),
    read: new Set(rest.read ? ['o'] : []),
    near,
    details: detail ? [detail] : [],
    answered: new Map<string, string>(),
  }
  return urgencyOf(list, mark, because, round, sent)
}

describe('[PL5] a list of records', () => {
  test.each<[string, Case, ReturnType<typeof urgency>]>([
    ['never read', { mark: undefined }, 'due'],
    ['today’s, read ten minutes ago', {}, null],
    ['today’s, read 59 minutes ago', { mark: markAt(59 * MINUTE) }, null],
    ['today’s, read an hour ago', { mark: markAt(HOUR) }, 'due'],
    ['tomorrow’s, read an hour ago', { mark: markAt(HOUR), day: '2026-11-21' }, 'due'],
    ['of a later day, read an hour ago', { mark: markAt(HOUR), day: '2026-11-22' }, null],
    ['of a later day, read 12 hours ago', { mark: markAt(12 * HOUR), day: '2026-11-22' }, 'due'],
    ['one that changes seldom, read an hour ago', { mark: markAt(HOUR), near: false }, null],
    ['one that changes seldom, read 12 hours ago', { mark: markAt(12 * HOUR), near: false }, 'due'],
    ['of which the request says something else', { because: 'other' }, 'due'],
    ['today’s, read before the user asked for everything', { refreshed: MINUTE }, 'due'],
    ['today’s, read after the user asked for everything', { refreshed: 20 * MINUTE }, null],
    ['of a later day, the user asks for everything', { refreshed: MINUTE, day: '2026-11-22' }, null],
    ['whose request was opened since', { detail: detailAt(MINUTE) }, 'screen'],
    ['whose request was opened before', { detail: detailAt(HOUR) }, null],
    ['never read, whose request is on the screen', { mark: undefined, detail: detailAt(0) }, 'screen'],
    ['with something sent since', { sent: stampAt(NOW) }, 'sent'],
    ['read after what was sent', { sent: stampAt(NOW - HOUR) }, null],
    ['old, but read in this round', { mark: markAt(HOUR), read: true }, null],
  ])('%s', (_, given, expected) => expect(urgency(given)).toBe(expected))
})
