import { waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import type { LockedData } from '#data/context/app-context.tsx'
import { OutboxScreen } from '#features/outbox/outbox-screen.tsx'
import { storeValues } from '#data/drafts/drafts.ts'
import { quickReportChange, quickReportRecord } from '../../support/device-records.ts'
import { storeView } from '../../support/stored-views.ts'
import { openTestDatabase, renderFeature, testValue } from '../../support/render-feature.tsx'

async function openWith(count: number, { recoverable = 0, left = 0 } = {}) {
  const value = testValue(count)
  const lockedData: LockedData = {
    ...value,
    recoverable: () => recoverable,
    bundle: vi.fn<LockedData['bundle']>(async () => new Blob(['sealed'])),
    open: vi.fn<LockedData['open']>(async (password) => {
      if (password === 'spoiled' || password === 'typed') return password
      if (password !== 'before') return 'wrong'
      value.set(left)
      return left === 0 ? 'all' : 'some'
    }),
    stays: () => (left === 0 ? null : 'typed'),
    wait: () => 0,
    discard: vi.fn<LockedData['discard']>(async () => value.set(0)),
  }
  const db = await openTestDatabase()
  return { ...(await renderFeature(<OutboxScreen />, { path: '/outbox', db, lockedData })), lockedData, db }
}

test('[SV3] 封印中: another password opens nothing and is said, the old one does, and the section goes', async () => {
  const { screen, user, services } = await openWith(3)
  await screen.findByRole('heading', { name: '封印中 3件' })
  const password = screen.getByLabelText<HTMLInputElement>('以前のパスワード')
  await user.type(password, 'wrong')
  await user.click(screen.getByRole('button', { name: '封印を開く' }))
  await screen.findByText('以前のパスワードと違います。')
  expect(password.value).toBe('')
  await user.type(password, 'before')
  await user.click(screen.getByRole('button', { name: '封印を開く' }))
  await waitFor(() => expect(screen.queryByRole('heading', { name: /封印中/ })).toBeNull())
  expect(services.flash.get().map(({ text }) => text)).toEqual([
    '封印を開きました。内容は送信の待ちに戻りました。',
  ])
})

test('[SV3] 封印中: what the right password does not open stays there, and is said', async () => {
  const { screen, user, services } = await openWith(3, { left: 1 })
  const open = async (text: string) => {
    await user.type(await screen.findByLabelText('以前のパスワード'), text)
    await user.click(screen.getByRole('button', { name: '封印を開く' }))
  }
  await open('before')
  await screen.findByRole('heading', { name: '封印中 1件' })
  expect(services.flash.get().map(({ mode, about, text }) => `${mode} ${about} ${text}`)).toEqual([
    'warning sealed 封印の一部を開きました。開いた内容は送信の待ちに戻りました。残りは封印中のままです。',
  ])
  await screen.findByText(/同じ画面に入力途中の内容があるため、まだ戻していません/)
  await open('spoiled')
  await screen.findByText(/^パスワードは合っていますが、内容が壊れていて開けません。/)
  await open('typed')
  // half of the way: no failure, and so no alert
  const typed = await screen.findByText(/同じ画面に入力途中の内容があるため、まだ戻していません/)
  expect(typed.closest('[role]')?.getAttribute('role')).toBe('status')
  expect(screen.getByRole('heading', { name: '封印中 1件' })).toBeTruthy()
})

test('[SV3] 封印中 is discarded only when that was asked and said yes to', async () => {
  const { screen, user, lockedData } = await openWith(1)
  await user.click(await screen.findByRole('button', { name: '封印中の内容を破棄' }))
  await user.click(await screen.findByRole('button', { name: 'いいえ' }))
  expect(lockedData.discard).not.toHaveBeenCalled()
  await user.click(screen.getByRole('button', { name: '封印中の内容を破棄' }))
  await user.click(await screen.findByRole('button', { name: 'はい' }))
  await waitFor(() => expect(screen.queryByRole('heading', { name: /封印中/ })).toBeNull())
  expect(lockedData.discard).toHaveBeenCalledOnce()
})

test('without any, nothing is said of it', async () => {
  const { screen } = await openWith(0)
  await screen.findByText('未送信の変更はありません')
  expect(screen.queryByText(/封印/)).toBeNull()
})

test('[SV3] with something 封印中 it is not said that nothing is unsent', async () => {
  const { screen } = await openWith(2)
  await screen.findByRole('heading', { name: '封印中 2件' })
  expect(screen.queryByText('未送信の変更はありません')).toBeNull()
})

test('[SV8] it is first, and what is unsent has its cards under its own heading', async () => {
  const { screen, db } = await openWith(2)
  await storeValues(db, 'noteLocationArea/add/1', { note: '途中' })
  await storeView(db, 'quickReports', quickReportRecord('1', [quickReportChange('entry', '08:56')]))
  await screen.findByRole('heading', { name: '入館登録' })
  await screen.findByRole('heading', { name: '入力途中' })
  const text = screen.getByRole('main').textContent
  const order = ['入館登録', '未送信 1件', '入力途中', '封印中 2件']
  expect(order.toSorted((a, b) => text.indexOf(a) - text.indexOf(b))).toEqual(order.toReversed())
})

test('[SV3] what could not be opened is said, and stays', async () => {
  const { screen, user, lockedData, services } = await openWith(2)
  vi.mocked(lockedData.open).mockRejectedValueOnce(new Error('no step'))
  await user.type(await screen.findByLabelText('以前のパスワード'), 'before')
  await user.click(screen.getByRole('button', { name: '封印を開く' }))
  await screen.findByText(/開けませんでした。内容は消えていません/)
  expect(screen.getByRole('heading', { name: '封印中 2件' })).toBeDefined()
  expect(services.errorLog.note).toHaveBeenCalledOnce()
})

test('[SV8] without a recovery key nothing is shared, and it is said that only the old password opens it', async () => {
  const { screen } = await openWith(2)
  await screen.findByText(/以前のパスワードでしか開けません/)
  expect(screen.queryByRole('button', { name: '封印したまま管理者に渡す' })).toBeNull()
})

test('[SV8] with one the sealed file is given away, and all of it stays on the device', async () => {
  const { screen, user, services, lockedData } = await openWith(3, { recoverable: 2 })
  await screen.findByText(/3件のうち2件/)
  const urls = vi.spyOn(URL, 'createObjectURL')
  await user.click(screen.getByRole('button', { name: '封印したまま管理者に渡す' }))
  await waitFor(() => expect(services.flash.get()[0]?.text).toContain('管理者に渡してください'))
  const [blob] = urls.mock.calls[0] ?? []
  expect(await (blob as Blob).text()).toBe('sealed')
  screen.getByRole('heading', { name: '封印中 3件' })
  vi.mocked(lockedData.bundle).mockRejectedValueOnce(new Error('disk'))
  await user.click(screen.getByRole('button', { name: '封印したまま管理者に渡す' }))
  await waitFor(() => expect(services.flash.get()[0]?.text).toContain('内容は端末に残っています'))
  expect(lockedData.discard).not.toHaveBeenCalled()
})
