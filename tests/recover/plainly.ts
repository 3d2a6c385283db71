/** What a forged file says neither drives a terminal nor turns the line around that it stands in. */

/** Variants of kanji are seen; gaiji of the private use area have a shape here or there. */
const UNSEEN =
  /(?![\n\p{Variation_Selector}])[\p{Cc}\p{Cf}\p{Cs}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu

const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`

/** @returns the text, each character that cannot be seen as JSON escapes it */
export const plainly = (text: string): string =>
  text.replaceAll(UNSEEN, (sign) => sign.split('').map(escaped).join(''))
