import { fieldTexts as japaneseTexts } from '#schemas/declare/form-values.ts'
import { shownLabel } from '#lib/language.ts'

/** Returns a field's value as texts, with labels of codes in the language of the interface. */
export const fieldTexts = (...args: Parameters<typeof japaneseTexts>): string[] =>
  japaneseTexts(...args).map(shownLabel)

export const fieldText = (...args: Parameters<typeof japaneseTexts>): string => fieldTexts(...args).join('、')
