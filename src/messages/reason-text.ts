import type { I18n } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { isMessageKey, messageText } from './messages.ts'

/** What a reason without its own values speaks of. */
const SUBJECT = msg`データ`
const FIELD = msg`項目`
const AMOUNT = msg`所定の`

/**
 * Why something was refused, in words. The CRM answers with keys of the table or with plain texts (crm-contract 3);
 * a key this version does not know is shown as it is, never hidden.
 * @param values what the text speaks of, where it is known: `{ subject: '速報' }`
 */
export function reasonText(i18n: I18n, reason: string, values: Record<string, string> = {}): string {
  if (!isMessageKey(reason)) return reason
  const usual = { subject: i18n._(SUBJECT), field: i18n._(FIELD), n: i18n._(AMOUNT) }
  return messageText(i18n, reason, { ...usual, ...values })
}

/** Why a change was refused, one reason below another; the CRM may have said none. */
export const refusalText = (
  i18n: I18n,
  { reasons, status }: { reasons: readonly string[]; status: number },
): string =>
  reasons.length > 0
    ? reasons.map((reason) => reasonText(i18n, reason)).join('\n')
    : reasonText(i18n, status === 404 ? 'ec00002' : 'systemError')
