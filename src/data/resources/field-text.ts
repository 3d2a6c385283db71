import { fieldTexts as japaneseTexts } from '#schemas/declare/form-values.ts'
import { shownLabel } from '#lib/language.ts'

/** A value as texts, in the language of the interface where it is the label of a code (`schemas/declare/form-values.ts`). */
export const fieldTexts = (...of: Parameters<typeof japaneseTexts>): string[] =>
  japaneseTexts(...of).map(shownLabel)

/** `fieldTexts` in one line. */
export const fieldText = (...of: Parameters<typeof japaneseTexts>): string => fieldTexts(...of).join('、')
