/** The messages that the first screen needs. `messages.ts` has all messages and is loaded later. */
import type { I18n, MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'

export const firstMessages = {
  ec00001: msg({ id: 'ec00001', message: '{field}は必須です' }),
  ec00005: msg({ id: 'ec00005', message: 'セッション情報が切れました。再ログインしてください。' }),
  unexpected: msg({ id: 'unexpected', message: '予期しないエラーが発生しました。' }),
  loginOffline: msg({
    id: 'loginOffline',
    message: '電波がないためログインできません。電波の届く場所でもう一度お試しください。',
  }),
} satisfies Record<string, MessageDescriptor>

export function filledText(
  i18n: I18n,
  message: MessageDescriptor,
  values: Record<string, string | number> = {},
): string {
  const descriptor: MessageDescriptor = { ...message, values }
  return i18n._(descriptor)
}
