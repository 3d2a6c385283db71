/** Why what the device has stored is not open, in words that stay until it is (decisions 0060, 0061). */
import type { I18n, MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { FlashMode, FlashStore } from '#data/flash-store.ts'

export type StoresTold =
  | 'open'
  | 'not-opened'
  /** A version before has them open. */
  | 'in-another-tab'
  /** A migration failed: all is as it was. */
  | 'not-moved'
  /** An update was not taken, and the app goes on as it was. */
  | 'not-updated'
  | 'close-other-tabs'
  /** A later version wrote them. */
  | 'newer'
  /** Sealed, and the key is not on the device. */
  | 'locked'
export type TellStores = (what: StoresTold) => void

const KEY = 'stores'

const TEXTS: Record<Exclude<StoresTold, 'open'>, { mode: FlashMode; text: MessageDescriptor }> = {
  'not-opened': {
    mode: 'danger',
    text: msg`端末の保存領域を開けませんでした。ほかのタブを閉じて、もう一度開いてください。`,
  },
  'in-another-tab': {
    mode: 'warning',
    text: msg`前の版のアプリがほかのタブで開いています。そのタブを閉じると、続きを開きます。保存済の内容は消えません。`,
  },
  'not-moved': {
    mode: 'danger',
    text: msg`端末に保存済の内容を、新しい版に移せませんでした。内容は消えていません。端末の空きを増やして、もう一度開いてください。設定からエラーログを送信すると、原因を調べられます。`,
  },
  'not-updated': {
    mode: 'warning',
    text: msg`新しい版に更新できませんでした。前の版のまま使えます。保存済の内容は消えていません。設定からエラーログを送信すると、原因を調べられます。`,
  },
  'close-other-tabs': {
    mode: 'warning',
    text: msg`ほかのタブでアプリが開いています。そのタブを閉じて、もう一度「更新する」を押してください。`,
  },
  locked: {
    mode: 'danger',
    text: msg`端末に保存済の内容は暗号化されています。ログアウトして、もう一度ログインすると開きます。内容は消えていません。`,
  },
  newer: {
    mode: 'danger',
    text: msg`端末に保存済の内容は、新しい版のアプリのものです。消えていません。電波の届く場所で読み込み直すと、新しい版になり、続きを開けます。`,
  },
}

export function tellStores(what: StoresTold, { flash, i18n }: { flash: FlashStore; i18n: I18n }): void {
  if (what === 'open') return flash.remove(KEY)
  const { mode, text } = TEXTS[what]
  flash.put(KEY, { mode, text: i18n._(text), stays: true })
}
