/** The login in words, loaded with the tap on ログイン: the first screen needs none of it. */
import type { Services } from '#data/app-context.tsx'
import { i18n } from '@lingui/core'
import { messages } from '#messages/messages.ts'
import { reasonText } from '#messages/reason-text.ts'
import type { Network } from './network.ts'
import type { DeviceSessions } from './session-store.ts'

export async function signIn(
  network: Network,
  sessions: DeviceSessions,
  draft: { userName: string; password: string },
): ReturnType<Services['signIn']> {
  const result = await network.signIn(draft)
  switch (result.kind) {
    case 'signed-in':
      await sessions.write(result.session)
      return { kind: 'signed-in' }
    case 'refused': {
      const [reason] = result.reasons
      return { kind: 'failed', message: reason ? reasonText(i18n, reason) : i18n._(messages.loginFailed) }
    }
    case 'unreachable':
      return { kind: 'failed', message: i18n._(messages.loginOffline) }
    case 'busy':
      return { kind: 'failed', message: i18n._(messages.loginBusy) }
    case 'unexpected':
      return { kind: 'failed', message: i18n._(messages.unexpected) }
  }
}
