/** Which writes put out what was kept of the list for the next start (decision 0105). */
import { expect, test } from 'vitest'
import { affectsList, listCollections } from '#data/list-dependencies.ts'
import { rxSchemas } from '#schemas/collections.ts'
import { PREFETCH_KEYS } from '#schemas/prefetch-keys.ts'
import { rowKeyOf } from '#schemas/shared.ts'

test('[decision 0105] only what stays on the device puts nothing out, whatever is written', () => {
  const others = Object.keys(rxSchemas).filter((name) => !listCollections.some((drawn) => drawn === name))
  expect(others).toEqual(['own'])
  expect(affectsList('own', [{ document: { unsent: 'yes' } }])).toBe(false)
})

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
    'ledger',
    { document: { state: 'sending' } },
    false,
  ],
  [
    'a call that brought no answer',
    'ledger',
    { document: { state: 'unknown' }, previous: { state: 'sending' } },
    false,
  ],
  [
    'a call that begins again',
    'ledger',
    { document: { state: 'sending' }, previous: { state: 'waiting' } },
    false,
  ],
  ...(['accepted', 'refused', 'expired', 'discarded'] as const).map(
    (state) =>
      [
        `a change that is ${state}`,
        'ledger',
        { document: { state }, previous: { state: 'sending' } },
        true,
      ] as const,
  ),
  [
    'a change that is to be sent again',
    'ledger',
    { document: { state: 'unknown' }, previous: { state: 'refused' } },
    true,
  ],
  ['a row of the ledger that goes', 'ledger', { document: { state: 'waiting', _deleted: true } }, true],
  ['a note that the CRM gave', 'noteLocationAreas', { document: { unsent: 'no' } }, false],
  ['a note that was saved', 'noteLocationAreas', { document: { unsent: 'yes' } }, true],
  [
    'a note that was sent',
    'noteLocationAreas',
    { document: { unsent: 'no' }, previous: { unsent: 'yes' } },
    true,
  ],
  ['a photo that waits', 'photos', { document: { unsent: 'yes' } }, true],
  ['a list that is there now', 'lookups', { document: there }, true],
  ['a list that is there again', 'lookups', { document: there, previous: gone }, true],
  ['a list that has gone', 'lookups', { document: gone, previous: there }, true],
  ['a list that is confirmed', 'lookups', { document: there, previous: there }, false],
  ['what a screen asks for', 'lookups', { document: mark('search') }, false],
] as const)('[decision 0105] %s: %s', (_, collection, written, isShown) => {
  expect(affectsList(collection, [written])).toBe(isShown)
})
