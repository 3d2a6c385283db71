/**
 * Removes quoted values from an error text, because parsers quote invalid values and URLs have queries (sync RULES
 * EX7). The result still says where and what kind. It works line by line, because quotes are not escaped.
 */

/** ArkType ends a message with the actual value. */
const WAS = / \(was [^\n]*/g
/** JSON.parse and Temporal quote their input, partly without quotation marks. */
const PARSER = /^((?:\w+: )?(?:SyntaxError: [^"'“‘:\n]*|RangeError: [^"'“‘:\n]*))[^\n]*/gm
const QUOTED = /["“「`][^\n]*["”」`]|["“「`][^\n]*$/gm
const QUERY = /([?&][^=&?#\s]{1,60}=)[^&#\s)]*/g

/** @returns the text with each value replaced by `…` */
export const withoutValues = (text: string): string =>
  text
    .replace(WAS, ' (was …)')
    .replace(PARSER, (whole, kept: string) => (whole === kept ? whole : `${kept}…`))
    .replace(QUOTED, '…')
    .replace(QUERY, '$1…')
