/**
 * Gloves tap twice, and on a slow phone the screen that was tapped stands a moment longer: whatever leads to another screen
 * leads there once. Twice in history, the save of a form would come back to the same form, empty, and 戻る would seem to do
 * nothing.
 */
import { act, fireEvent, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { visitKey } from '#schemas/resources/visit-key.ts'
import { storeValues } from '#data/drafts/drafts.ts'
import { OutboxScreen } from '#features/outbox/outbox-screen.tsx'
import { PastReportScreen } from '#features/past-report/past-report-screen.tsx'
import { RequestSearchScreen } from '#features/request/list/request-search-screen.tsx'
import { BackButton } from '#ui/layout/app-bar.tsx'
import { atRest } from '../support/at-rest.ts'
import { quickReportChange, quickReportRecord } from '../support/device-records.ts'
import { openTestDatabase, renderFeature } from '../support/render-feature.tsx'
import { ENTERED, reportOn, requestOn, storeWindow } from '../support/visit-records.ts'
import { DAY, openView, whole } from './request/detail/open-view.tsx'

const view = () => openView({ requests: [requestOn('1', DAY, whole)] })
const inside = () => openView({ reports: [reportOn('1', { inTime: ENTERED })] })

async function list() {
  const db = await openTestDatabase()
  await storeWindow(db, [requestOn('1', DAY, whole)])
  return renderFeature(<RequestSearchScreen select={false} />, { path: '/request', db })
}

async function outbox() {
  const db = await openTestDatabase()
  await storeWindow(
    db,
    [requestOn('1', DAY, whole)],
    [quickReportRecord('1', [quickReportChange('entry', '08:56')])],
  )
  await storeValues(db, `quickReport/add/${visitKey('1', DAY)}`, { reportContent: '途中' })
  return renderFeature(<OutboxScreen />, { path: '/outbox', db })
}

test.each([
  ['依頼詳細', view, 'link', /^安全対策/],
  ['依頼詳細', view, 'link', /^緊急報告/],
  ['依頼詳細', view, 'link', /^過去報告/],
  ['依頼詳細', view, 'link', /^現場メモ一覧/],
  ['依頼詳細', view, 'link', /^入館・駐車場情報変更依頼/],
  ['依頼詳細', view, 'button', /^入館登録/],
  ['依頼詳細', view, 'button', /^安全対策一覧/],
  ['依頼詳細', inside, 'link', /^退館報告/],
  ['依頼検索', list, 'link', /^09:00/],
  ['依頼検索', list, 'link', /^入館$/],
  ['依頼検索', list, 'button', /^まとめて登録/],
  ['送信状況', outbox, 'link', /^退館報告登録/],
  ['送信状況', outbox, 'button', /^内容を開く/],
] as const)('[hands 3] %s: what was tapped twice is one step back (%#)', async (_, open, role, name) => {
  const { screen, router, href } = await open()
  const from = href()
  const control = await screen.findByRole(role, { name })
  fireEvent.click(control)
  fireEvent.click(control)
  await waitFor(() => expect(href()).not.toBe(from))
  router.history.back()
  await waitFor(() => expect(href()).toBe(from))
})

/** What a button refuses goes by the time of the browser's events. */
const waited = (ms: number) => act(async () => new Promise<void>((done) => setTimeout(done, ms)))
const settled = () => act(() => atRest())

test('[hands 3] 戻る tapped twice goes back once', async () => {
  const db = await openTestDatabase()
  const { screen, router, href } = await renderFeature(<PastReportScreen deviceId="d1" />, {
    path: '/report/$deviceId',
    href: '/request',
    db,
    pressGuardMs: 400,
  })
  await act(async () => router.navigate({ to: '/request/$id', params: { id: '1' } } as never))
  await act(async () => router.navigate({ to: '/report/$deviceId', params: { deviceId: 'd1' } } as never))
  // whoever pressed it in a test before
  await waited(400)
  const back = await screen.findByRole('button', { name: '戻る' })
  fireEvent.click(back)
  fireEvent.click(back)
  await waitFor(() => expect(href()).toBe('/request/1'))
  await settled()
  expect(href()).toBe('/request/1')
})

test('[hands 3] やめる tapped twice leaves まとめて登録 alone', async () => {
  const db = await openTestDatabase()
  await storeWindow(db, [requestOn('1', DAY, whole)])
  const { screen, router, href } = await renderFeature(<RequestSearchScreen select />, {
    path: '/request',
    href: '/settings',
    db,
  })
  await act(async () => router.navigate({ to: '/outbox' } as never))
  await act(async () => router.history.push('/request?select=true', { selectPushed: true }))
  const stop = await screen.findByRole('button', { name: 'やめる' })
  fireEvent.click(stop)
  fireEvent.click(stop)
  await waitFor(() => expect(href()).toBe('/outbox'))
  await settled()
  expect(href()).toBe('/outbox')
})

test('[hands 3] the second of two taps on 戻る is not one on that of the screen before; a later one is', async () => {
  const went = vi.fn<(from: string) => void>()
  const { screen } = await renderFeature(
    <>
      <BackButton onClick={() => went('form')} />
      <BackButton onClick={() => went('request')} />
    </>,
    { pressGuardMs: 100 },
  )
  await waited(120)
  const [form, request] = screen.getAllByRole('button', { name: '戻る' })
  if (!form || !request) throw new Error('no buttons')
  fireEvent.click(form)
  fireEvent.click(request)
  expect(went.mock.calls).toEqual([['form']])
  await waited(120)
  fireEvent.click(request)
  expect(went.mock.calls).toEqual([['form'], ['request']])
})
