/** Cases of edits by others (RULES MG5); `others-edits.test.ts` tests them on real RxDB. */
import { describe, expect, test } from 'vitest'
import { othersEdits } from '#schemas/change-history.ts'
import { withOthersEdits } from '#sync/merge/merge.ts'

const RESOURCE = 'customerLocationChangeRequests'
const held = (fields: object, more: object = {}) => ({ server: { stamp: '2', ...fields }, ...more })
const told = (resource: string, before: object | undefined, now: object) =>
  othersEdits((withOthersEdits(resource, before, now) as { history?: never }).history)

describe('[MG5] what is noted', () => {
  test('each field that says something else, with both values and the read’s stamp', () => {
    const was = held({ parkingType: '1', inMethod: 'x', parkingMethod: null })
    const is = held({ parkingType: '2', inMethod: 'x', parkingMethod: 'y', stamp: '3' })
    expect(told(RESOURCE, was, is)).toEqual([
      { field: 'parkingMethod', before: null, after: 'y', stamp: '3' },
      { field: 'parkingType', before: '1', after: '2', stamp: '3' },
    ])
  })
  test('beside what was noted before', () => {
    const old = { field: 'inMethod', value: 'z', stamp: '1' }
    const now = withOthersEdits(RESOURCE, held({ inMethod: 'x' }), {
      ...held({ inMethod: 'y' }),
      history: [old],
    })
    expect(now.history).toHaveLength(2)
    expect(now.history).toContainEqual(old)
  })
  test('a field that is no longer there', () => {
    expect(told(RESOURCE, held({ inMethod: 'x' }), held({}))).toEqual([
      { field: 'inMethod', before: 'x', after: null, stamp: '2' },
    ])
  })
})

describe('[MG5] what is not noted', () => {
  const was = held({ inMethod: 'x' })
  test.each<[string, string, object | undefined, object]>([
    ['of a resource that others do not edit', 'noteLocationAreas', held({ note: 'a' }), held({ note: 'b' })],
    ['of what is not pushed', 'requests', held({ inMethod: 'a' }), held({ inMethod: 'b' })],
    ['a record that was not on the device', RESOURCE, undefined, held({ inMethod: 'y' })],
    ['a record that had no state', RESOURCE, {}, held({ inMethod: 'y' })],
    ['a record that has none now', RESOURCE, was, {}],
    ['the same', RESOURCE, was, held({ inMethod: 'x' })],
    ['nothing, written in another way', RESOURCE, held({ inMethod: '' }), held({ inMethod: null })],
    ['a text that was trimmed', RESOURCE, was, held({ inMethod: ' x\r\n' })],
    ['codes in another order', 'emergencyReports', held({ risk: ['3', '1'] }), held({ risk: ['1', '3'] })],
    ['a field that nobody else edits', RESOURCE, held({ other: 'a' }), held({ other: 'b' })],
    [
      'what is on its way from here',
      RESOURCE,
      was,
      { ...held({ inMethod: 'y' }), changes: [{ fields: { inMethod: 'y' } }] },
    ],
    [
      'what one of several on their way says',
      RESOURCE,
      was,
      { ...held({ inMethod: 'y' }), changes: [{ fields: { inMethod: 'y' } }, { fields: { inMethod: 'z' } }] },
    ],
  ])('%s', (_, resource, before, now) => {
    expect(withOthersEdits(resource, before, now)).toBe(now)
  })
  test('what is on its way of another field, or says something else, is no excuse', () => {
    for (const fields of [{ parkingType: 'y' }, { inMethod: 'z' }, { inMethod: null }])
      expect(told(RESOURCE, was, { ...held({ inMethod: 'y' }), changes: [{ fields }] })).toHaveLength(1)
  })
})

describe('[MG5] of a report the device may hold only the summary', () => {
  const summary = { outTime: '2026-11-20T10:00:00+09:00', detailed: false, reportContent: null }
  const whole = { ...summary, detailed: true }
  const now = (more: object = {}) => held({ ...whole, reportContent: 'y', ...more })

  test.each<[string, object, object, number]>([
    ['which says nothing of its text', summary, now(), 0],
    ['what is whole says it', whole, now(), 1],
    ['nor does a summary that is read', whole, now({ detailed: false }), 0],
    ['a visit that has not ended has no report', { ...whole, outTime: null }, now(), 0],
    ['a value that stood before counts', { ...summary, reportContent: 'x' }, now(), 1],
    ['an empty one does not', { ...summary, reportContent: '' }, now(), 0],
    ['nor does an empty list', { ...summary, reportContent: [] }, now(), 0],
  ])('%s', (_, was, is, count) => {
    expect(told('quickReports', held(was), is)).toHaveLength(count)
  })
  test('two spellings of one moment are the same', () => {
    const other = now({ reportContent: null, outTime: '2026-11-20T01:00:00Z' })
    expect(told('quickReports', held(whole), other)).toEqual([])
  })
})
