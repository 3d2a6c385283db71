/** Cases of an edit that is merged with the CRM's current state (RULES MG2, MG3). */
import { describe, expect, test } from 'vitest'
import type { AnyChange, PushableRecord } from '#schemas/change.ts'
import { mergedEdit, withServerState } from '#sync/merge/merge.ts'

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
  test.each([[['B']], [['B', 'a0']], [['B', 'C', 'a0', 'a0']]])(
    '[OC3] what was taken back after %j, of which the CRM has one without an answer, is taken back there',
    (earlier) => {
      const edits = earlier.map((a, at) => change({ id: `e${at}`, stamp: `2${at}`, fields: { a, b: 'b0' } }))
      const back = change({ madeOn: base, fields: { a: 'a0', b: 'mine' } })
      const merged = mergedEdit(rules, record({ a: 'B', b: 'b0', stamp: '3' }, ...edits, back), back)
      expect(merged.fields).toEqual({ a: 'a0', b: 'mine' })
      expect(merged.changed).toEqual(['a', 'b'])
    },
  )
  test('[MG2] what this device sent of two edits that are taken back is nobody else’s value', () => {
    const edits = ['B', 'C'].map((a, at) => change({ id: `e${at}`, stamp: `2${at}`, fields: { a, b: 'b0' } }))
    const back = change({ madeOn: base, fields: { a: 'a0', b: 'b0' } })
    const merged = mergedEdit(rules, record({ a: 'C', b: 'b0', stamp: '3' }, ...edits, back), back)
    expect([merged.fields, merged.changed, merged.replaced]).toEqual([{ a: 'a0', b: 'b0' }, ['a'], []])
  })
  test.each<[string, Partial<AnyChange>]>([
    ['an entry, which says nothing of it', { kind: 'entry', stamp: '2' }],
    ['an edit from before what it was made on', { stamp: '0' }],
    ['an edit that was saved later', { stamp: '6' }],
  ])('a field that it leaves alone stays theirs beside %s', (_, more) => {
    const other = change({ id: 'o', fields: { a: null, b: 'b0' }, ...more })
    const edit = change({ madeOn: base, fields: { a: 'a0', b: 'mine' } })
    const merged = mergedEdit(rules, record({ a: 'theirs', b: 'b0', stamp: '3' }, other, edit), edit)
    expect(merged.fields).toEqual({ a: 'theirs', b: 'mine' })
  })
  test('[MG5] what it replaces', () => {
    const server = { a: 'theirs', b: 'b0', stamp: '3' }
    expect(mergedEdit(rules, record(server), change({ madeOn: base })).replaced).toEqual([
      { field: 'a', value: 'theirs', stamp: '1~' },
    ])
  })
})

describe('[MG3] a record over the CRM’s state as it was just read', () => {
  const now = { a: 'new', b: 'b0', stamp: '3' } as never
  const before = { a: 'a0', b: 'b0', own: 'o', stamp: '1' }
  test('has it, and keeps what the read does not speak of', () => {
    expect(withServerState(record(before), now).server).toEqual({ a: 'new', b: 'b0', own: 'o', stamp: '3' })
  })
  test('does not go back to an older one', () => {
    const mine = record({ ...before, stamp: '4' })
    expect(withServerState(mine, now)).toBe(mine)
    expect(withServerState(record({ ...before, stamp: '3' }), now).server).toMatchObject({ a: 'new' })
  })
})
