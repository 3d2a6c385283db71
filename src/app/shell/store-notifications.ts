/** Shows why the stores are not open (decisions/updates): in a banner, or as a text in place of the screens. */
import type { I18n, MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { FlashStore } from '#data/context/flash-store.ts'
import type { FlashMode } from '#lib/flash-kinds.ts'

export type StoresState =
  | 'open'
  | 'not-opened'
  | 'in-another-tab'
  | 'not-moved'
  | 'not-updated'
  | 'close-other-tabs'
  /** A later version of the app has written the stores, so that this version cannot open them. */
  | 'newer'
  | 'locked'
export type NotifyStores = (state: StoresState) => void

const KEY = 'stores'

const CLOSED: Partial<Record<StoresState, MessageDescriptor>> = {
  'not-opened': msg`端末の保存領域を開けませんでした。ほかのタブを閉じて、もう一度開いてください。`,
  'not-moved': msg`端末に保存済の内容を、新しい版に移せませんでした。内容は消えていません。端末の空きを増やして、もう一度開いてください。設定からエラーログを送信すると、原因を調べられます。`,
  newer: msg`端末に保存済の内容は、新しい版のアプリのものです。消えていません。電波の届く場所で読み込み直すと、新しい版になり、続きを開けます。`,
  locked: msg`端末に保存済の内容は暗号化されています。ログアウトして、もう一度ログインすると開きます。内容は消えていません。`,
}

const BANNERS: Partial<Record<StoresState, { mode: FlashMode; text: MessageDescriptor }>> = {
  'in-another-tab': {
    mode: 'warning',
    text: msg`前の版のアプリがほかのタブで開いています。そのタブを閉じると、続きを開きます。保存済の内容は消えません。`,
  },
  'not-updated': {
    mode: 'warning',
    text: msg`新しい版に更新できませんでした。前の版のまま使えます。保存済の内容は消えていません。設定からエラーログを送信すると、原因を調べられます。`,
  },
  'close-other-tabs': {
    mode: 'warning',
    text: msg`ほかのタブでアプリが開いています。そのタブを閉じて、もう一度「更新する」を押してください。`,
  },
}

export function notifyStores(
  state: StoresState,
  { flash, i18n, closed }: { flash: FlashStore; i18n: I18n; closed: { set(why: string | null): void } },
): void {
  const [why, banner] = [CLOSED[state], BANNERS[state]]
  if (banner) return flash.put(KEY, { mode: banner.mode, text: i18n._(banner.text), stays: true })
  flash.remove(KEY)
  closed.set(why ? i18n._(why) : null)
}
