/**
 * How a save stores a text, how a search compares texts, and when a text is blank. `stored-text.ts` covers what other
 * systems do with texts. ArkType is not imported, because the first screen searches.
 */

/** Character classes for a regular expression with the flag `u`. */
const INVISIBLE = '\\p{Default_Ignorable_Code_Point}\\u2800\\uFFF9-\\uFFFC'
const CONTROL = '\\p{Cc}\\p{Noncharacter_Code_Point}'
/** Characters that people type or paste in place of a hyphen, including the long vowel mark ー. */
export const HYPHENS =
  '\\-\\u02D7\\u058A\\u05BE\\u1400\\u1806\\u2010-\\u2015\\u2043\\u207B\\u208B\\u2212\\u23AF\\u23E4\\u2500\\u2501' +
  '\\u2504\\u2505\\u2508\\u2509\\u254C\\u254D\\u2574\\u2576\\u2578\\u257A\\u2796\\u2E17\\u2E1A\\u2E3A\\u2E3B\\u2E40' +
  '\\u2E5D\\u30A0\\u30FC\\uFE31\\uFE32\\uFE58\\uFE63\\uFF0D\\uFF70\\u{10EAD}'
const WAVES = '~\\u00AF\\u02DC\\u203E\\u2053\\u223C\\u223E\\u301C\\u3030\\uFF5E\\uFFE3'
const every = (characters: string) => new RegExp(`[${characters}]`, 'gu')
const ANY_HYPHEN = every(HYPHENS)
const ANY_WAVE = every(WAVES)
const ANY_INVISIBLE = every(INVISIBLE)
const ANY_CONTROL = every(CONTROL)
const LINE_ENDS = /\r\n?|[\v\f\u0085\u2028\u2029]/g
const LONE_SURROGATES = /\p{Surrogate}/gu
const BLANKS_AT_LINE_ENDS = /[^\S\n]+(?=\n|$)/g
/** Matches text without compatibility kanji, which NFC would replace and so change the spelling of a name. */
const COMPOSED = /[^\uF900-\uFAFF\u{2F800}-\u{2FA1F}]+/gu

/**
 * Invisible characters that change how their neighbours look, and so stay: the joiner in an emoji (👨‍👩‍👧), and the
 * selector after a character with variants (葛󠄀, ☎️).
 */
const JOINER =
  '\\u200D(?<=\\p{Extended_Pictographic}[\\uFE0F\\u{1F3FB}-\\u{1F3FF}]?\\u200D)(?=\\p{Extended_Pictographic})'
const SELECTORS = '[\\uFE00-\\uFE0F\\u{E0100}-\\u{E01EF}]'
const VARIANT = `${SELECTORS}(?<=[^\\s${INVISIBLE}${CONTROL}]${SELECTORS})`
const ANY_UNSEEN = new RegExp(`(?!${JOINER}|${VARIANT})[${INVISIBLE}]|(?![\\s\\u0085])[${CONTROL}]`, 'gu')

/** Only ASCII, kana, common kanji and full-width characters, as in most texts. A test is faster than a replacement. */
const ALL_SEEN = /^[ -~\n\u3000-\u312F\u3190-\u9FFF\uFF01-\uFF9F]*$/
export const composed = (text: string): string => text.replaceAll(COMPOSED, (part) => part.normalize('NFC'))

/**
 * Removes characters without width, marks of text direction, and control characters other than white space. Texts of
 * the CRM and file names are shown in this form (decisions/merge).
 */
export const legible = (text: string): string =>
  ALL_SEEN.test(text) ? text : text.replaceAll(ANY_UNSEEN, '')

/**
 * The form in which a save stores a text, so that the CRM does not lose part of it: NFC, legible, LF line ends, no
 * blanks at line ends.
 */
export const regularText = (text: string): string =>
  composed(legible(text.replaceAll(LINE_ENDS, '\n').replaceAll('\t', ' ').replaceAll(LONE_SURROGATES, '')))
    .replaceAll(BLANKS_AT_LINE_ENDS, '')
    .replace(/\n+$/, '')

/** The text on one line, without invisible characters and outer blanks. */
export const visibleLine = (text: string): string =>
  text
    .replaceAll(LONE_SURROGATES, '')
    .replaceAll(ANY_INVISIBLE, '')
    .replaceAll(/\s/g, ' ')
    .replaceAll(ANY_CONTROL, '')
    .trim()

export const isBlank = (text: string): boolean => visibleLine(text) === ''

/** Converts letters, digits and signs to half width. Kana stay. */
export const halfWidthAscii = (text: string): string =>
  text.replaceAll(/[！-～]/g, (full) => String.fromCharCode(full.charCodeAt(0) - 0xfee0))

/** Replaces hyphens, and characters that people type in their place, by `-`. */
export const withPlainHyphens = (text: string): string => text.replaceAll(ANY_HYPHEN, '-')

/** Replaces wave dashes, and characters that people type in their place, by `~`. */
export const withPlainWaves = (text: string): string => text.replaceAll(ANY_WAVE, '~')

/** Variants of kanji in names and places, with the common kanji that a search uses: 髙 is found as 高. */
const KANJI_VARIANTS = new Map(
  (
    '髙高 﨑崎 嵜崎 碕崎 邉辺 邊辺 濵浜 濱浜 齋斎 齊斎 斉斎 廣広 澤沢 櫻桜 國国 嶋島 嶌島 德徳 𠮷吉 瀨瀬 栁柳 桒桑 舘館 增増 黑黒 靑青 眞真 惠恵 榮栄 ' +
    '圓円 學学 會会 實実 寶宝 應応 龍竜 瀧滝 驛駅 藏蔵 壽寿 發発 萬万 禮礼 與与 鐵鉄 關関 顯顕 佛仏 條条 圖図 來来 兒児 兩両 亞亜 淺浅 曾曽 冨富 峯峰 ' +
    '埜野 槇槙 礒磯 淵渕 渊渕 籔藪 薮藪 靜静 豐豊 縣県 區区 號号 臺台 橫横 鷄鶏'
  )
    .split(' ')
    .map((pair): [string, string] => {
      const [variant = '', plain = ''] = pair
      return [variant, plain]
    }),
)
const ANY_KANJI_VARIANT = every([...KANJI_VARIANTS.keys()].join(''))
/** The common form of a kanji variant. Any other character stays. */
export const plainKanji = (character: string): string => KANJI_VARIANTS.get(character) ?? character
const SMALL_KANA = 'ァィゥェォャュョッヮヵヶ'
const LARGE_KANA = 'アイウエオヤユヨツワカケ'
const toLargeKana = (kana: string) => LARGE_KANA[SMALL_KANA.indexOf(kana)] ?? kana
const katakana = (hiragana: string) => String.fromCharCode(hiragana.charCodeAt(0) + 0x60)

/** Replaces the iteration marks of katakana by the repeated kana: イスヾ → イスズ. ヾ adds a voicing mark. */
export const withoutIterationMarks = (text: string): string =>
  text.replaceAll(/[ァ-ヺｦ-ﾝ][ﾞﾟ゛゜\u3099\u309A]?[ヽヾ]+/g, (kana) => {
    const [read = ''] = kana.normalize('NFKD')
    return kana.replaceAll('ヽ', read).replaceAll('ヾ', `${read}\u3099`.normalize('NFC'))
  })

/**
 * The form in which a search compares texts. It ignores width, case, blanks, kana, hyphens and wave dashes, kanji
 * variants, invisible characters, ヶ, ケ or が (霞ヶ関, 霞が関), and iteration marks (いすゞ, いすず).
 */
export const searchText = (text: string): string =>
  withPlainWaves(text)
    .normalize('NFKC')
    .replaceAll(ANY_HYPHEN, 'ー')
    .replaceAll(ANY_INVISIBLE, '')
    .toLowerCase()
    .replaceAll(/\s+/g, '')
    .replaceAll(ANY_CONTROL, '')
    .replaceAll(/[ぁ-ゖゝゞ]/g, katakana)
    .replaceAll(/[ァ-ヺ][ヽヾ]+/g, withoutIterationMarks)
    .replaceAll(/(\p{Script=Han})々/gu, '$1$1')
    .replaceAll(/[ァィゥェォャュョッヮヵヶ]/g, toLargeKana)
    .replaceAll('ケ', 'ガ')
    .replaceAll(ANY_KANJI_VARIANT, plainKanji)
