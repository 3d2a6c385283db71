import { describe, expect, test } from 'vitest'
import { toHalfAscii, toHalfKana } from '#form/half-width.ts'

describe('[spec 5] kana in half width', () => {
  test.each([
    ['nothing', '', ''],
    ['whitespace', ' 　 ', ''],
    ['katakana', 'カンリ', 'ｶﾝﾘ'],
    ['a mark is a character of its own', 'ガ', 'ｶﾞ'],
    ['the small mark too', 'パ', 'ﾊﾟ'],
    ['a long name', 'ボウサイセンター', 'ﾎﾞｳｻｲｾﾝﾀｰ'],
    ['hiragana', 'ぼうさいせんたー', 'ﾎﾞｳｻｲｾﾝﾀｰ'],
    ['small kana', 'ッャュョァィゥェォ', 'ｯｬｭｮｧｨｩｪｫ'],
    ['ヴ', 'ヴゔ', 'ｳﾞｳﾞ'],
    ['a mark that was typed apart', 'カ゛ハ゜', 'ｶﾞﾊﾟ'],
    ['a combining mark', 'カ\u3099', 'ｶﾞ'],
    ['signs', '・ー、。「」', '･ｰ､｡｢｣'],
    ['half-width already', 'ｶﾞｰ･', 'ｶﾞｰ･'],
    ['a full-width space between names', 'サトウ　ハナ', 'ｻﾄｳ ﾊﾅ'],
    ['what has no half-width form is the kana that is read so', 'ヰヱヵヶヮゐㇰ', 'ｲｴｶｹﾜｲｸ'],
    ['a small ヶ in a name', 'カスミヶセキ', 'ｶｽﾐｹｾｷ'],
    ['an iteration mark', 'いすゞ', 'ｲｽｽﾞ'],
    ['iteration marks after a voiced kana', 'スヾキ がゝさゝゝ', 'ｽｽﾞｷ ｶﾞｶｻｻｻ'],
    ['an iteration mark after a half-width voiced kana', 'ｶﾞヽｽヾ', 'ｶﾞｶｽｽﾞ'],
    ['a hyphen for the long vowel', 'センタ−・カ-', 'ｾﾝﾀｰ･ｶｰ'],
    ['blanks of other kinds', '\u00A0サトウ\u00A0ハナ\u2003', 'ｻﾄｳ ﾊﾅ'],
    ['kana in one sign', '㌔㋐', 'ｷﾛｱ'],
    ['kanji, letters, digits stay', '佐藤Ａb１', '佐藤Ａb１'],
    ['a surrogate pair stays whole', '🏢ガ𠮷', '🏢ｶﾞ𠮷'],
    ['markup stays text', '<script>ア</script>', '<script>ｱ</script>'],
    ['what is invisible goes', '\u202Eア\u200F\uFEFF\u0007', 'ｱ'],
  ])('%s', (_, typed, wanted) => expect(toHalfKana(typed)).toBe(wanted))

  test('every full-width katakana that has a half-width form comes back by NFKC', () => {
    const all = Array.from({ length: 0x30fd - 0x30a1 }, (_, at) => String.fromCharCode(0x30a1 + at))
    const changed = all.filter((kana) => toHalfKana(kana) !== kana)
    expect(changed.length).toBeGreaterThan(80)
    const again = (kana: string) => toHalfKana(kana).normalize('NFKC')
    expect(changed.filter((kana) => again(kana) !== kana)).toEqual(Array.from('ヮヰヱヵヶヸヹ'))
  })

  test('10,000 characters, twice as long after', () => {
    expect(toHalfKana('ガ'.repeat(10_000))).toBe('ｶﾞ'.repeat(10_000))
  })
})

describe('[spec 5] letters and digits in half width', () => {
  test.each([
    ['nothing', '', ''],
    ['digits', '０１２９', '0129'],
    ['an address', 'ｋａｎｒｉ＠ｅｘａｍｐｌｅ．ｊｐ', 'kanri@example.jp'],
    ['a code', 'Ｒ２６－１１０４８２', 'R26-110482'],
    ['spaces around', '　R26　', 'R26'],
    ['kana stay', 'カナＡ', 'カナA'],
    ['an address from an address book', '\u202Akanri\u2011b＠example．jp\u202C\u00A0', 'kanri-b@example.jp'],
    ['half-width stays', 'a~!', 'a~!'],
    ['a surrogate pair stays whole', '🏢１', '🏢1'],
  ])('%s', (_, typed, wanted) => expect(toHalfAscii(typed)).toBe(wanted))
})

describe('[spec 5] a phone number in half width', () => {
  test.each([
    ['nothing', '', ''],
    ['full-width digits and hyphen', '０３－５５５０－０１９９', '03-5550-0199'],
    ['the long vowel mark of a kana keyboard', '０３ー５５５０ー０１９９', '03-5550-0199'],
    ['every dash', '03‐1‑2‒3–4—5―6−7ｰ8', '03-1-2-3-4-5-6-7-8'],
    ['one from an address book', '\u202D03-5550-0199\u202C', '03-5550-0199'],
    ['lines of a table', '03─5550━0199', '03-5550-0199'],
    ['a zero-width blank and a soft hyphen', '03-\u200B5550-01\u00AD99\uFEFF', '03-5550-0199'],
    ['other characters stay, for the rule to name', '03(5550)内線', '03(5550)内線'],
  ])('%s', (_, typed, wanted) => expect(toHalfAscii(typed)).toBe(wanted))
})
