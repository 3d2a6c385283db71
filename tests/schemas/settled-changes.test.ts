/** What ends together with a change, and what an edit is compared with once an earlier one was accepted (OR2b, OR3a, MG2). */
import { describe, expect, test } from 'vitest'
import {
  baseOf,
  changesDiscardedWith,
  entriesOf,
  fieldsSet,
  settledWith,
  withoutSettled,
  type PendingRecord,
} from '#schemas/changes/change-queue.ts'
import type { Change } from '#schemas/change.ts'

/** A change whose id is its kind and its stamp: `edit2`. */
const made = (id: string, more: Partial<Change> = {}) =>
  ({
    ...{ id, kind: id.replace(/\d/g, ''), stamp: id.replace(/\D/g, ''), fields: { note: id } },
    ...{ state: 'waiting', userId: 'u', savedAt: '', offline: false },
    ...more,
  }) as unknown as Change
const idsOf = (changes: readonly { id: string }[]) => changes.map(({ id }) => id).join(' ')
const all = (ids: string) => ids.split(' ').map((id) => made(id))

describe('[OR2b] once the CRM has accepted', () => {
  test.each([
    ['edit2', 'edit1 edit2 edit3', 'edit1', 'edit3'],
    ['edit3', 'create1 edit2 edit3', 'edit2', 'create1'],
    ['exit2', 'entry1 exit2', '', 'entry1'],
    ['entry2', 'exit1 entry2', '', 'exit1'],
    ['exit2', 'entry1 exit2 entry3', '', 'entry1 entry3'],
    ['entry1', 'entry1 exit2 exit3', '', 'exit2 exit3'],
    ['create2', 'edit1 create2', 'edit1', ''],
    ['create2', 'create1 create2 edit3', 'create1', 'edit3'],
  ])('%s of %s, "%s" counts as accepted, "%s" remains', (done, changes, settled, remaining) => {
    expect(idsOf(settledWith(all(changes), made(done)))).toBe(settled)
    expect(idsOf(withoutSettled(all(changes), made(done)))).toBe(remaining)
  })
})

describe('[OR3a][SV2b] with a discarded change go', () => {
  const record = (changes: Change[], serverId = ''): PendingRecord => ({
    ...{ resource: 'quickReports', key: 'k', requestId: 'r', workingDate: '2026-11-20' },
    ...{ serverId, changes, unsent: 'yes' as const },
  })
  test.each([
    ['edit2', 'edit1 edit2', 'edit1'],
    ['exit2', 'entry1 exit2', ''],
    ['entry1', 'entry1 exit2', 'exit2'],
    ['create1', 'create1 edit2', 'edit2'],
    ['create2', 'create1 create2 edit3', 'create1 edit3'],
    // the create was saved anew, and the edit depends on that one
    ['create1', 'create1 create2 edit3', ''],
  ])('%s of %s: "%s"', (id, changes, others) => {
    expect(idsOf(changesDiscardedWith(record(all(changes)), made(id)))).toBe(others)
  })
  test.each([
    ['a colleague’s record stays', '0', ''],
    ['the discarded create goes', '1', 'edit2'],
  ])('an edit that was made on %s', (_, stamp, others) => {
    const edit = made('edit2', { madeOn: { stamp, fields: {} } })
    expect(idsOf(changesDiscardedWith(record([made('create1'), edit], 's'), made('create1')))).toBe(others)
  })
})

describe('[MG2] an edit is compared with', () => {
  const madeOn = { stamp: '1', fields: { note: 'seen' } }
  const edit = made('edit4', { madeOn })
  const sent = (id: string, more: Partial<Change> = {}) =>
    made(id, { state: 'accepted', result: { stamp: '5' }, ...more })

  test.each<[string, Change[]]>([
    ['nothing else was sent', [edit]],
    ['the earlier one was accepted before this was saved', [sent('edit2', { result: { stamp: '3' } })]],
    ['the earlier one is unsent', [sent('edit2', { state: 'unknown' })]],
    ['a read has shown that the record was deleted', [made('edit2', { state: 'accepted' })]],
    ['only the create was accepted', [sent('create2'), sent('entry3')]],
    ['the accepted one was saved later', [sent('edit5', { result: { stamp: '6' } })]],
    ['it is the one that the user saw', [sent('edit1')]],
    ['the user saw a later state', [sent('edit0')]],
  ])('what the user saw, where %s', (_, changes) => {
    expect(baseOf(edit, changes)).toBe(madeOn)
  })

  test.each([
    ['that was accepted since', [sent('edit2')], '2'],
    ['of two', [sent('edit2'), sent('edit3')], '3'],
    ['of two, in whatever order they are stored', [sent('edit3'), sent('edit2')], '3'],
  ])('the last edit %s', (_, changes, stamp) => {
    const base = { stamp, fields: { note: `edit${stamp}` } }
    expect(baseOf(edit, changes)).toEqual(base)
    expect(baseOf(made('edit4'), changes)).toEqual(base)
  })
})

test('[MG3] a PUT without an entry time keeps it, so null is not set', () => {
  expect(fieldsSet({ inTime: null, type: null })).toEqual({ type: null })
  expect(fieldsSet({ inTime: '10:00', type: '1' })).toEqual({ inTime: '10:00', type: '1' })
  expect(fieldsSet({ note: null })).toEqual({ note: null })
})

test('[ST1] the send states of records are those of their changes, by id', () => {
  const [first, second, third] = [made('entry1'), made('exit2'), made('edit3')]
  const records = [{ changes: [first, second] }, { changes: [third] }] as unknown as PendingRecord[]
  expect([...entriesOf(records)]).toEqual([
    ['entry1', first],
    ['exit2', second],
    ['edit3', third],
  ])
})
