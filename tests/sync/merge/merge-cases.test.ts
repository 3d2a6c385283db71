/** Tables of cases for each function of the merge; `merge.test.ts` has the laws. */
import { describe, expect, test } from 'vitest'
import { HISTORY_MAX, othersEntry, withReplaced } from '#schemas/change-history.ts'
import { historyOf, join, mergeWithServer, registersAt, sameValue, valuesOf } from '#sync/merge/merge.ts'
import type { FieldValue } from '#schemas/change-history.ts'

describe('[MG1] whether two values say the same', () => {
  test.each<[unknown, unknown, boolean]>([
    ['', null, true],
    [undefined, null, true],
    [undefined, '', true],
    [null, null, true],
    [null, 'null', false],
    ['a', 'a', true],
    ['a', 'b', false],
    ['', 'a', false],
    [0, null, false],
    [0, '', false],
    [false, null, false],
    [1, '1', false],
    [['a'], ['a'], true],
    [['a', 'b'], ['b', 'a'], false],
    [[], null, false],
    ['2026-11-20T10:00:00+09:00', '2026-11-20T01:00:00Z', true],
    ['2026-11-20T10:00:00+09:00', '2026-11-20T01:00:01Z', false],
    ['2026-11-20T10:00', '2026-11-20T10:00', true],
    // both begin like a time but are none, so they are compared as texts
    ['2026-11-20T99:99', '2026-11-20T99:99', true],
    ['2026-11-20T99:99', '2026-11-20T98:99', false],
    // a text that contains a time is compared as a text
    ['at 2026-11-20T10:00:00+09:00', 'at 2026-11-20T01:00:00Z', false],
    ['2026-11-20T10:00:00+09:00', 'a', false],
    ['a', '2026-11-20T10:00:00+09:00', false],
    [1e3, 1000, true],
    [['2026-11-20T10:00:00+09:00'], '2026-11-20T01:00:00Z', false],
    ['x 2026-11-20T10:00', 'x 2026-11-20T10:00:00', false],
    ['2026-11-20T10:00:00+09:00', 1_795_136_400_000, false],
    [1_795_136_400_000, '2026-11-20T10:00:00+09:00', false],
    // a value without hours and minutes is a day, and days are compared as texts
    ['2026-11-20', '2026-11-20T00:00:00Z', false],
  ])('%j and %j: %s', (one, other, is) => {
    expect(sameValue(one, other)).toBe(is)
    expect(sameValue(other, one)).toBe(is)
  })
})

const at = (stamp: string, value: FieldValue) => ({ value, stamp })

describe('[MG1] registers', () => {
  test('are written at one stamp', () => {
    expect(registersAt({ a: 'x', b: null }, '1')).toEqual({ a: [at('1', 'x')], b: [at('1', null)] })
  })

  test('the newest is the value; a field without any is null', () => {
    expect(valuesOf({ a: [at('2', 'new'), at('1', 'old')], b: [] })).toEqual({ a: 'new', b: null })
  })

  test('a join sorts by stamp, whichever side it comes from', () => {
    const old = { a: [at('1', 'old')] }
    const fresh = { a: [at('2', 'new')] }
    const joined = { a: [at('2', 'new'), at('1', 'old')] }
    expect([join(old, fresh), join(fresh, old)]).toEqual([joined, joined])
  })

  test('a field that one side alone has is kept', () => {
    expect(join({ a: [at('1', 'x')] }, { b: [at('1', 'y')] })).toEqual({
      a: [at('1', 'x')],
      b: [at('1', 'y')],
    })
  })

  test('of one stamp every device chooses the same value, and keeps the other', () => {
    const [x, y] = [{ a: [at('1', 'x')] }, { a: [at('1', 'y')] }]
    const joined = { a: [at('1', 'y'), at('1', 'x')] }
    expect([join(x, y), join(y, x)]).toEqual([joined, joined])
  })

  test('the same write counts once', () => {
    const one = { a: [at('1', 'x')] }
    expect(join(one, one)).toEqual(one)
    expect(join({ a: [at('2', 'x')] }, one).a).toHaveLength(2)
  })

  test('keeps the newest ones beside the value', () => {
    const states = Array.from({ length: 9 }, (_, i) => ({ a: [at(String(i), `v${i}`)] }))
    const newest = states.map((_, i) => String(i)).toReversed()
    const { a = [] } = states.reduce<Record<string, { value: FieldValue; stamp: string }[]>>(
      (all, state) => join(all, state) as never,
      {},
    )
    expect(a.map(({ stamp }) => stamp)).toEqual(newest.slice(0, HISTORY_MAX + 1))
  })

  test('[MG2] the history has what was replaced by something else, the newest first', () => {
    const registers = {
      a: [at('5', 'now'), at('4', 'now'), at('1', 'old')],
      b: [at('6', 'b2'), at('3', 'b1')],
      c: [at('9', 'alone')],
    }
    expect(historyOf(registers)).toEqual([
      { field: 'b', value: 'b1', stamp: '3' },
      { field: 'a', value: 'old', stamp: '1' },
    ])
  })

  test('[MG2] a field without a value has no history', () => {
    expect(historyOf({ a: [] })).toEqual([])
  })
})

describe('[MG2][MG3] an edit over a state that has moved on', () => {
  const base = { base: { a: 'a0', b: 'b0' }, baseAt: '1' }

  test('what only the edit touched is sent, and replaces nobody', () => {
    const edit = { edited: { a: 'a1', b: 'b0' }, editedAt: '2' }
    expect(mergeWithServer(base, { a: 'a0', b: 'b0' }, edit)).toEqual({
      fields: { a: 'a1', b: 'b0' },
      changed: ['a'],
      replaced: [],
    })
  })

  test('what only the CRM changed stays', () => {
    const edit = { edited: { a: 'a1', b: 'b0' }, editedAt: '2' }
    expect(mergeWithServer(base, { a: 'a0', b: 'theirs' }, edit)).toEqual({
      fields: { a: 'a1', b: 'theirs' },
      changed: ['a'],
      replaced: [],
    })
  })

  test('what both changed: the later save counts, and what it replaces is kept', () => {
    const edit = { edited: { a: 'mine', b: 'b0' }, editedAt: '2' }
    expect(mergeWithServer(base, { a: 'theirs', b: 'b0' }, edit)).toEqual({
      fields: { a: 'mine', b: 'b0' },
      changed: ['a'],
      replaced: [{ field: 'a', value: 'theirs', stamp: '1~' }],
    })
  })

  test('both said the same: nothing is to be sent', () => {
    const edit = { edited: { a: 'same', b: 'b0' }, editedAt: '2' }
    expect(mergeWithServer(base, { a: 'same', b: 'b0' }, edit)).toEqual({
      fields: { a: 'same', b: 'b0' },
      changed: [],
      replaced: [],
    })
  })

  test('a state that was never confirmed is older than every save', () => {
    const edit = { edited: { a: 'mine' }, editedAt: '2' }
    const merged = mergeWithServer({ base: { a: 'a0' }, baseAt: '' }, { a: 'theirs' }, edit)
    expect(merged).toEqual({
      fields: { a: 'mine' },
      changed: ['a'],
      replaced: [{ field: 'a', value: 'theirs', stamp: ' ' }],
    })
  })

  test('a save from before the base state gives way to what was read', () => {
    const edit = { edited: { a: 'mine' }, editedAt: '0' }
    const merged = mergeWithServer({ base: { a: 'a0' }, baseAt: '1' }, { a: 'theirs' }, edit)
    expect(merged).toEqual({ fields: { a: 'theirs' }, changed: [], replaced: [] })
  })

  test('fields that make sense together are said together', () => {
    const edit = { edited: { a: 'a1', b: 'b0', c: 'c0' }, editedAt: '2', together: ['a', 'b'] }
    const both = { base: { a: 'a0', b: 'b0', c: 'c0' }, baseAt: '1' }
    expect(mergeWithServer(both, { a: 'a0', b: 'theirs', c: 'theirs' }, edit)).toEqual({
      fields: { a: 'a1', b: 'b0', c: 'theirs' },
      changed: ['a', 'b'],
      replaced: [{ field: 'b', value: 'theirs', stamp: '1~' }],
    })
  })

  test('of those none is said where none was changed', () => {
    const edit = { edited: { a: 'a0', b: 'b0', c: 'c1' }, editedAt: '2', together: ['a', 'b'] }
    const both = { base: { a: 'a0', b: 'b0', c: 'c0' }, baseAt: '1' }
    expect(mergeWithServer(both, { a: 'a0', b: 'theirs', c: 'c0' }, edit)).toEqual({
      fields: { a: 'a0', b: 'theirs', c: 'c1' },
      changed: ['c'],
      replaced: [],
    })
  })
})

describe('[MG2] a history with what was just replaced', () => {
  const entry = (stamp: string, field = 'a', value: FieldValue = `v${stamp}`) => ({ field, value, stamp })

  test('the newest first', () => {
    expect(withReplaced([entry('1'), entry('3')], [entry('2')])).toEqual([entry('3'), entry('2'), entry('1')])
  })
  test('each once, and only where field, value and stamp are the same', () => {
    expect(withReplaced([entry('1')], [entry('1')])).toEqual([entry('1')])
    const others = [entry('1', 'b', 'v1'), entry('1', 'a', 'other')]
    expect(withReplaced([entry('1')], others)).toHaveLength(3)
  })
  test('[MG5] an edit of others that a list and the read before a PUT saw is told once, as it was seen first', () => {
    const seen = (stamp: string, after: string) => othersEntry({ field: 'a', before: 'x', after, stamp })
    expect(withReplaced([seen('3', 'y'), seen('4', 'y')], [seen('2', 'y')])).toEqual([seen('2', 'y')])
    // the field had another value in between
    const other = othersEntry({ field: 'a', before: 'y', after: 'x', stamp: '3' })
    expect(withReplaced([seen('4', 'y'), other], [seen('2', 'y')])).toHaveLength(3)
    expect(withReplaced([seen('4', 'y'), entry('3~')], [seen('2', 'y')])).toHaveLength(3)
  })
  test('so many of a field, and no field costs another its own', () => {
    const many = Array.from({ length: 8 }, (_, i) => entry(String(i)))
    const kept = withReplaced([...many, entry('0', 'b')], [])
    const newest = many.toReversed().slice(0, HISTORY_MAX)
    expect(kept.filter(({ field }) => field === 'a')).toEqual(newest)
    expect(kept.filter(({ field }) => field === 'b')).toHaveLength(1)
  })
})
