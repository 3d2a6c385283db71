import { fieldTexts as japaneseTexts } from '#schemas/declare/form-values.ts'
import { shownLabel } from '#lib/language.ts'

/** A field's value as texts. The labels of codes are in the language of the interface. */
export const fieldTexts = (...args: Parameters<typeof japaneseTexts>): string[] =>
  japaneseTexts(...args).map(shownLabel)

/** The same texts joined to one line. */
export const fieldText = (...args: Parameters<typeof japaneseTexts>): string => fieldTexts(...args).join('、')
