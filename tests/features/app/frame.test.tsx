import { describe, expect, test, vi } from 'vitest'
import { saveEntry } from '#data/quick-report-changes.ts'
import { Frame } from '#app/frame.tsx'
import type { UpdateOffer } from '#data/app-context.tsx'
import { createClock } from '#lib/stamp.ts'
import {
  ledgerEntry,
  quickReportChange,
  quickReportRecord,
  requestRecord,
} from '../../support/device-records.ts'
import { openTestDatabase, renderFeature, testClock, testValue } from '../../support/render-feature.tsx'

const waiting = (apply = () => undefined, offer: UpdateOffer = 'new-version') => ({
  ...testValue<UpdateOffer | null>(offer),
  apply,
})

describe('[PWA] a new version', () => {
  test('is offered on a top screen, and taken when the user says so', async () => {
    const apply = vi.fn<() => undefined>()
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

  test('is not mentioned where a form may be open', async () => {
    const { screen } = await renderFeature(<Frame title="退館報告登録">内容</Frame>, {
      services: { update: waiting() },
    })
    expect(screen.queryByText('新しい版があります。')).toBeNull()
  })
})

describe('[decision 0071] what is unsent goes before', () => {
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
  await db.quickReports.insert(record)
  await db.ledger.insert(ledgerEntry(record, change, { state: 'unknown', status: 502 }))
  const { screen } = await renderFeature(<Frame title="依頼詳細">内容</Frame>, {
    db,
    services: { online: testValue(true) },
  })
  expect(await screen.findByText('送信待ち')).toBeTruthy()
  expect(screen.getByRole('link', { name: '未送信 1件' })).toBeTruthy()
  const [row] = await db.ledger.find().exec()
  await row?.incrementalPatch({ state: 'accepted' })
  expect(await screen.findByText('オンライン')).toBeTruthy()
})
