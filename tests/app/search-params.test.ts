import { expect, test } from 'vitest'
import { textParam } from '#app/search-params.ts'

test.each([
  ['a text', 'a1', { type: 'a1' }],
  ['what the router made a number of', 1, { type: '1' }],
  ['nothing', '', {}],
  ['absent', undefined, {}],
  ['several', ['1', '2'], {}],
])('a search parameter: %s', (_, value, expected) => {
  expect(textParam({ type: value }, 'type')).toEqual(expected)
})

test('one that may be empty is there all the same', () => {
  expect(textParam({ type: '' }, 'type', 'is-one')).toEqual({ type: '' })
  expect(textParam({}, 'type', 'is-one')).toEqual({})
})
