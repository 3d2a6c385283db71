import { act, waitFor } from '@testing-library/react'
import { describe, expect, test, vi } from 'vitest'
import { saveEntry } from '#data/resources/quick-report-changes.ts'
import { Frame } from '#app/shell/frame.tsx'
import { notifyStores } from '#app/shell/store-notifications.ts'
import type { UpdateOffer } from '#data/context/app-context.tsx'
import { createFlashStore } from '#data/context/flash-store.ts'
import { createClock } from '#lib/time/stamp.ts'
import {
  ledgerEntry,
  quickReportChange,
  quickReportRecord,
  requestRecord,
} from '../../support/device-records.ts'
import { i18n } from '../../support/i18n.ts'
import { openTestDatabase, renderFeature, testClock, testValue } from '../../support/render-feature.tsx'
import { rowsIn, storeFacts, storeView } from '../../support/stored-views.ts'

const waiting = (apply = async () => undefined, offer: UpdateOffer = 'new-version') => ({
  ...testValue<UpdateOffer | null>(offer),
  apply,
})

describe('[PWA] a new version', () => {
  test('is offered on a top screen, and taken when the user says so', async () => {
    const apply = vi.fn<() => Promise<undefined>>(async () => undefined)
    const { screen, user } = await renderFeature(
      <Frame title="設定" tabs>
        内容
      </Frame>,
      { services: { update: waiting(apply) } },
    )
    expect(await screen.findByText('新しい版があります。')).toBeTruthy()
    expect(apply).not.toHaveBeenCalled()
    await user.click(screen.getByRole('button', { name: '更新する' }))
    expect(apply).toHaveBeenCalledOnce()
  })

  test('says while it is taken that this may last, for a worker before is given up to half a minute', async () => {
    let end = () => undefined as void
    const apply = () => new Promise<undefined>((done) => (end = () => done(undefined)))
    const { screen, user } = await renderFeature(
      <Frame title="設定" tabs>
        内容
      </Frame>,
      { services: { update: waiting(apply) } },
    )
    await user.click(await screen.findByRole('button', { name: '更新する' }))
    expect(await screen.findByText(/切り替えています.*1分ほど.*消えません/)).toBeTruthy()
    expect(screen.queryByText('新しい版があります。')).toBeNull()
    end()
    expect(await screen.findByText('新しい版があります。')).toBeTruthy()
  })

  test('is not mentioned where a form may be open', async () => {
    const { screen } = await renderFeature(<Frame title="退館報告登録">内容</Frame>, {
      services: { update: waiting() },
    })
    expect(screen.queryByText('新しい版があります。')).toBeNull()
  })
})

describe('[SV3][hands 10] data that could not be opened is no skeleton', () => {
  const WHY = '端末に保存済の内容は、新しい版のアプリのものです。'
  const closed = (path: '/outbox' | '/settings' | '/error-logs') => {
    const storesClosed = testValue<string | null>(null)
    const ui = (
      <Frame title="画面" tabs board={<p>盤面</p>} footer={<button>操作</button>}>
        読み込み中
      </Frame>
    )
    return renderFeature(ui, { path, services: { storesClosed } }).then(({ screen }) => ({
      screen,
      storesClosed,
    }))
  }

  test('a screen says why, with a way on, and nothing else; opened after all, it is back', async () => {
    const { screen, storesClosed } = await closed('/outbox')
    expect(screen.getByText('読み込み中')).toBeTruthy()
    act(() => storesClosed.set(WHY))
    expect((await screen.findByRole('alert')).textContent).toContain(WHY)
    expect(screen.getByRole('button', { name: '読み込み直す' })).toBeTruthy()
    expect(screen.getByRole('link', { name: '設定' })).toBeTruthy()
    for (const gone of ['読み込み中', '盤面', '操作']) expect(screen.queryByText(gone)).toBeNull()
    act(() => storesClosed.set(null))
    expect(screen.getByText('読み込み中')).toBeTruthy()
  })

  test.each(['/settings', '/error-logs'] as const)('%s stays: it says why, and can be sent', async (path) => {
    const { screen, storesClosed } = await closed(path)
    act(() => storesClosed.set(WHY))
    expect(screen.getByText('読み込み中')).toBeTruthy()
    expect(screen.queryByRole('alert')).toBeNull()
  })
})

test.each(['not-opened', 'not-moved', 'newer'] as const)('[SV3] %s: said in place of the screens', (what) => {
  const [flash, closed] = [createFlashStore(), testValue<string | null>(null)]
  const places = { flash, i18n, closed }
  notifyStores('in-another-tab', places)
  expect([flash.get().length, closed.get()]).toEqual([1, null])
  notifyStores(what, places)
  expect([flash.get().length, typeof closed.get()]).toEqual([0, 'string'])
  notifyStores('not-updated', places)
  expect([flash.get().length, typeof closed.get()]).toEqual([1, 'string'])
  notifyStores('open', places)
  expect([flash.get().length, closed.get()]).toEqual([0, null])
})

describe('[decisions/config] what is unsent goes before', () => {
  const saved = async (offer: UpdateOffer, isOnline: boolean) => {
    const db = await openTestDatabase()
    const clock = testClock(() => Date.parse('2026-11-20T10:00:00+09:00'))
    const saver = { db, clock, newId: () => crypto.randomUUID(), userId: 'u6', offline: true }
    await saveEntry(saver, [requestRecord('1')], '2026-11-20T08:56:00+09:00')
    return renderFeature(
      <Frame title="設定" tabs>
        内容
      </Frame>,
      { db, services: { update: waiting(undefined, offer), online: testValue(isOnline) } },
    )
  }

  test('a version that is too old waits while it goes', async () => {
    const { screen } = await saved('too-old', true)
    expect(await screen.findByText(/古くなりました.*1件の送信が終わるまで/)).toBeTruthy()
    expect(screen.queryByRole('button', { name: '更新する' })).toBeNull()
  })

  test('and no longer: without a signal the update is there, and says that nothing is lost', async () => {
    const { screen } = await saved('too-old', false)
    expect(await screen.findByText(/1件は端末に残り、更新のあとに送信します/)).toBeTruthy()
    expect(screen.getByRole('button', { name: '更新する' })).toBeTruthy()
  })

  test('another CRM waits for it in any case', async () => {
    const { screen } = await saved('other-crm', false)
    expect(await screen.findByText(/接続先が変わりました.*1件の送信が終わるまで/)).toBeTruthy()
    expect(screen.queryByRole('button', { name: '切り替える' })).toBeNull()
  })
})

test('[ST1] the badge in the header counts what is unsent, and the title names screen and product', async () => {
  const db = await openTestDatabase()
  let last: string | null = null
  const clock = createClock({
    now: () => Date.parse('2026-11-20T10:00:00+09:00'),
    device: 'test',
    memory: { get: () => last, set: (stamp) => void (last = stamp) },
  })
  const saver = { db, clock, newId: () => crypto.randomUUID(), userId: 'u6', offline: true }
  const { screen } = await renderFeature(<Frame title="依頼詳細">内容</Frame>, {
    db,
    services: { online: testValue(false) },
  })
  expect(screen.getByText('オフライン')).toBeTruthy()
  expect(screen.queryByRole('link', { name: /未送信/ })).toBeNull()
  await saveEntry(saver, [requestRecord('1')], '2026-11-20T08:56:00+09:00')
  expect(await screen.findByRole('link', { name: '未送信 1件' })).toBeTruthy()
  expect(document.title).toBe('依頼詳細 | 現場ワーク')
})

test('[ST3] the badge says that nothing goes, though there is a connection', async () => {
  const db = await openTestDatabase()
  const change = quickReportChange('entry', '08:56')
  const record = quickReportRecord('1', [change])
  await storeView(db, 'quickReports', record)
  await storeFacts(db, ledgerEntry(record, change, { state: 'unknown', status: 502 }))
  const { screen } = await renderFeature(<Frame title="依頼詳細">内容</Frame>, {
    db,
    services: { online: testValue(true) },
  })
  expect(await screen.findByText('送信待ち')).toBeTruthy()
  expect(screen.getByRole('link', { name: '未送信 1件' })).toBeTruthy()
  const [row] = await rowsIn(db)
  await row?.incrementalPatch({ state: 'accepted' })
  expect(await screen.findByText('オンライン')).toBeTruthy()
})

test.each(['refused', 'expired', 'waiting'] as const)(
  '[OC2] on every screen the header tells what is %s, also after a reload, when its banner was told',
  async (state) => {
    const db = await openTestDatabase()
    const change = quickReportChange('entry', '08:56')
    const record = quickReportRecord('1', [change])
    await storeView(db, 'quickReports', record)
    await storeFacts(db, ledgerEntry(record, change, { state, reasons: ['ec00011'] }))
    const { screen } = await renderFeature(<Frame title="依頼詳細">内容</Frame>, { db })
    expect(await screen.findByRole('link', { name: '未送信 1件' })).toBeTruthy()
    const told = screen.queryByText('送信できなかったものがあります')
    expect(told !== null).toBe(state !== 'waiting')
    const [row] = await rowsIn(db)
    await row?.incrementalPatch({ state: 'accepted' })
    await waitFor(() => expect(screen.queryByText('送信できなかったものがあります')).toBeNull())
  },
)
