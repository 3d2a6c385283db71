/**
 * What lies on the device and is not as this app wrote it (decisions/encryption): people are told that it is not used.
 */
import type { I18n } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { Services } from '#data/app-context.tsx'

export function tellRefused(flash: Pick<Services['flash'], 'put'>, i18n: I18n): void {
  flash.put('refused', {
    mode: 'danger',
    title: i18n._(msg`端末の内容の一部を使っていません`),
    text: i18n._(
      msg`このアプリが書いたままではない内容が端末にありました。表示も送信もしません。送信状況を確かめて、設定からエラーログを送信してください。`,
    ),
    stays: true,
  })
}
