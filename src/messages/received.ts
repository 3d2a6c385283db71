/** The banner for shared photos that are not yet in a form (decisions/photos). */
import type { I18n } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { BannerPlace } from '#lib/flash-kinds.ts'

export const RECEIVED = 'received'

/** Shows how many shared photos wait for a form. Removes the banner if `count` is 0. */
export function notifyReceived(flash: Pick<BannerPlace, 'put' | 'remove'>, i18n: I18n, count: number): void {
  if (count === 0) return flash.remove(RECEIVED)
  flash.put(RECEIVED, {
    mode: 'info',
    title: i18n._(msg`共有された写真${count}枚が待っています`),
    text: i18n._(msg`依頼とフォームを選ぶと追加します。選ばないと、1日たつと消えます。`),
    link: { path: '/share', text: i18n._(msg`依頼を選ぶ`) },
    stays: true,
  })
}
