import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { linesOf } from '#lib/line-breaks.ts'

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

  const plain = fc.constantFrom('あ', '漢', '終わり。', '（注）', '型式', '「はい」', 'データー')
  test('no line of plain text begins with what closes or ends with what opens', () => {
    fc.assert(
      fc.property(fc.array(plain, { maxLength: 40 }), fc.integer({ min: 5, max: 20 }), (parts, most) => {
        const lines = linesOf(parts.join(''), (each) => each.length <= most)
        expect(lines.filter((line) => /^[。）」ー]|[（「]$/.test(line))).toEqual([])
      }),
    )
  })

  test.each([
    ['終わり。次の', 3, ['終わ', 'り。次', 'の']],
    ['弁（注）あ', 3, ['弁', '（注）', 'あ']],
    ['（注）あ', 2, ['（注', '）あ']],
    ['型式 65DVS-52', 8, ['型式', '65DVS-52']],
    ['65DVS-52.2A', 8, ['65DVS-5', '2.2A']],
    ['一\n\n二', 8, ['一', '', '二']],
    ['', 8, ['']],
  ])('%j in lines of %i', (text, most, lines) => {
    expect(linesOf(text, (each) => each.length <= most)).toEqual(lines)
  })
})
