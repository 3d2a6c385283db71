/** The screen is locked by default where a passkey could open it, which is told once (decisions/encryption). */
import type { I18n } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { Services } from '#data/app-context.tsx'
import type { FlashStore } from '#data/flash-store.ts'

interface Parts {
  lock: Pick<Services['lock'], 'control' | 'isChosen'>
  flash: Pick<FlashStore, 'put'>
  i18n: I18n
}

/** When a user's data opens: before there is a key nothing could open it again. */
export async function tellDefaultLock({ lock, flash, i18n }: Parts): Promise<void> {
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
