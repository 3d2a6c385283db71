import fc from 'fast-check'
import { expect, test } from 'vitest'
import { NO_FILTER, searchQuery } from '#sync/pull/requests/search-paging.ts'

const TEXTS = ['requestCode', 'locationName', 'customerName'] as const
/** What is around a text as it was typed: the full-width space of an IME, too. */
const space = fc.string({ unit: fc.constantFrom(' ', '\u3000', '\t'), maxLength: 3 })

test.each(TEXTS)('[contract 4] %s is asked for without the spaces around it; those within stay', (name) => {
  fc.assert(
    fc.property(space, space, (before, after) => {
      const query = searchQuery({ ...NO_FILTER, [name]: `${before}第一\u3000ビル${after}` })
      expect(query).toEqual({ ...searchQuery(NO_FILTER), [name]: '第一\u3000ビル' })
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
