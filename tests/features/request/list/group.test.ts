import { describe, expect, test } from 'vitest'
import type { Visit } from '#data/visits/visits.ts'
import { whyNotSelectable, groupState } from '#features/request/list/group.ts'
import { ENTERED, LEFT, reportOn, requestOn, visitOf } from '../../../support/visit-records.ts'

const DAY = '2026-11-20'
const at = (id: string, area: string | null = 'a1', day = DAY) => requestOn(id, day, { locationAreaId: area })
const none = (id: string, area?: string | null, day?: string) => visitOf(at(id, area, day))
const inside = (id: string, area?: string) => visitOf(at(id, area), reportOn(id, { inTime: ENTERED }))
const left = (id: string) => visitOf(at(id), reportOn(id, { inTime: ENTERED, outTime: LEFT }))

const keys = (...visits: Visit[]) => visits.map(({ request }) => request.key)

describe('[screens /request] まとめて登録: what the chosen ones make', () => {
  const [n1, n2, i1, i2, o1] = [none('1'), none('2'), inside('3'), inside('4'), left('5')]
  const elsewhere = none('6', 'a2')
  const tomorrow = none('7', 'a1', '2026-11-21')
  const all = [n1, n2, i1, i2, o1, elsewhere, tomorrow]

  test.each([
    ['nothing chosen', [], 'none'],
    ['one not entered', [n1], 'entry'],
    ['two not entered, one place and day', [n1, n2], 'entry'],
    ['one inside', [i1], 'exit'],
    ['two inside', [i1, i2], 'exit'],
    ['[ec00029] not entered and inside', [n1, i1], 'broken'],
    ['[ec00029] one has left', [o1], 'broken'],
    ['[ec00029] inside and left', [i1, o1], 'broken'],
    ['[ec00029] another place', [n1, elsewhere], 'broken'],
    ['[ec00029] another day', [n1, tomorrow], 'broken'],
  ])('%s', (_, chosen, kind) => {
    expect(groupState(all, keys(...chosen)).kind).toBe(kind)
  })

  test('[ec00029] one is gone from the device', () => {
    expect(groupState([n1], keys(n1, n2)).kind).toBe('broken')
  })

  test('a place nobody named is only itself', () => {
    const [a, b] = [none('8', null), none('9', null)]
    expect(groupState([a, b], keys(a)).kind).toBe('entry')
    expect(groupState([a, b], keys(a, b)).kind).toBe('broken')
  })

  test('the chosen come in the order of the list', () => {
    const group = groupState(all, keys(n2, n1))
    expect(group.kind === 'entry' && group.visits.map(({ request }) => request.id)).toEqual(['1', '2'])
  })
})

describe('[screens /request] why a row cannot be chosen', () => {
  test.each([
    ['nothing chosen: not entered', none('1'), undefined, null],
    ['nothing chosen: inside', inside('1'), undefined, null],
    ['nothing chosen: left', left('1'), undefined, 'left'],
    ['the chosen one itself', none('1'), none('1'), null],
    ['same place and day', none('1'), none('2'), null],
    ['not entered beside one inside', none('1'), inside('2'), 'not-entered'],
    ['inside beside one not entered', inside('1'), none('2'), 'entered'],
    ['left beside one inside', left('1'), inside('2'), 'left'],
    ['another place', none('1', 'a2'), none('2'), 'elsewhere'],
    ['another day', none('1', 'a1', '2026-11-21'), none('2'), 'elsewhere'],
    ['another place and not entered', none('1', 'a2'), inside('2'), 'not-entered'],
  ] as const)('%s', (_, visit, first, bar) => {
    expect(whyNotSelectable(visit, first)).toBe(bar)
  })
})
