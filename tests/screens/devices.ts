/** The pictures of a device whose passkeys can open what is sealed. One after the other, each where the one before has ended. */
import type { Page } from '@playwright/test'
import type { Shot } from './demo.ts'
import * as step from './steps.ts'
import { PLATFORM_AUTHENTICATOR } from '../support/platform-authenticator.ts'

/** A platform authenticator whose passkeys can open what is sealed, and a page that begins when its clock says so. */
export async function withPasskeys(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const begun = Date.now()
    Object.defineProperty(performance, 'timeOrigin', { get: () => begun })
  })
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  await session.send('WebAuthn.addVirtualAuthenticator', PLATFORM_AUTHENTICATOR)
}

export const deviceShots: readonly Shot[] = [
  {
    name: 'settings-passkey',
    heading: '設定',
    at: '/settings',
    press: ['パスキーを登録する'],
    act: step.all(step.said('次からパスキーで開けます。'), step.toSection('画面のロック')),
  },
  { name: 'locked-passkey', heading: 'ロック中', at: '/request', act: step.lockScreen },
]
