/** Notifications while a user's data is open: saves, end of sending, unsent count, locked or incomplete data. */
import type { ValueStore } from '#lib/value-store.ts'
import { i18n, type I18n } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { LANGUAGES, shownLanguage } from '#lib/language.ts'
import type {
  NetworkServices,
  NoticeServices,
  ScreenLock,
  SessionServices,
  UserData,
} from '#data/context/app-context.tsx'
import { messages } from '#messages/messages.ts'
import { buzz, watchBadge } from '#app/network/device-signals.ts'
import type { Network } from '#app/network/network.ts'
import { notifySaves } from './save-notifications.ts'
import { LOCKED_DATA_FLASH, type FlashStore } from '#data/context/flash-store.ts'
import { ANSWER_ROWS_MAX } from '#schemas/limits.ts'
import { combineLatest, type Subscription } from 'rxjs'
import type { Database } from '#data/database/database.ts'
import { outbox$, sendableOf } from '#data/outbox/outbox.ts'
import type { Connectivity } from '#sync/runtime/connectivity.ts'

/** @returns `saved` must be called after each save */
export function notifyUser(
  services: SessionServices & NetworkServices & NoticeServices,
  { connectivity }: Network,
  { db, bytes, drafts, lockedData }: Omit<UserData, 'saved' | 'painted'>,
): { saved: UserData['saved']; stop: () => void } {
  const queueSent = watchQueueSent(db, connectivity, () =>
    services.flash.show('success', i18n._(messages.replayed)),
  )
  const saves = notifySaves({ ...services, db, bytes, drafts, i18n, buzz: (event) => buzz(navigator, event) })
  const stopCounting = watchBadge(navigator, db, services.crms)
  const stopLockedData = notifyLockedData({ lockedData, flash: services.flash, i18n })
  return {
    saved: saves.saved,
    stop() {
      queueSent.unsubscribe()
      saves.stop()
      stopCounting()
      stopLockedData()
    },
  }
}

type NoticePlace = { flash: FlashStore; i18n: I18n }

/** Shows a banner for 封印中 data, which few users would find in 送信状況 (sync RULES SV3). @returns removes it */
export function notifyLockedData({
  lockedData,
  flash,
  i18n,
}: NoticePlace & { lockedData: ValueStore<number> }): () => void {
  const show = (count: number) =>
    flash.put(LOCKED_DATA_FLASH, {
      mode: 'warning',
      about: 'sealed',
      title: i18n._(msg`封印中の内容が${count}件あります`),
      text: i18n._(msg`パスワードが変わる前に保存した内容です。以前のパスワードを入力すると送信します。`),
      link: { path: '/outbox', text: i18n._(msg`送信状況で開く`) },
      stays: true,
    })
  if (lockedData.get() > 0) show(lockedData.get())
  // Another tab may open some of the 封印中 data. A banner that the user has closed is not shown again.
  const stop = lockedData.subscribe(() => {
    if (lockedData.get() === 0) flash.remove(LOCKED_DATA_FLASH)
    else if (flash.has(LOCKED_DATA_FLASH)) show(lockedData.get())
  })
  return () => {
    stop()
    flash.remove(LOCKED_DATA_FLASH)
  }
}

/** Shows that an answer of the CRM was truncated, with advice (sync RULES PL11). */
export function notifyTruncated(flash: FlashStore): void {
  const most = ANSWER_ROWS_MAX.toLocaleString(LANGUAGES[shownLanguage()].html)
  flash.put('truncated-answer', {
    mode: 'warning',
    title: i18n._(msg`CRMの内容を一部省いています`),
    text: i18n._(
      msg`大きすぎる内容は、文章は「…」まで、一覧は${most}行までを表示します。続きが必要なときは、担当者に連絡してください。`,
    ),
    stays: true,
  })
}

/** Shows that the stores contain rows that this app did not write and does not use (decisions/encryption). */
export function notifyRefusedRows(flash: FlashStore): void {
  flash.put('refused', {
    mode: 'danger',
    title: i18n._(msg`端末の内容の一部を使っていません`),
    text: i18n._(
      msg`このアプリが書いたままではない内容が端末にありました。表示も送信もしません。送信状況を確かめて、設定からエラーログを送信してください。`,
    ),
    stays: true,
  })
}

/** Sets the lock by default if a passkey could open it, and says so once. Call it when the user's data is open. */
export async function notifyDefaultLock({
  lock,
  flash,
  i18n,
}: NoticePlace & { lock: ScreenLock }): Promise<void> {
  // Browsers without passkeys return here, so that they do not load the lock's code.
  if (lock.isChosen() || !('PublicKeyCredential' in globalThis)) return
  if (!(await (await lock.control()).setByDefault())) return
  flash.put('default-lock', {
    mode: 'info',
    title: i18n._(msg`アプリを離れて15分たつと、画面をロックします`),
    text: i18n._(msg`ログインのパスワードで開きます。設定でパスキーを登録すると、顔や指紋でも開けます。`),
    link: { path: '/settings', text: i18n._(msg`設定を開く`) },
  })
}

/** Watches work that was saved without a signal (sync RULES ST2). @param onSent called when some is accepted */
export function watchQueueSent(db: Database, connectivity: Connectivity, onSent: () => void): Subscription {
  let waited = new Set<string>()
  let onlineSince = 0
  return combineLatest([outbox$(db), connectivity.online$]).subscribe(([outbox, online]) => {
    const { progress } = outbox
    const sendable = sendableOf(outbox)
    if (!online) onlineSince = 0
    else onlineSince ||= performance.now()
    for (const { change } of sendable) if (!online || change.offline) waited.add(change.id)
    if (sendable.length > 0 || waited.size === 0) return
    const sent = [...waited].some((id) => progress.get(id)?.state === 'accepted')
    waited = new Set()
    if (!sent) return
    performance.clearMeasures('sync:replay')
    performance.measure('sync:replay', { start: onlineSince })
    onSent()
  })
}
