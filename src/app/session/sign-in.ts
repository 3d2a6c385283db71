/** Signs a user in, or returns the message of a failed login. Loaded with the tap on ログイン. */
import type { Session } from '#schemas/device/session.ts'
import type { SignInResult } from '#data/context/app-context.tsx'
import { i18n } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { messages } from '#messages/messages.ts'
import { reasonText } from '#messages/reason-text.ts'
import { databaseName } from '#data/database/database-name.ts'
import { hasShapeOf } from '#lib/browser/stored-json.ts'
import type { DeviceValues } from '#app/config/device-values.ts'
import type { Keys, KnownUser } from '#app/session/state/keys.ts'
import type { Network } from '#app/network/network.ts'
import { openTries } from '#app/session/lock/tries.ts'
import type { DeviceSessions } from '#app/session/state/session-store.ts'
import type { DeviceSettings } from '#app/config/settings.ts'

export async function signIn(parts: {
  settings: Pick<DeviceSettings, 'problem'>
  network: Promise<Pick<Network, 'signIn' | 'scope'>>
  sessions: Pick<DeviceSessions, 'get' | 'write'>
  values: DeviceValues
  keys: () => Promise<Keys>
  draft: { userName: string; password: string }
}): Promise<SignInResult> {
  const { settings, network, sessions, values, keys, draft } = parts
  // Wrong settings end the login with a message, because only the operator can correct them.
  const problem = await settings.problem()
  if (problem !== null) return { kind: 'failed', message: problem }
  const { userName, password } = draft
  const { scope, signIn: callLogin } = await network
  // The CRM is called while the device loads the encryption keys and tries the password on them.
  const calling = callLogin(draft)
  // `await calling` below throws an error of the call. Until then the error must not count as unhandled.
  calling.catch(() => undefined)
  const trying = await (await keys()).trying(userName, password)
  const tries = openTries({ values, scope, now: Date.now })
  const result = await calling
  switch (result.kind) {
    case 'signed-in': {
      const { session } = result
      const login = {
        user: await databaseName(session.userInfo.id, scope),
        userName,
        who: { userName: session.userName, userInfo: session.userInfo },
      }
      await trying.login(login, () => sessions.write(session))
      await tries.right()
      return { kind: 'signed-in' }
    }
    case 'refused': {
      const [reason] = result.reasons
      return { kind: 'failed', message: reason ? reasonText(i18n, reason) : i18n._(messages.loginFailed) }
    }
    case 'unreachable':
    case 'busy':
    case 'unexpected': {
      // Without an answer of the CRM, the right password opens the stored data. The app sends nothing before the CRM
      // accepts the password.
      const minutes = Math.ceil(tries.wait() / MINUTE_MS)
      if (minutes > 0) return { kind: 'failed', message: i18n._(waitText(minutes)) }
      await tries.begin()
      const isOpen = await trying.offline((who) => sessions.write(sessionOf(who)))
      if (!isOpen) return { kind: 'failed', message: i18n._(NO_ANSWER[result.kind]) }
      await tries.right()
      return { kind: 'signed-in' }
    }
  }
}

const MINUTE_MS = 60_000

const waitText = (minutes: number) =>
  msg`電波がなく、パスワードの間違いが続きました。約${minutes}分待って、もう一度お試しください。`

const NO_ANSWER = {
  unreachable: messages.loginOffline,
  busy: messages.loginBusy,
  unexpected: messages.unexpected,
}

/** Returns an expired session, which shows stored data until the next login (decisions/session). */
function sessionOf(who: KnownUser): Session {
  if (!hasShapeOf(who, USER_SHAPE)) throw new Error('the stored user has another shape')
  return { ...who, expired: true, accessToken: '', refreshToken: '' }
}

const USER_SHAPE: KnownUser = { userName: '', userInfo: { id: '', userFlag: 0, loginUserName: '' } }
