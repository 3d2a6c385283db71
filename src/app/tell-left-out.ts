/**
 * An answer of the CRM was larger than is taken (sync RULES PL11): people are told what is missing and what to do, in a banner
 * that stays until it is closed.
 */
import type { I18n } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { Services } from '#data/app-context.tsx'
import { ANSWER_ROWS_MAX } from '#schemas/limits.ts'

export function tellLeftOut(flash: Pick<Services['flash'], 'put'>, i18n: I18n): void {
  const most = ANSWER_ROWS_MAX.toLocaleString('ja-JP')
  flash.put('left-out', {
    mode: 'warning',
    title: i18n._(msg`CRMの内容を一部省いています`),
    text: i18n._(
      msg`大きすぎる内容は、文章は「…」まで、一覧は${most}行までを表示します。続きが必要なときは、担当者に連絡してください。`,
    ),
    stays: true,
  })
}
