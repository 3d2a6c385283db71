/** What may be said of a list, by what is known of it (sync RULES PL4). */
import { expect, test } from 'vitest'
import { listState, type ListState } from '#data/fetch-requests/list-state.ts'

test.each<[Parameters<typeof listState>[0], ListState]>([
  [{ count: undefined, isRead: true, asked: 'answered', online: true }, { state: 'reading' }],
  [{ count: 0, isRead: undefined, asked: 'answered', online: false }, { state: 'reading' }],
  [{ count: 0, isRead: false, asked: undefined, online: false }, { state: 'reading' }],
  [{ count: 0, isRead: false, asked: null, online: true }, { state: 'reading' }],
  [{ count: 0, isRead: false, asked: 'asked', online: true }, { state: 'reading' }],
  [{ count: 0, isRead: false, asked: 'answered', online: true }, { state: 'reading' }],
  [{ count: 0, isRead: false, asked: 'failed', online: true }, { state: 'failed' }],
  [{ count: 0, isRead: false, asked: 'missing', online: true }, { state: 'failed' }],
  [{ count: 0, isRead: false, asked: 'failed', online: false }, { state: 'absent' }],
  [{ count: 0, isRead: false, asked: null, online: false }, { state: 'absent' }],
  [{ count: 0, isRead: true, asked: 'failed', online: false }, { state: 'none' }],
  [
    { count: 2, isRead: false, asked: 'failed', online: true },
    { state: 'rows', rest: 'failed' },
  ],
  [
    { count: 2, isRead: true, asked: 'failed', online: true },
    { state: 'rows', rest: null },
  ],
])('[PL4] %j: %j', (known, standing) => expect(listState(known)).toEqual(standing))
