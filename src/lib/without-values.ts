/**
 * Removes values from an error text, because parsers quote invalid values and URLs have queries (sync RULES EX7).
 * The error's kind and place stay. Each line is handled alone, because a quotation mark within a value could otherwise
 * remove all text after it.
 */

/** ArkType's messages end with the actual value. */
const ACTUAL_VALUE = / \(was [^\n]*/g
/** Errors of JSON.parse and Temporal contain their input, partly without quotation marks. */
const PARSER = /^((?:\w+: )?(?:SyntaxError: [^"'“‘:\n]*|RangeError: [^"'“‘:\n]*))[^\n]*/gm
const QUOTED = /["“「`][^\n]*["”」`]|["“「`][^\n]*$/gm
const QUERY = /([?&][^=&?#\s]{1,60}=)[^&#\s)]*/g

/** @returns the text with `…` in place of each value */
export const withoutValues = (text: string): string =>
  text
    .replace(ACTUAL_VALUE, ' (was …)')
    .replace(PARSER, (line, start: string) => (line === start ? line : `${start}…`))
    .replace(QUOTED, '…')
    .replace(QUERY, '$1…')
