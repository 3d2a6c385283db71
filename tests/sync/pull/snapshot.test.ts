/** A snapshot page by page: when it ends, when it is complete, and what it may remove (RULES PL1, PL7). */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { FIRST_OFFSET, PAGE_SIZE } from '#schemas/limits.ts'
import {
  isComplete,
  nextOffset,
  NO_PAGES,
  withPage,
  type Page,
  type Snapshot,
} from '#sync/scheduler/read-pages.ts'

const keysFrom = (first: number, size: number) => Array.from({ length: size }, (_, i) => `k${first + i}`)
const page = (keys: string[], change: Partial<Page> = {}): Page => ({
  ...{ keys, size: keys.length, total: null, unreadable: false },
  ...change,
})
const after = (...pages: Page[]): Snapshot =>
  pages.reduce((snapshot, one) => withPage(snapshot, one).snapshot, NO_PAGES)
const FULL = page(keysFrom(0, PAGE_SIZE))
const isLast = (before: Snapshot, one: Page) => withPage(before, one).isLast

describe('[PL1] which page is the last', () => {
  test.each<[string, Page, boolean]>([
    ['a full one without a total', FULL, false],
    ['one that is not full', page(keysFrom(0, PAGE_SIZE - 1)), true],
    ['an empty one', page([]), true],
    ['a full one that is all of them', { ...FULL, total: PAGE_SIZE }, true],
    ['a full one, and there is one row more', { ...FULL, total: PAGE_SIZE + 1 }, false],
    [
      'one that is longer than asked for',
      page(keysFrom(0, PAGE_SIZE + 10), { total: PAGE_SIZE + 10 }),
      false,
    ],
  ])('%s: %s', (_, one, last) => expect(isLast(NO_PAGES, one)).toBe(last))

  test('the offset of the next one counts pages, whatever came with them', () => {
    expect([NO_PAGES, after(FULL), after(FULL, page([]))].map((before) => nextOffset(before))).toEqual([
      FIRST_OFFSET,
      FIRST_OFFSET + PAGE_SIZE,
      FIRST_OFFSET + 2 * PAGE_SIZE,
    ])
  })
})

describe('[PL7] pages without an end', () => {
  const told = (before: Snapshot, one: Page) => {
    const { isEndless, snapshot } = withPage(before, one)
    return [isEndless, isLast(before, one), snapshot.unreadable]
  }
  test('a page that brings nothing new ends them, and the snapshot proves nothing', () => {
    expect(told(after(FULL), FULL)).toEqual([true, true, true])
    expect(told(after(FULL), page(['k0', 'new'], { size: PAGE_SIZE }))).toEqual([false, false, false])
  })
  test('not the first one, whose rows nobody can tell, nor an empty one', () => {
    expect(told(NO_PAGES, page([], { size: PAGE_SIZE, unreadable: true }))).toEqual([false, false, true])
    expect(told(after(FULL), page([]))).toEqual([false, true, false])
  })
  test('after a thousand of them nothing more is read', () => {
    const so = (pages: number): Snapshot => ({
      ...after(FULL),
      totals: Array.from({ length: pages }, () => null),
    })
    const more = page(keysFrom(900, PAGE_SIZE))
    expect(told(so(998), more)).toEqual([false, false, false])
    expect(told(so(999), more)).toEqual([true, true, true])
  })
})

describe('[PL1] what a read may remove', () => {
  test.each<[string, Page, boolean]>([
    ['the only page, complete', page(['a'], { total: 1 }), true],
    ['the only page, of more', page(['a'], { total: 2 }), false],
    ['the only page, without a total', page(['a']), false],
    ['the first page', { ...FULL, total: 60 }, false],
    ['a row that nobody can tell', page(['a'], { total: 1, unreadable: true }), false],
  ])('%s', (_, one, removes) => expect(isComplete(after(one))).toBe(removes))

  test('law: it removes only where every page said how many there are, and so many different rows were seen', () => {
    const pages = fc.array(
      fc.record({
        first: fc.nat(120),
        size: fc.constantFrom(0, 1, PAGE_SIZE - 1, PAGE_SIZE),
        total: fc.constantFrom<(number | null)[]>(null, 0, 1, PAGE_SIZE, PAGE_SIZE + 1, 2 * PAGE_SIZE),
        unreadable: fc.boolean(),
      }),
      { minLength: 1, maxLength: 4 },
    )
    fc.assert(
      fc.property(pages, (read) => {
        const all = read.map(({ first, size, ...one }) => page(keysFrom(first, size), one))
        const seen = new Set(all.flatMap(({ keys }) => keys))
        if (!isComplete(after(...all))) return
        expect(all.map(({ total }) => total)).toEqual(all.map(() => seen.size))
        expect(all.some(({ unreadable }) => unreadable)).toBe(false)
        expect(all.reduce((sum, { size }) => sum + size, 0)).toBe(seen.size)
      }),
      { numRuns: 500 },
    )
  })
})
