/** What is 封印中 is said when its user's data opens: nobody looks for it in 送信状況 by themselves (sync RULES SV3). */
import type { I18n } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { ASIDE, type FlashStore } from '#data/flash-store.ts'
import type { Aside } from '#data/seal/aside.ts'

interface Parts {
  aside: Pick<Aside, 'get' | 'subscribe'>
  flash: Pick<FlashStore, 'has' | 'put' | 'remove'>
  i18n: I18n
}

/** @returns what takes it away again, with the user's data */
export function tellAside({ aside, flash, i18n }: Parts): () => void {
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
