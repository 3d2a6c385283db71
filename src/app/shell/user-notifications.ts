/** Notifications about the open data: saves, a sent queue, the count on the app icon, and banners about its state. */
import { i18n, type I18n } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { LANGUAGES, shownLanguage } from '#lib/language.ts'
import type { Services, UserData } from '#data/context/app-context.tsx'
import { messages } from '#messages/messages.ts'
import { buzz, watchBadge } from '#app/network/device-signals.ts'
import type { Network } from '#app/network/network.ts'
import { watchQueueSent } from './notify-queue-sent.ts'
import { notifySaves } from './save-notifications.ts'
import { LOCKED_DATA_FLASH, type FlashStore } from '#data/context/flash-store.ts'
import type { LockedData } from '#data/locked/locked-data.ts'
import { ANSWER_ROWS_MAX } from '#schemas/limits.ts'

/** @returns `saved` is called after each save */
export function notifyUser(
  services: Services,
  { connectivity }: Network,
  { db, bytes, drafts, lockedData }: Omit<UserData, 'saved'>,
): { saved: UserData['saved']; stop: () => void } {
  watchQueueSent(db, connectivity, () => services.flash.show('success', i18n._(messages.replayed)))
  const telling = notifySaves({ ...services, db, bytes, drafts, i18n, buzz: (what) => buzz(navigator, what) })
  const stopCounting = watchBadge(navigator, db, services.crms)
  const stopLockedData = notifyLockedData({ lockedData, flash: services.flash, i18n })
  return {
    saved: telling.saved,
    stop() {
      telling.stop()
      stopCounting()
      stopLockedData()
    },
  }
}

interface LockedDataNotice {
  lockedData: Pick<LockedData, 'get' | 'subscribe'>
  flash: Pick<FlashStore, 'has' | 'put' | 'remove'>
  i18n: I18n
}

/**
 * Shows a banner for 封印中 data when its user's data opens: few users would find it in 送信状況 (sync RULES SV3).
 * @returns removes the banner
 */
export function notifyLockedData({ lockedData, flash, i18n }: LockedDataNotice): () => void {
  const tell = (count: number) =>
    flash.put(LOCKED_DATA_FLASH, {
      mode: 'warning',
      about: 'sealed',
      title: i18n._(msg`封印中の内容が${count}件あります`),
      text: i18n._(msg`パスワードが変わる前に保存した内容です。以前のパスワードを入力すると送信します。`),
      link: { path: '/outbox', text: i18n._(msg`送信状況で開く`) },
      stays: true,
    })
  if (lockedData.get() > 0) tell(lockedData.get())
  // another tab may open some of it; a banner that the user closed is not shown again
  const stop = lockedData.subscribe(() => {
    if (lockedData.get() === 0) flash.remove(LOCKED_DATA_FLASH)
    else if (flash.has(LOCKED_DATA_FLASH)) tell(lockedData.get())
  })
  return () => {
    stop()
    flash.remove(LOCKED_DATA_FLASH)
  }
}

/**
 * Shows that an answer of the CRM was truncated (sync RULES PL11): what is missing and what to do, in a banner that stays
 * until it is closed.
 */
export function notifyTruncated(flash: Pick<FlashStore, 'put'>): void {
  const most = ANSWER_ROWS_MAX.toLocaleString(LANGUAGES[shownLanguage()].html)
  flash.put('left-out', {
    mode: 'warning',
    title: i18n._(msg`CRMの内容を一部省いています`),
    text: i18n._(
      msg`大きすぎる内容は、文章は「…」まで、一覧は${most}行までを表示します。続きが必要なときは、担当者に連絡してください。`,
    ),
    stays: true,
  })
}

/** Shows that rows which this app did not write are not used (decisions/encryption). */
export function notifyRefusedRows(flash: Pick<FlashStore, 'put'>): void {
  flash.put('refused', {
    mode: 'danger',
    title: i18n._(msg`端末の内容の一部を使っていません`),
    text: i18n._(
      msg`このアプリが書いたままではない内容が端末にありました。表示も送信もしません。送信状況を確かめて、設定からエラーログを送信してください。`,
    ),
    stays: true,
  })
}

interface DefaultLockNotice {
  lock: Pick<Services['lock'], 'control' | 'isChosen'>
  flash: Pick<FlashStore, 'put'>
  i18n: I18n
}

/**
 * Sets the screen lock by default if a passkey could open it, and shows that once (decisions/encryption). Not before the
 * user's data is open: without a key nothing could unlock the screen.
 */
export async function notifyDefaultLock({ lock, flash, i18n }: DefaultLockNotice): Promise<void> {
  // without passkeys the lock's code is not loaded
  if (lock.isChosen() || !('PublicKeyCredential' in globalThis)) return
  if (!(await (await lock.control()).setByDefault())) return
  flash.put('default-lock', {
    mode: 'info',
    title: i18n._(msg`アプリを離れて15分たつと、画面をロックします`),
    text: i18n._(msg`ログインのパスワードで開きます。設定でパスキーを登録すると、顔や指紋でも開けます。`),
    link: { path: '/settings', text: i18n._(msg`設定を開く`) },
  })
}
