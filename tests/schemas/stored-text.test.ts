import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isNormalizedFrom, isStoredAs, isStoredName } from '#schemas/stored-text.ts'
import { isBlank, regularText } from '#schemas/text.ts'
import { STORINGS } from '../support/storings.ts'

/** Pieces of typed and pasted texts, with signs that systems store in another spelling. */
const PIECES = [
  ...'9:00〜17:00～~«»¦−－‖∥¢￠£￡¬￢—―¥￥&<>"\'?がｶﾞﾊﾟ①㈱Ａ１髙﨑神🏢👍🏻℃½葛\u{E0100}é…→\\\u200B\u202A\u0007 　\n\t'.split(
    /(?=.)/u,
  ),
  'か\u3099',
  '\r\n',
  ' \n',
  '&amp;',
  'ポンプ室',
  '管理人',
  '\uD83D',
  '<br>',
]
const typed = fc
  .array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 30 })
  .map((parts) => parts.join(''))
const saved = typed.map(regularText).filter((text) => !isBlank(text))
const storing = fc
  .uniqueArray(fc.constantFrom(...Object.keys(STORINGS)), { minLength: 1, maxLength: 4 })
  // Systems that write backslashes come first: after an escape the origin of a backslash is unknown.
  .map((names) => names.toSorted((one, other) => Number(other.includes('\\')) - Number(one.includes('\\'))))
  .map((names) => (text: string) => names.reduce((each, name) => STORINGS[name]?.(each) ?? each, text))

describe('[MG5a] what a save stores', () => {
  test('is composed, well-formed, without blanks at the ends of lines, and regular', () => {
    fc.assert(
      fc.property(typed, (text) => {
        const regular = regularText(text)
        expect(regular).not.toMatch(/\p{Surrogate}/u)
        expect(regular).not.toMatch(/(?!\n)\p{Cc}|[^\S\n](?:\n|$)|\n$/u)
        expect(regularText(regular)).toBe(regular)
        expect(isBlank(regular)).toBe(isBlank(text))
      }),
    )
  })
})

describe('[OC3] what another system stores is what was sent', () => {
  test.each(Object.keys(STORINGS))('%s', (name) => {
    fc.assert(fc.property(saved, (text) => isStoredAs(text, STORINGS[name]?.(text) ?? '')))
  })

  // This storing is tested alone. Together with others it may lose characters that every system supports.
  test('code page, ¥ for \\ and ‾ for ~', () => {
    const store = (text: string) => text.replaceAll('\\', '¥').replaceAll('~', '‾')
    fc.assert(fc.property(saved, (text) => isStoredAs(text, store(text))))
    expect(isStoredAs('9時‾10時', '9時~10時')).toBe(true)
  })

  test('several storings, composed', () => {
    fc.assert(
      fc.property(saved, storing, (text, store) => isStoredAs(text, store(text))),
      { numRuns: 1_000 },
    )
  })

  const kanji = fc.array(fc.constantFrom(...Array.from('一二三階号機東西 9A?。')), {
    minLength: 1,
    maxLength: 6,
  })
  test('two texts that differ in what every system holds stay two', () => {
    const two = fc
      .tuple(typed, kanji, kanji)
      .map(([text, one, other]) => [`${text}。${one.join('')}`, `${text}。${other.join('')}`] as const)
    fc.assert(
      fc.property(two, storing, ([one, other], store) => {
        const [sent, another] = [regularText(one), regularText(other)]
        // Blanks are ignored, because a blank may stand for a lost character.
        const plain = (text: string) => text.replaceAll(/\s+/g, '')
        fc.pre(plain(sent) !== plain(another) && !/\?/.test(one + other))
        expect(isStoredAs(sent, store(another))).toBe(false)
      }),
    )
  })

  test.each([
    ['9時か?', '9時か！'],
    ['1?', '1階'],
    ['が', 'か'],
    ['1', '2'],
    ['1 2', '12'],
    ['カー', 'カ'],
    ['−5℃', '5℃'],
    ['–5℃', '5℃'],
    ['¥500', '500'],
    ['邊', '辺'],
  ])('%j is not stored as %j', (sent, other) => {
    expect(isStoredAs(sent, other)).toBe(false)
    expect(isStoredAs(other, sent)).toBe(false)
  })
})

describe('[OC6] a record that is looked for', () => {
  const long = '1号機の排水ポンプは部品待ちです。'.repeat(8)
  test.each([
    ['了解👍', '了解', true],
    ['了解', '了解👍', false],
    ['1号機👍 部品待ち', '1号機', true],
    ['1号機👍 部品待ち', '1号', false],
    ['1号機は部品待ち', '1号機は', false],
    [long, long.slice(0, 85), true],
    [long, long.slice(0, 40), false],
    [long.slice(0, 85), long, false],
    [long, `${long.slice(0, 85)}済`, false],
  ])('%j is found as %j: %s', (sent, stored, is) => expect(isNormalizedFrom(sent, stored)).toBe(is))
})

describe('[contract 4] the name of a file', () => {
  test.each([
    ['ポンプ室.jpg', 'ホ\u309Aンフ\u309A室.jpg', true],
    ['A#1 50%.jpg', 'A_1 50_.jpg', true],
    ['A#1  50%.jpg', 'A1-50.JPG', true],
    ['① 髙橋👍.jpg', '_ ?橋__.jpg', true],
    ['写真 1.jpg', '%E5%86%99%E7%9C%9F%201.jpg', true],
    ['写真 1.jpg', '%E5%86%99%E7%9C%9F+1.jpg', true],
    ['写真 1.jpg', '%25E5%2586%2599%25E7%259C%259F%25201.jpg', true],
    ['v1.2,[a].jpg', 'v1_2__a_.jpg', true],
    ['35.658100_139.701700_20261120085600123.jpg', '35_658100_139_701700_20261120085600123.jpg', true],
    ['a_2.jpg', 'a.jpg', false],
    ['a.jpg', 'a_2.jpg', false],
    ['a.jpg', 'b.jpg', false],
    ['ポンプ.jpg', 'ホンフ.jpg', false],
  ])('%s is shown as %s: %s', (sent, stored, is) => expect(isStoredName(sent, stored)).toBe(is))
})
