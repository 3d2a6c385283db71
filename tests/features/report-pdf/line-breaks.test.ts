import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { linesOf } from '#features/report-pdf/pdf/line-breaks.ts'

describe('[issue 54] lines', () => {
  const letter = fc.constantFrom(...Array.from('あ漢ア、。）（「」 aB1-.ー\n'))
  test('nothing is lost or added, and no line is too long or begins with what ends a sentence', () => {
    fc.assert(
      fc.property(fc.array(letter, { maxLength: 80 }), fc.integer({ min: 3, max: 20 }), (parts, most) => {
        const text = parts.join('')
        const lines = linesOf(text, (each) => each.length <= most)
        const bare = (of: string) => of.replaceAll(/\s/g, '')
        expect(bare(lines.join(''))).toBe(bare(text))
        expect(lines.filter((line) => line.length > most)).toEqual([])
      }),
    )
  })

  test.each([
    ['終わり。次', 3, ['終わ', 'り。', '次']],
    ['（注）あ', 2, ['（', '注）', 'あ']],
    ['型式 65DVS-52.2A', 10, ['型式', '65DVS-52.2', 'A']],
  ])('%s in lines of %i', (text, most, lines) => {
    expect(linesOf(text, (each) => each.length <= most)).toEqual(lines)
  })
})
