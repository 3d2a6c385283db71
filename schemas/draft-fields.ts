/**
 * The fields of forms (spec 5). A rule of the product names the message it fails with by its key (`src/messages`):
 * ec00001 required, ec00024 email, ec00025 phone, kana half-width katakana; a text that is too long is ec00003.
 */
import { type } from 'arktype'
import { isBlank } from './text.ts'

/** A text of at most `max` characters, or nothing. */
export const optionalText = (max: number) => type(`string <= ${max}`)

/** A text of at most `max` characters that says something. */
export const requiredText = (max: number) =>
  optionalText(max).narrow((text, ctx) => !isBlank(text) || ctx.mustBe('ec00001'))

/** Half-width katakana with their marks (ﾞ ﾟ ｰ ･); a space may part the names. */
const KANA = /^[\uFF65-\uFF9F ]+$/

export const kanaText = (max: number) =>
  requiredText(max).narrow((text, ctx) => KANA.test(text) || ctx.mustBe('kana'))

/** Digits with at least one hyphen among them, and nothing else. */
const PHONE = /^(?=.*\d)(?=.*-)[\d-]+$/

export const phoneText = (max: number) =>
  requiredText(max).narrow((text, ctx) => PHONE.test(text) || ctx.mustBe('ec00025'))

const email = type('string.email')

export const optionalEmail = (max: number) =>
  optionalText(max).narrow((text, ctx) => text === '' || email.allows(text) || ctx.mustBe('ec00024'))
