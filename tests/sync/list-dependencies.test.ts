/** Which writes put out what was kept of the list for the next start (decision 0105). */
import { expect, test } from 'vitest'
import { affectsList, listCollections } from '#data/list-dependencies.ts'
import { rxSchemas } from '#schemas/collections.ts'
import { PREFETCH_KEYS } from '#schemas/prefetch-keys.ts'
import { rowKeyOf } from '#schemas/shared.ts'

test('[decision 0105] each collection that the list is drawn from is one that the storage names, and all of them are', () => {
  expect([...listCollections].toSorted()).toEqual(Object.keys(rxSchemas).toSorted())
})

const draft = { rowKey: rowKeyOf('drafts', 'note/add/r1'), unsent: 'yes' }
const row = (over: object) => ({ rowKey: rowKeyOf('ledger', 'c1'), ...over })

const mark = (key: string, over = {}) => ({ rowKey: rowKeyOf('interests', key), ...over })
const there = mark(PREFETCH_KEYS.from)
const gone = mark(PREFETCH_KEYS.from, { _deleted: true })

/** As it is after so many writes. */
const unsent = (writes: number, change = 'c1') => ({
  unsent: 'yes',
  changes: [{ id: change }],
  _rev: `${writes}-device`,
  _meta: { lwt: writes },
})

test.each([
  ['a request that is confirmed', 'requests', { document: {}, previous: {} }, true],
  ['a report', 'quickReports', { document: {} }, true],
  [
    'an unsent report that is written as it is',
    'quickReports',
    { document: unsent(2), previous: unsent(1) },
    false,
  ],
  [
    'an unsent report that is saved again',
    'quickReports',
    { document: unsent(2, 'c2'), previous: unsent(1) },
    true,
  ],
  [
    'an unsent note that is written as it is',
    'noteLocationAreas',
    { document: unsent(2), previous: unsent(1) },
    false,
  ],
  [
    'an unsent note that is discarded',
    'noteLocationAreas',
    { document: { ...unsent(2), _deleted: true }, previous: unsent(1) },
    true,
  ],
  [
    'a call that begins, of a change the ledger did not know',
    'own',
    { document: row({ state: 'sending' }) },
    false,
  ],
  [
    'a call that brought no answer',
    'own',
    { document: row({ state: 'unknown' }), previous: row({ state: 'sending' }) },
    false,
  ],
  [
    'a call that begins again',
    'own',
    { document: row({ state: 'sending' }), previous: row({ state: 'waiting' }) },
    false,
  ],
  ...(['accepted', 'refused', 'expired', 'discarded'] as const).map(
    (state) =>
      [
        `a change that is ${state}`,
        'own',
        { document: row({ state }), previous: row({ state: 'sending' }) },
        true,
      ] as const,
  ),
  [
    'a change that is to be sent again',
    'own',
    { document: row({ state: 'unknown' }), previous: row({ state: 'refused' }) },
    true,
  ],
  ['a row of the ledger that goes', 'own', { document: row({ state: 'waiting', _deleted: true }) }, true],
  ['a note that the CRM gave', 'noteLocationAreas', { document: { unsent: 'no' } }, false],
  ['a note that was saved', 'noteLocationAreas', { document: { unsent: 'yes' } }, true],
  [
    'a note that was sent',
    'noteLocationAreas',
    { document: { unsent: 'no' }, previous: { unsent: 'yes' } },
    true,
  ],
  ['a photo that waits', 'photos', { document: { unsent: 'yes' } }, true],
  ['what is typed', 'own', { document: draft }, false],
  ['a list that is there now', 'lookups', { document: there }, true],
  ['a list that is there again', 'lookups', { document: there, previous: gone }, true],
  ['a list that has gone', 'lookups', { document: gone, previous: there }, true],
  ['a list that is confirmed', 'lookups', { document: there, previous: there }, false],
  ['what a screen asks for', 'lookups', { document: mark('search') }, false],
] as const)('[decision 0105] %s: %s', (_, collection, written, isShown) => {
  expect(affectsList(collection, [written])).toBe(isShown)
})
