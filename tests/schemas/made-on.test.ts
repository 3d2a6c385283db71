/** The base of an edit: the state with which it is compared when somebody else has changed the record, too. */
import { describe, expect, test } from 'vitest'
import type { AnyChange, PushableRecord } from '#schemas/change.ts'
import { baseOfNewEdit, pickSameKeys } from '#schemas/changes/change-queue.ts'

const change = (id: string, kind: string, stamp: string, more: Partial<AnyChange> = {}): AnyChange => ({
  id,
  kind,
  stamp,
  savedAt: '2026-11-20T01:00:00.000Z',
  userId: 'u-1',
  offline: false,
  fields: { note: id },
  ...more,
})
const record = (changes: AnyChange[], server?: PushableRecord['server']): PushableRecord => ({
  key: 'k',
  requestId: 'r',
  workingDate: '2026-11-20',
  serverId: 's',
  changes,
  unsent: 'yes',
  ...(server && { server }),
})
const confirmed = (stamp: string) => ({ stamp, note: 'of the CRM', other: 'x' }) as PushableRecord['server']
const edit = change('new', 'edit', '9')

const open = () => false
const accepted = () => true

describe('[MG2] an edit is made on', () => {
  test('nothing, where it makes the record', () =>
    expect(baseOfNewEdit(record([], confirmed('1')), change('c', 'create', '9'), open)).toEqual({}))

  test('what the CRM last confirmed, of the fields that it is about', () =>
    expect(baseOfNewEdit(record([], confirmed('1')), edit, open)).toEqual({
      madeOn: { stamp: '1', fields: { note: 'of the CRM' } },
    }))

  test('nothing, where the CRM has confirmed nothing', () =>
    expect(baseOfNewEdit(record([]), edit, open)).toEqual({}))

  test.each(['entry', 'create'])('an %s that is still to be sent', (kind) => {
    const seen = record([change('c', kind, '2')], confirmed('1'))
    expect(baseOfNewEdit(seen, edit, open)).toEqual({ madeOn: { stamp: '2', fields: { note: 'c' } } })
  })

  test('what the unsent edit was made on that it replaces', () => {
    const before = { stamp: '1', fields: { note: 'first' } }
    const seen = record([change('old', 'edit', '2', { madeOn: before })], confirmed('1'))
    expect(baseOfNewEdit(seen, edit, open)).toEqual({ madeOn: before })
    expect(baseOfNewEdit(record([change('old', 'edit', '2')]), edit, open)).toEqual({})
  })

  test('the edit that was accepted while the person wrote', () => {
    const before = { stamp: '1', fields: { note: 'first' } }
    const seen = record([change('old', 'edit', '2', { madeOn: before })], confirmed('1'))
    expect(baseOfNewEdit(seen, edit, accepted)).toEqual({ madeOn: { stamp: '2', fields: { note: 'old' } } })
  })
})

test('the part of a state that some fields are about has null where it says nothing', () =>
  expect(pickSameKeys({ note: 'a', other: 'b' }, { note: 1, missing: 2 })).toEqual({
    note: 'a',
    missing: null,
  }))
