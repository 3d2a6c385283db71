import { cleanup, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import type { LockControl, PasskeyState, Unlocking } from '#data/context/app-context.tsx'
import { LockScreen } from '#features/session/lock-screen.tsx'
import { iconsIn } from '../../support/icons.ts'
import { renderFeature, testLock, testValue } from '../../support/render-feature.tsx'
import { sooner } from '../../support/sooner.ts'

const MINUTE = 60_000

/** A lock that `password` opens, and a passkey where there is one. */
async function open(passkeyState: PasskeyState = 'none', tries = 5) {
  let wrong = 0
  const wait = () => (wrong >= tries ? MINUTE : 0)
  const unlock = vi.fn<LockControl['unlock']>(async (password) => {
    if (wait() > 0) return { kind: 'wait', waitMs: wait() }
    if (password === 'password') return { kind: 'open' }
    wrong += 1
    return { kind: 'wrong', waitMs: wait() }
  })
  const unlockByPasskey = vi.fn<() => Promise<Unlocking>>(async () => ({ kind: 'failed' }))
  const passkey = testValue<PasskeyState | null>(passkeyState)
  const lock = testLock({ unlock, unlockByPasskey, passkey, wait })
  const opened = await renderFeature(<LockScreen />, { services: { lock } })
  const { screen, user } = opened
  const password = await screen.findByLabelText<HTMLInputElement>(/^パスワード/)
  const press = (name: string) => user.click(screen.getByRole('button', { name }))
  const type = async (text: string) => {
    await user.type(password, text)
    await press('開く')
  }
  return { ...opened, password, press, type, unlock, unlockByPasskey }
}

test('[SV6] the lock screen has the name of the app and no other data; a wrong password is said, and is cleared', async () => {
  const { screen, password, type, unlock, press } = await open()
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('ロック中')
  await waitFor(() => expect(document.title).toBe('ロック中 | 現場ワーク'))
  expect(document.body.textContent).not.toContain('大西')
  await press('開く')
  expect(unlock).not.toHaveBeenCalled()
  await type('wrong')
  await screen.findByText('パスワードが違います。')
  await waitFor(() => expect(password.value).toBe(''))
  await type('password')
  await waitFor(() => expect(unlock).toHaveBeenLastCalledWith('password'))
  await waitFor(() => expect(screen.queryByText('パスワードが違います。')).toBeNull())
})

test('[SV6] after wrong tries it says how long one waits, and takes no press until then', async () => {
  const { screen, type } = await open('none', 2)
  await type('wrong')
  await screen.findByText('パスワードが違います。')
  await type('wrong')
  const wait = await screen.findByText('パスワードの間違いが続きました。あと約1分で、もう一度試せます。')
  expect(iconsIn(wait.closest('[role]') ?? wait)).toEqual(['clock'])
  expect(screen.getByRole<HTMLButtonElement>('button', { name: '開く' }).disabled).toBe(true)
})

test('[SV6] a passkey that does not open leads to the password; without one there is no button', async () => {
  const { screen, press, unlockByPasskey } = await open('set')
  await press('パスキーで開く')
  await screen.findByText('パスキーで開けませんでした。パスワードで開いてください。')
  expect(unlockByPasskey).toHaveBeenCalledOnce()
})

test('[SV6] where a passkey could open it and none is set, where to set one is said', async () => {
  const { screen } = await open('none')
  screen.getByText(/設定でパスキーを登録すると/)
  cleanup()
  const without = await open('unsupported')
  expect(without.screen.queryByText(/パスキー/)).toBeNull()
})

test('[SV4] ログアウト asks first, and says that nothing is lost', async () => {
  const { screen, press, services } = await open()
  expect(screen.queryByRole('button', { name: 'パスキーで開く' })).toBeNull()
  await press('ログアウト')
  await screen.findByText(/未送信の内容は端末に残り/)
  await press('いいえ')
  expect(services.signOut).not.toHaveBeenCalled()
  await press('ログアウト')
  await press('はい')
  expect(services.signOut).toHaveBeenCalledOnce()
})

test('[SV1] a ログアウト that the device did not take is said', async () => {
  const { screen, press, services } = await open()
  vi.mocked(services.signOut).mockRejectedValueOnce(new DOMException('lost', 'UnknownError'))
  await press('ログアウト')
  await press('はい')
  expect((await screen.findByRole('alert')).textContent).toBe(
    'ログアウトできませんでした。もう一度お試しください。',
  )
  expect(services.errorLog.note).toHaveBeenCalledOnce()
})

test.each([
  ['does not answer', () => new Promise<never>(() => undefined)],
  ['cannot be opened', async () => Promise.reject(new Error('broken'))],
])('[SV6][hands] a lock whose store %s says so, and has ways out', async (_, control) => {
  sooner(3_000)
  const { screen, user, services } = await renderFeature(<LockScreen />, {
    services: { lock: { ...testLock(), control } },
  })
  expect(await screen.findByText(/端末の保存領域から、まだ返事がありません。/)).toBeTruthy()
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('ロック中')
  expect(screen.getByRole('button', { name: '読み込み直す' })).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'ログアウト' }))
  await user.click(screen.getByRole('button', { name: 'はい' }))
  expect(services.signOut).toHaveBeenCalledOnce()
})
