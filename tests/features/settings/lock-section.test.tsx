import { waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import type { LockControl, PasskeyAdded, PasskeyState } from '#data/context/app-context.tsx'
import { LockSection } from '#features/settings/settings-screen.tsx'
import { renderFeature, testAfter, testLock, testValue } from '../../support/render-feature.tsx'

async function open(passkeyState: PasskeyState, added: PasskeyAdded = 'set') {
  const passkey = testValue<PasskeyState | null>(passkeyState)
  const after = testAfter('off')
  const addPasskey = vi.fn<LockControl['addPasskey']>(async () => {
    if (added === 'set') passkey.set('set')
    return added
  })
  const removePasskey = vi.fn<LockControl['removePasskey']>(async () => passkey.set('none'))
  const control = await testLock({ passkey, after, addPasskey, removePasskey }).control()
  return { ...(await renderFeature(<LockSection control={control} />)), after, addPasskey, removePasskey }
}

const notes = ({ services }: Awaited<ReturnType<typeof open>>) => services.flash.get().map(({ text }) => text)

test('[SV6] 画面のロック offers しない, すぐ, 5分, 15分, 60分, and takes what is chosen', async () => {
  const { screen, user, after } = await open('none')
  const names = screen.getAllByRole('radio').map((radio) => radio.closest('label')?.textContent)
  expect(names).toEqual(['しない', 'すぐ', '5分', '15分', '60分'])
  await user.click(screen.getByRole('radio', { name: '15分' }))
  await waitFor(() => expect(after.get()).toBe('15'))
})

test('[SV6] a passkey is set and removed there', async () => {
  const opened = await open('none')
  const { screen, user, removePasskey } = opened
  await user.click(screen.getByRole('button', { name: 'パスキーを登録する' }))
  await user.click(await screen.findByRole('button', { name: 'パスキーを外す' }))
  expect(notes(opened)).toEqual(['次からパスキーで開けます。'])
  expect(removePasskey).toHaveBeenCalledOnce()
  await screen.findByRole('button', { name: 'パスキーを登録する' })
})

test.each<[PasskeyAdded, string]>([
  ['cancelled', 'パスキーを登録しませんでした。'],
  ['unsupported', 'この端末のパスキーは、開くことに使えません。パスワードで開いてください。'],
])('[SV6] one that could not be set (%s) is said', async (added, text) => {
  const opened = await open('none', added)
  await opened.user.click(opened.screen.getByRole('button', { name: 'パスキーを登録する' }))
  await waitFor(() => expect(notes(opened)).toEqual([text]))
  expect(opened.services.flash.get()[0]?.about).toBe('passkey')
})

test('[SV6] where the device has none, and where there is no key yet, nothing is offered, and why is said', async () => {
  const { screen } = await open('unsupported')
  screen.getByText(/この端末ではパスキーで開けません/)
  expect(screen.queryByRole('button')).toBeNull()
  await open('no-key')
  screen.getByText('次のログインの後から使えます。')
})
