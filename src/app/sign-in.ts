/** The login in words, loaded with the tap on ログイン: the first screen needs none of it. */
import type { Services } from '#data/app-context.tsx'
import { i18n } from '@lingui/core'
import { messages } from '#messages/messages.ts'
import { reasonText } from '#messages/reason-text.ts'
import type { Network } from './network.ts'
import type { DeviceSessions } from './session-store.ts'
import type { DeviceSettings } from './settings.ts'

interface SignIn {
  settings: Pick<DeviceSettings, 'problem'>
  network: Promise<Network>
  sessions: DeviceSessions
  draft: { userName: string; password: string }
}

export async function signIn({ settings, network, sessions, draft }: SignIn): ReturnType<Services['signIn']> {
  // what is wrong with the settings is for whoever operates the app: it is said here, for there is no way on
  const problem = await settings.problem()
  if (problem !== null) return { kind: 'failed', message: problem }
  const result = await (await network).signIn(draft)
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
