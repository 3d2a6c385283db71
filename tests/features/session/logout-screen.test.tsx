import { waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import type { Services } from '#data/context/app-context.tsx'
import { storeValues } from '#data/drafts/drafts.ts'
import { addToChain } from '#data/drafts/photo-chains.ts'
import { sheetDraft } from '#schemas/resources/visit-key.ts'
import { LogoutScreen } from '#features/session/logout-screen.tsx'
import { quickReportChange, quickReportRecord } from '../../support/device-records.ts'
import { openTestDatabase, renderFeature, testSession, testValue } from '../../support/render-feature.tsx'
import { storeView } from '../../support/stored-views.ts'

const REDIRECT = { redirect: '/request/r1' }

test('[spec 2] clears the session once, then goes to the login and keeps the query', async () => {
  const answers: (() => void)[] = []
  const signOut = vi.fn<Services['signOut']>(() => new Promise((resolve) => answers.push(resolve)))
  const { screen, href } = await renderFeature(<LogoutScreen search={REDIRECT} />, {
    path: '/logout',
    db: await openTestDatabase(),
    services: { signOut },
  })
  expect(screen.getByRole('heading', { name: 'ログアウト' })).toBeDefined()
  expect(await screen.findByText('ログイン画面へ遷移中...')).toBeDefined()
  expect(href()).toBe('/logout')
  answers[0]?.()
  await waitFor(() => expect(href()).toBe('/login?redirect=%2Frequest%2Fr1'))
  expect(signOut).toHaveBeenCalledOnce()
})

test('[spec 4] a session that timed out is not forgotten: the login asks for the same user', async () => {
  const { services, href } = await renderFeature(<LogoutScreen search={REDIRECT} timedOut />, {
    path: '/logout',
  })
  await waitFor(() => expect(href()).toBe('/login?redirect=%2Frequest%2Fr1'))
  expect(services.signOut).not.toHaveBeenCalled()
})

test('[SV4] with unsent work it asks, いいえ goes back, はい leaves and keeps it', async () => {
  const db = await openTestDatabase()
  await storeView(db, 'quickReports', quickReportRecord('1', [quickReportChange('entry', '08:56')]))
  const { screen, user, href, services } = await renderFeature(<LogoutScreen search={{}} />, {
    path: '/logout',
    db,
  })
  const question = '未送信の変更が1件あります。端末に残したままログアウトしますか？'
  expect(await screen.findByRole('alertdialog', { name: question })).toBeDefined()
  expect(services.signOut).not.toHaveBeenCalled()
  await user.click(screen.getByRole('button', { name: 'いいえ' }))
  await waitFor(() => expect(href()).toBe('/request'))
  expect(services.signOut).not.toHaveBeenCalled()
})

test('[SV4] はい leaves, with what is half typed named as well', async () => {
  const db = await openTestDatabase()
  await storeValues(db, 'noteLocationArea/add/1', { note: '途中' })
  const { screen, user, href, services } = await renderFeature(<LogoutScreen search={{}} />, {
    path: '/logout',
    db,
  })
  const question = '入力途中の内容が1件あります。端末に残したままログアウトしますか？'
  expect(await screen.findByRole('alertdialog', { name: question })).toBeDefined()
  await user.click(screen.getByRole('button', { name: 'はい' }))
  await waitFor(() => expect(href()).toBe('/login'))
  expect(services.signOut).toHaveBeenCalledOnce()
})

test('[ST1a] what 送信状況 does not list is nothing half typed: a hash chain and a finished sheet do not ask', async () => {
  const db = await openTestDatabase()
  await addToChain(db, '2026-11-20', { key: 'p', hash: 'a'.repeat(64), at: '', place: '', requestId: '1' })
  const form = 'emergencyReport/add/1_2026-11-20'
  await storeValues(db, sheetDraft('ky', '1_2026-11-20'), { fields: {}, rows: [], pictures: ['p'], form })
  const { href, services } = await renderFeature(<LogoutScreen search={{}} />, { path: '/logout', db })
  await waitFor(() => expect(href()).toBe('/login'))
  expect(services.signOut).toHaveBeenCalledOnce()
})

test('[SV4b] without a signal it asks, though nothing is unsent, and says what goes', async () => {
  const opened = await renderFeature(<LogoutScreen search={{}} />, {
    path: '/logout',
    db: await openTestDatabase(),
    services: { online: testValue(false) },
  })
  const question = '電波がありません。ログアウトしますか？'
  const sheet = await opened.screen.findByRole('alertdialog', { name: question })
  expect(sheet.textContent).toContain('読み込んだ依頼は端末から消えます。')
  expect(opened.services.signOut).not.toHaveBeenCalled()
  await opened.user.click(opened.screen.getByRole('button', { name: 'はい' }))
  await waitFor(() => expect(opened.href()).toBe('/login'))
})

const failing = () =>
  vi.fn<Services['signOut']>(async () => {
    throw new DOMException('lost', 'UnknownError')
  })

test('[SV4] a logout whose key could not be destroyed leads to the login all the same: the next start destroys it', async () => {
  const session = testValue<ReturnType<Services['session']['get']>>(testSession)
  const signOut = vi.fn<Services['signOut']>(async () => {
    session.set(null)
    throw new DOMException('lost', 'UnknownError')
  })
  const services = { session, signOut }
  const db = await openTestDatabase()
  const opened = await renderFeature(<LogoutScreen search={{}} />, { path: '/logout', db, services })
  await waitFor(() => expect(opened.href()).toBe('/login'))
  expect(opened.services.errorLog.note).toHaveBeenCalled()
})

test('[SV1] one that the device did not take is said, and one is back at work', async () => {
  const db = await openTestDatabase()
  const opened = await renderFeature(<LogoutScreen search={{}} />, {
    path: '/logout',
    db,
    services: { signOut: failing() },
  })
  await waitFor(() => expect(opened.href()).toBe('/request'))
  expect(opened.services.flash.get()).toMatchObject([
    { mode: 'danger', text: 'ログアウトできませんでした。もう一度お試しください。' },
  ])
})
