/** Marks on a photo as data: nothing leaves the picture, and 元に戻す goes back mark by mark. */
import fc from 'fast-check'
import { expect, describe, test } from 'vitest'
import {
  hasMarks,
  isBoardTooLong,
  MARK_KINDS,
  MARK_TEXT_MAX,
  NO_MARKS,
  withLastMoved,
  withMark,
  withoutLast,
  type PhotoBoard,
} from '#lib/image/marks.ts'

const number = fc.double({ min: -2, max: 3, noNaN: true })
const point = fc.record({ x: number, y: number })
const mark = fc.record({ kind: fc.constantFrom(...MARK_KINDS), from: point, to: point, text: fc.string() })

const texts = { code: 'R26-1', place: '', device: '', work: '', day: '', state: '', note: '' }
const board: PhotoBoard = { isShown: true, corner: 'bottom-left', texts }

describe('[decisions/camera] marks', () => {
  test('stay inside the picture, and the newest one is moved without changing its size', () => {
    fc.assert(
      fc.property(fc.array(mark, { minLength: 1 }), point, (all, by) => {
        const marks = all.reduce(withMark, NO_MARKS)
        const moved = withLastMoved(marks, by, 'whole')
        const sized = withLastMoved(marks, by, 'end')
        for (const { from, to } of [...marks.list, ...moved.list, ...sized.list])
          for (const part of [from.x, from.y, to.x, to.y]) {
            expect(part).toBeGreaterThanOrEqual(0)
            expect(part).toBeLessThanOrEqual(1)
          }
        const [before, after] = [marks.list.at(-1), moved.list.at(-1)]
        expect((after?.to.x ?? 0) - (after?.from.x ?? 0)).toBeCloseTo(
          (before?.to.x ?? 0) - (before?.from.x ?? 0),
        )
        expect(sized.list.at(-1)?.from).toEqual(before?.from)
        expect(moved.list.slice(0, -1)).toEqual(marks.list.slice(0, -1))
      }),
    )
  })

  test('are removed in the opposite order; the board stays', () => {
    fc.assert(
      fc.property(fc.array(mark), (all) => {
        const marks = all.reduce(withMark, { ...NO_MARKS, board })
        const none = all.reduce(withoutLast, marks)
        expect(none).toEqual({ board, list: [] })
        expect(withoutLast(none)).toEqual(none)
        expect(withLastMoved(none, { x: 1, y: 1 }, 'whole')).toEqual(none)
      }),
    )
  })

  test.each([
    ['nothing', NO_MARKS, false],
    ['a board', { ...NO_MARKS, board }, true],
    ['a hidden board', { ...NO_MARKS, board: { ...board, isShown: false } }, false],
  ])('%s is drawn: %s', (_, marks, drawn) => expect(hasMarks(marks)).toBe(drawn))

  test.each([
    [MARK_TEXT_MAX, true, false],
    [MARK_TEXT_MAX + 1, true, true],
    [MARK_TEXT_MAX + 1, false, false],
  ])(
    'a text of %d characters on a board that is shown (%s) is too long: %s',
    (length, isShown, isTooLong) => {
      const note = 'あ'.repeat(length)
      expect(isBoardTooLong({ list: [], board: { ...board, isShown, texts: { ...texts, note } } })).toBe(
        isTooLong,
      )
    },
  )
})
