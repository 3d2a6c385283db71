/**
 * Returns the message for an invalid field (spec 5). A schema gives issues; a validator on the
 * field gives a message key:
 *
 *     blank value                      ec00001  {field}は必須です
 *     longer than the limit            ec00003  {field}は{n}文字以内で入力してください
 *     `ctx.mustBe('ec00025')`          message ec00025, whose key the schema gives (`schemas/declare/text-rules.ts`)
 *     `ctx.mustBe('integerDigits:9')`  message integerDigits with n = 9
 *     anything else                    有効な{field}を入力してください
 */
import type { I18n } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { isMessageKey, messageText } from './messages.ts'

/** The word that fills {type} in message ec00004. */
const NUMBER = msg`数値`

/** The part of an ArkType error that is used here. */
interface Issue {
  code: string
  data?: unknown
  expected?: string
  rule?: unknown
}

const isIssue = (error: unknown): error is Issue =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string'

const isBlank = (value: unknown) =>
  value === '' || value === null || value === undefined || (Array.isArray(value) && value.length === 0)

/**
 * Returns the message of a field's first error; undefined if the field has no error.
 * @param errors the field's errors in TanStack Form: schema issues, message keys or texts
 * @param label the field's label
 */
export function fieldMessage(i18n: I18n, errors: readonly unknown[], label: string): string | undefined {
  const [error] = errors.flat().filter(Boolean)
  if (error === undefined) return undefined
  if (typeof error === 'string')
    return isMessageKey(error) ? messageText(i18n, error, { field: label }) : error
  return isIssue(error)
    ? issueMessage(i18n, error, label)
    : messageText(i18n, 'invalidField', { field: label })
}

function issueMessage(i18n: I18n, { code, data, expected = '', rule }: Issue, field: string): string {
  const [key = '', n = ''] = expected.split(':')
  if (isMessageKey(key)) return messageText(i18n, key, { field, n, type: i18n._(NUMBER) })
  if (isBlank(data)) return messageText(i18n, 'ec00001', { field })
  if (code === 'maxLength') return messageText(i18n, 'ec00003', { field, n: Number(rule) })
  if (expected === 'an email address') return messageText(i18n, 'ec00024')
  return messageText(i18n, 'invalidField', { field })
}
