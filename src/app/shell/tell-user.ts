/** What a user is told of the open data: saves, a queue that was sent, the count on the app's icon, and banners of its state. */
import { i18n, type I18n } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { Services, UserData } from '#data/app-context.tsx'
import { messages } from '#messages/messages.ts'
import { buzz, watchBadge } from '#app/network/device-signals.ts'
import type { Network } from '#app/network/network.ts'
import { watchReplay } from './replayed.ts'
import { tellSaves } from './tell-saves.ts'
import type { OpenedUserData } from '#app/session/user-data.ts'
import { ASIDE, type FlashStore } from '#data/flash-store.ts'
import type { Aside } from '#data/seal/aside.ts'
import { ANSWER_ROWS_MAX } from '#schemas/limits.ts'

/** @returns what a save is told to, and what ends the watch */
export function tellUser(
  services: Services,
  { connectivity }: Network,
  { db, bytes, drafts, aside }: OpenedUserData,
): { saved: UserData['saved']; stop: () => void } {
  watchReplay(db, connectivity, () => services.flash.show('success', i18n._(messages.replayed)))
  const telling = tellSaves({ ...services, db, bytes, drafts, i18n, buzz: (what) => buzz(navigator, what) })
  const stopCounting = watchBadge(navigator, db, services.crms)
  const stopAside = tellAside({ aside, flash: services.flash, i18n })
  return {
    saved: telling.saved,
    stop() {
      telling.stop()
      stopCounting()
      stopAside()
    },
  }
}

interface TellAside {
  aside: Pick<Aside, 'get' | 'subscribe'>
  flash: Pick<FlashStore, 'has' | 'put' | 'remove'>
  i18n: I18n
}

/**
 * What is 封印中 is said when its user's data opens: nobody looks for it in 送信状況 by themselves (sync RULES SV3).
 * @returns what takes it away again, with the user's data
 */
export function tellAside({ aside, flash, i18n }: TellAside): () => void {
  const tell = (count: number) =>
    flash.put(ASIDE, {
      mode: 'warning',
      about: 'sealed',
      title: i18n._(msg`封印中の内容が${count}件あります`),
      text: i18n._(msg`パスワードが変わる前に保存した内容です。以前のパスワードを入力すると送信します。`),
      link: { path: '/outbox', text: i18n._(msg`送信状況で開く`) },
      stays: true,
    })
  if (aside.get() > 0) tell(aside.get())
  // another tab may have opened some of it; who has put the banner away is not told again
  const stop = aside.subscribe(() => {
    if (aside.get() === 0) flash.remove(ASIDE)
    else if (flash.has(ASIDE)) tell(aside.get())
  })
  return () => {
    stop()
    flash.remove(ASIDE)
  }
}

/**
 * An answer of the CRM was larger than is taken (sync RULES PL11): people are told what is missing and what to do, in a banner
 * that stays until it is closed.
 */
export function tellLeftOut(flash: Pick<FlashStore, 'put'>): void {
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

/** What lies on the device and is not as this app wrote it (decisions/encryption): people are told that it is not used. */
export function tellRefused(flash: Pick<FlashStore, 'put'>): void {
  flash.put('refused', {
    mode: 'danger',
    title: i18n._(msg`端末の内容の一部を使っていません`),
    text: i18n._(
      msg`このアプリが書いたままではない内容が端末にありました。表示も送信もしません。送信状況を確かめて、設定からエラーログを送信してください。`,
    ),
    stays: true,
  })
}

interface TellDefaultLock {
  lock: Pick<Services['lock'], 'control' | 'isChosen'>
  flash: Pick<FlashStore, 'put'>
  i18n: I18n
}

/**
 * The screen is locked by default where a passkey could open it, which is told once (decisions/encryption): when a user's
 * data opens, for before there is a key nothing could open it again.
 */
export async function tellDefaultLock({ lock, flash, i18n }: TellDefaultLock): Promise<void> {
  // without passkeys nothing of the lock is loaded
  if (lock.isChosen() || !('PublicKeyCredential' in globalThis)) return
  if (!(await (await lock.control()).setByDefault())) return
  flash.put('default-lock', {
    mode: 'info',
    title: i18n._(msg`アプリを離れて15分たつと、画面をロックします`),
    text: i18n._(msg`ログインのパスワードで開きます。設定でパスキーを登録すると、顔や指紋でも開けます。`),
    link: { path: '/settings', text: i18n._(msg`設定を開く`) },
  })
}
