import { describe, expect, test } from 'vitest'
import { outcomeOf, strongTag, type Answer, type Outcome } from '#sync/transport/outcome.ts'
import { createIfMatch } from '#sync/scheduler/api.ts'

describe('[MG4] a tag that a PUT may name', () => {
  test.each(['"1"', '"33a64df5"', '"a,b"', '"W/1"', `"${'x'.repeat(256)}"`])('%s', (tag) =>
    expect(strongTag(tag)).toBe(tag),
  )
  test.each<[string, string | null | undefined]>([
    ['none', null],
    ['none said', undefined],
    ['weak', 'W/"1"'],
    ['without quotes', '1'],
    ['empty', '""'],
    ['any', '*'],
    ['two', '"1", "2"'],
    ['with a blank', '"a b"'],
    ['with a line', '"a\nb"'],
    ['beyond ASCII', '"版"'],
    ['too long', `"${'x'.repeat(257)}"`],
  ])('not %s', (_, tag) => expect(strongTag(tag)).toBeUndefined())
})

const answer = (status: number, etag: string | null = null, isJson = true): Answer => ({
  kind: 'answer',
  status,
  body: isJson ? {} : '<html>',
  isJson,
  total: null,
  retryAfter: null,
  etag,
})

describe('[MG4] what an answer says', () => {
  test('its tag, where it is strong', () => {
    expect(outcomeOf(answer(200, '"1"'), 'read', 0)).toMatchObject({ kind: 'accepted', etag: '"1"' })
    expect(outcomeOf(answer(200, 'W/"1"'), 'read', 0)).not.toHaveProperty('etag')
  })
  test.each([true, false])('412 is no refusal, JSON or not: %s', (isJson) => {
    for (const call of ['read', 'write'] as const)
      expect(outcomeOf(answer(412, null, isJson), call, 0)).toEqual({ kind: 'unknown', status: 412 })
  })
})

describe('[MG4] If-Match over the calls of a tab', () => {
  const none: Outcome = { kind: 'unknown', status: 0 }
  const fine: Outcome = { kind: 'accepted', status: 204, body: null, total: null }
  const never: Outcome = { kind: 'unreachable' }
  /** Whether each call carries it, and what becomes of it. */
  const told = (outcomes: readonly Outcome[]) => {
    const conditions = createIfMatch()
    return outcomes.map((outcome) => {
      const isSent = 'If-Match' in conditions.headerFor('"1"')
      conditions.outcomeOfPut(isSent, outcome)
      return isSent
    })
  }
  test.each<[string, Outcome[], boolean[]]>([
    ['is there while calls are answered', [fine, fine, fine], [true, true, true]],
    ['is there after one without an answer', [none, fine, none, fine], [true, true, true, true]],
    [
      'is left out after two, and tried again',
      [none, none, fine, fine, fine],
      [true, true, false, true, true],
    ],
    [
      'is left out each second time where it stands in the way',
      [none, none, fine, none, fine],
      [true, true, false, true, false],
    ],
    ['is left out as long as nothing is answered', [none, none, none, none], [true, true, false, false]],
    ['what never left says nothing', [none, never, never, fine], [true, true, true, true]],
    ['any answer is one', [none, { kind: 'unknown', status: 500 }, none, fine], [true, true, true, true]],
  ])('%s', (_, outcomes, wanted) => expect(told(outcomes)).toEqual(wanted))

  test('412 to a call that had it says so; to one that had not it is unknown', () => {
    const stale: Outcome = { kind: 'unknown', status: 412 }
    expect(createIfMatch().outcomeOfPut(true, stale)).toEqual({ kind: 'stale', status: 412 })
    expect(createIfMatch().outcomeOfPut(false, stale)).toEqual(stale)
  })

  test('no tag, no header', () => expect(createIfMatch().headerFor(undefined)).toEqual({}))
})
