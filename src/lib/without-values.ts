/**
 * What an error says, without what it quotes: a parser's message holds the value that did not fit, an address its query
 * (sync RULES EX7). What is left says where, and of what kind. Line by line, because nobody escapes what he quotes.
 */

/** ArkType ends with what was there instead. */
const WAS = / \(was [^\n]*/g
/** JSON.parse and Temporal quote what they were given, some of them without quotation marks. */
const PARSER = /^((?:\w+: )?(?:SyntaxError: [^"'“‘:\n]*|RangeError: [^"'“‘:\n]*))[^\n]*/gm
const QUOTED = /["“「`][^\n]*["”」`]|["“「`][^\n]*$/gm
const QUERY = /([?&][^=&?#\s]{1,60}=)[^&#\s)]*/g

/** @returns the text with `…` in the place of each value */
export const withoutValues = (text: string): string =>
  text
    .replace(WAS, ' (was …)')
    .replace(PARSER, (whole, kept: string) => (whole === kept ? whole : `${kept}…`))
    .replace(QUOTED, '…')
    .replace(QUERY, '$1…')
