/** What other systems make of a text that they are sent: each storing by itself, to be composed at random. */
const SUBSTITUTED =
  /[^\n\r -~\u3000-\u30FF\u4E00-\u9FFF\uFF01-\uFF0C\uFF0E-\uFF5D\uFF61-\uFF9F°×÷℃…→]|[髙〜]/gu

/** Signs by the names of HTML 4; & first, for the others begin with it. */
const NAMED = [
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['…', '&hellip;'],
  ['—', '&mdash;'],
  ['→', '&rarr;'],
  ['é', '&eacute;'],
  ['½', '&frac12;'],
  ['−', '&minus;'],
  ['¥', '&yen;'],
  ['‖', '&#8214;'],
  ['℃', '&#x2103;'],
] as const

const swapped = (pairs: readonly (string | readonly [string, string])[]) => (text: string) =>
  pairs.reduce<string>((each, [from = '', to = '']) => each.replaceAll(from, to), text)

export const STORINGS: Readonly<Record<string, (text: string) => string>> = {
  'code page, from JIS to Windows': swapped(['〜～', '−－', '‖∥', '¢￠', '£￡', '¬￢', '—―']),
  'code page, from Windows to JIS': swapped(['～〜', '－−', '∥‖', '￠¢', '￡£', '￢¬', '―—']),
  'code page, \\ for ¥ and ~ for ‾': swapped(['¥\\', '￥\\', '‾~']),
  'code page, the nearest sign': swapped(['«≪', '»≫', '¦|']),
  NFC: (text) => text.normalize('NFC'),
  NFD: (text) => text.normalize('NFD'),
  NFKC: (text) => text.normalize('NFKC'),
  'a ? for what it cannot hold': (text) => text.replaceAll(SUBSTITUTED, '?'),
  'U+FFFD for what it cannot hold': (text) => text.replaceAll(SUBSTITUTED, '\uFFFD'),
  'a ? for each half of a surrogate pair': (text) =>
    text.replaceAll(/\p{Surrogate}|[\u{10000}-\u{10FFFF}]/gu, '??'),
  'HTML entities': (text) =>
    text
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;')
      .replaceAll("'", '&#039;'),
  'HTML entities by name': swapped(NAMED),
  'a page of its own': (text) => `<p>${text.replaceAll(/\r?\n/g, '</p><p class="line">')}</p>`,
  'quotes escaped': swapped([
    ['\\', '\\\\'],
    ["'", "\\'"],
    ['"', '\\"'],
  ]),
  'quotes and line ends escaped': swapped([
    ['\\', '\\\\'],
    ['"', '\\"'],
    ['\r', '\\r'],
    ['\n', '\\n'],
  ]),
  'without what it cannot hold': (text) =>
    text.replaceAll(
      /[^\n\r -~\u3000-\u30FF\u4E00-\u9FFF\uFF01-\uFF5D\uFF61-\uFF9F°×÷\p{P}\p{S}]|[㈱①👍🏢]|\u{1F3FB}/gu,
      '',
    ),
  'a plain kanji for what it cannot hold': swapped(['髙高', '﨑崎', '濵浜', '𠮷吉']),
  'lines without blanks at their ends': (text) => text.replaceAll(/[^\S\r\n]+(?=\r?\n|$)/g, '').trim(),
  'a text of one line': (text) => text.replaceAll('\n', ''),
  'lines ended by CR LF': (text) => text.replaceAll(/\r?\n/g, '\r\n'),
  'without control and format characters': (text) => text.replaceAll(/(?![\r\n])[\p{Cc}\p{Cf}]/gu, ''),
}
