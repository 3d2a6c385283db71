/** What may be said of a list, by what is known of it (sync RULES PL4). */
import { expect, test } from 'vitest'
import { listState, type ListState } from '#data/fetch-requests/interests.ts'

test.each<[Parameters<typeof listState>[0], ListState]>([
  [{ count: undefined, isRead: true, fetchState: 'answered', online: true }, { state: 'reading' }],
  [{ count: 0, isRead: undefined, fetchState: 'answered', online: false }, { state: 'reading' }],
  [{ count: 0, isRead: false, fetchState: undefined, online: false }, { state: 'reading' }],
  [{ count: 0, isRead: false, fetchState: null, online: true }, { state: 'reading' }],
  [{ count: 0, isRead: false, fetchState: 'asked', online: true }, { state: 'reading' }],
  [{ count: 0, isRead: false, fetchState: 'answered', online: true }, { state: 'reading' }],
  [{ count: 0, isRead: false, fetchState: 'failed', online: true }, { state: 'failed' }],
  [{ count: 0, isRead: false, fetchState: 'missing', online: true }, { state: 'failed' }],
  [{ count: 0, isRead: false, fetchState: 'failed', online: false }, { state: 'absent' }],
  [{ count: 0, isRead: false, fetchState: null, online: false }, { state: 'absent' }],
  [{ count: 0, isRead: true, fetchState: 'failed', online: false }, { state: 'none' }],
  [
    { count: 2, isRead: false, fetchState: 'failed', online: true },
    { state: 'rows', rest: 'failed' },
  ],
  [
    { count: 2, isRead: true, fetchState: 'failed', online: true },
    { state: 'rows', rest: null },
  ],
])('[PL4] %j: %j', (known, standing) => expect(listState(known)).toEqual(standing))
