/** An edit over what the CRM holds now, by cases (RULES MG2, MG3). */
import { describe, expect, test } from 'vitest'
import type { AnyChange, PushableRecord } from '#schemas/change.ts'
import { hasMovedOn, historyAfter, madeOnSent, mergedEdit, movedOn } from '#sync/merge/merge-edit.ts'

const rules = { edited: ({ fields }: AnyChange) => fields, together: [] }
const change = (more: object = {}) =>
  ({
    id: 'c',
    kind: 'edit',
    stamp: '5',
    userId: 'u',
    savedAt: '',
    fields: { a: 'mine', b: 'b0' },
    ...more,
  }) as unknown as AnyChange
const record = (server: object | undefined, ...changes: AnyChange[]) =>
  ({
    key: 'k',
    serverId: 'x',
    unsent: 'yes',
    changes,
    ...(server && { server }),
  }) as unknown as PushableRecord
const base = { stamp: '1', fields: { a: 'a0', b: 'b0' } }

describe('[MG2] an edit merged with the record’s server', () => {
  test('what it was made on tells what it touched', () => {
    const merged = mergedEdit(rules, record({ a: 'a0', b: 'theirs', stamp: '3' }), change({ madeOn: base }))
    expect(merged.fields).toEqual({ a: 'mine', b: 'theirs' })
    expect(merged.changed).toEqual(['a'])
  })
  test('of one that does not say what it was made on all it differs in was changed here', () => {
    const merged = mergedEdit(rules, record({ a: 'a0', b: 'theirs', stamp: '3' }), change())
    expect(merged.fields).toEqual({ a: 'mine', b: 'b0' })
    expect(merged.replaced).toEqual([])
  })
  test('what it does not speak of is not in it', () => {
    const server = { a: 'a0', b: 'b0', other: 'o', stamp: '3' }
    expect(Object.keys(mergedEdit(rules, record(server), change({ madeOn: base })).fields)).toEqual([
      'a',
      'b',
    ])
  })
  test('without a state of the CRM everything is new', () => {
    expect(mergedEdit(rules, record(undefined), change()).changed).toEqual(['a', 'b'])
  })
  test('fields that make sense together are sent together', () => {
    const merged = mergedEdit(
      { ...rules, together: ['a', 'b'] },
      record({ a: 'a0', b: 'theirs', stamp: '3' }),
      change({ madeOn: base }),
    )
    expect(merged.fields).toEqual({ a: 'mine', b: 'b0' })
  })
  test('[ST1] what the CRM has only written down in another way is nobody’s value that it replaces', () => {
    const made = { stamp: '1', fields: { a: 'a\n0 ', b: ['3', '1'] } }
    const edit = change({ madeOn: made, fields: { a: 'mine', b: ['2'] } })
    const kept = record({ a: 'a\r\n0', b: ['1', '3'], stamp: '3' })
    expect(mergedEdit(rules, kept, edit).replaced).toEqual([])
    expect(mergedEdit(rules, record({ a: 'mine', b: ['2'], stamp: '3' }), edit).changed).toEqual([])
    const sent = change({ madeOn: made, fields: { a: 'mine\n', b: ['4', '2'] } })
    expect(mergedEdit(rules, record({ a: 'mine', b: ['2', '4'], stamp: '3' }), sent).changed).toEqual([])
  })
  test('[MG5] what it replaces goes into the history, before what is there', () => {
    const edit = change({ madeOn: base })
    const old = { field: 'z', value: 'old', stamp: '0' }
    const server = { a: 'theirs', b: 'b0', stamp: '3' }
    expect(historyAfter(rules, { ...record(server), history: [old] }, edit)).toEqual([
      { field: 'a', value: 'theirs', stamp: '1~' },
      old,
    ])
    expect(historyAfter(rules, record(server), edit)).toEqual([{ field: 'a', value: 'theirs', stamp: '1~' }])
  })
})

describe('[MG3] whether the CRM has moved on', () => {
  const mine = record({ a: 'a0', b: 'b0', stamp: '1' })
  test.each<[string, object, boolean]>([
    ['the same', { a: 'a0', b: 'b0' }, false],
    ['of what the edit is about', { a: 'theirs', b: 'b0' }, true],
    ['of what it is not about', { a: 'a0', b: 'b0', c: 'theirs' }, false],
    ['the same, trimmed and with other ends of lines', { a: ' a0\r\n', b: 'b0' }, false],
  ])('%s', (_, now, is) => expect(hasMovedOn(mine, now, { a: 'x', b: 'y' })).toBe(is))
  test('one field of several is enough', () => {
    expect(hasMovedOn(mine, { a: 'a0', b: 'theirs' }, { a: 'x', b: 'y' })).toBe(true)
  })
  test('against a record without a state', () => {
    expect(hasMovedOn(record(undefined), { a: 'a0' }, { a: 'x' })).toBe(true)
    expect(hasMovedOn(record(undefined), { a: null }, { a: 'x' })).toBe(false)
  })
})

describe('[MG3] a record over the CRM’s state as it was just read', () => {
  const now = { a: 'new', b: 'b0', stamp: '3' } as never
  const before = { a: 'a0', b: 'b0', own: 'o', stamp: '1' }
  test('has it, and keeps what the read does not speak of', () => {
    expect(movedOn(record(before), now).server).toEqual({ a: 'new', b: 'b0', own: 'o', stamp: '3' })
  })
  test('does not go back to an older one', () => {
    const mine = record({ ...before, stamp: '4' })
    expect(movedOn(mine, now)).toBe(mine)
    expect(movedOn(record({ ...before, stamp: '3' }), now).server).toMatchObject({ a: 'new' })
  })
  test('an edit that was made on the one before says so from then on', () => {
    const [edit] = movedOn(record(before, change()), now).changes
    expect(edit?.madeOn).toEqual({ stamp: '1', fields: { a: 'a0', b: 'b0' } })
  })
  test('one that says so already, one that creates, and one without a state before stay', () => {
    const known = change({ madeOn: base })
    expect(movedOn(record(before, known), now).changes[0]).toBe(known)
    const creating = change({ kind: 'create' })
    expect(movedOn(record(before, creating), now).changes[0]).toBe(creating)
    const first = change()
    expect(movedOn(record(undefined, first), now)).toMatchObject({ server: now, changes: [first] })
    expect(movedOn(record(undefined, first), now).changes[0]).toBe(first)
  })
})

test('[MG2] what was saved on top of an edit that has been sent was made on that one', () => {
  const sent = change({ stamp: '5' })
  expect(madeOnSent(change({ stamp: '6' }), sent).madeOn).toEqual({ stamp: '5', fields: sent.fields })
  const earlier = change({ stamp: '4' })
  expect(madeOnSent(earlier, sent)).toBe(earlier)
  expect(madeOnSent(sent, sent)).toBe(sent)
})
