import fc from 'fast-check'
import { expect, test } from 'vitest'
import { NO_FILTER, searchQuery } from '#sync/pull/requests/search.ts'

const TEXTS = ['requestCode', 'locationName', 'customerName'] as const
/** What is around a text as it was typed or pasted: the full-width space of an IME, and what nobody sees. */
const space = fc.string({
  unit: fc.constantFrom(
    ' ',
    '\u3000',
    '\t',
    '\u00A0',
    '\u2007',
    '\u202F',
    '\u200B',
    '\u202A',
    '\u2060',
    '\u00AD',
  ),
  maxLength: 3,
})

test.each(TEXTS)('[contract 4] %s is asked for without the spaces around it; those within stay', (name) => {
  fc.assert(
    fc.property(space, space, (before, after) => {
      const query = searchQuery({ ...NO_FILTER, [name]: `${before}第\u200B一\u3000ビル\u00A0A${after}` })
      expect(query).toEqual({ ...searchQuery(NO_FILTER), [name]: '第一\u3000ビル A' })
    }),
  )
})

test.each(TEXTS)('[contract 4] of %s spaces alone are no condition', (name) => {
  fc.assert(
    fc.property(space, (text) => {
      expect(searchQuery({ ...NO_FILTER, [name]: text })).toEqual(searchQuery(NO_FILTER))
    }),
  )
})
