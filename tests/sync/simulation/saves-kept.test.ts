/** The witness of lost saves: what it takes for replaced, and what not. */
import { expect, test } from 'vitest'
import { SavesKept } from '../../simulate/pull/saves-kept.ts'
import type { Watched } from '../../simulate/pull/watched.ts'

type Saved = Parameters<SavesKept['saved']>[1]

const user = { id: 'u6' } as Watched['user']
const phone: Watched = {
  ...{ name: 'a', user, now: () => 0, holdsBytes: () => true },
  disk: () => new Map(),
}

const BEFORE = { stamp: '1', fields: { type: '1', reportContent: 'old', inTime: '08:00' } }
const edit = (id: string, stamp: string, fields: object): Saved => ({
  ...{ id, stamp, kind: 'edit', resource: 'quickReports', recordKey: 'r1', madeOn: BEFORE },
  fields: { type: '1', reportContent: 'old', inTime: null, ...fields },
})

const lostAfter = (...taken: Saved[]) => {
  const kept = new SavesKept()
  kept.saved(phone, edit('first', '2', { reportContent: 'first' }))
  for (const each of taken) kept.taken(each)
  return kept.lost(phone)
}

test.each([
  ['no later edit', [], ['first']],
  ['a later edit that says something else', [edit('b', '3', { reportContent: 'second' })], []],
  ['a later edit that says the same', [edit('b', '3', { reportContent: 'first' })], []],
  ['a later edit of a record that had lost it', [edit('b', '3', { type: '2' })], ['first']],
  ['an earlier edit', [edit('b', '1', { reportContent: 'second' })], ['first']],
])('[SV3] an edit that is gone, after %s', (_, taken, lost) => {
  expect(lostAfter(...taken)).toEqual(lost)
})
