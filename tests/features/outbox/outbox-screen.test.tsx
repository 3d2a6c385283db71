import { within, waitFor } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import type { QuickReportChange } from '#schemas/resources/quick-report.ts'
import type { Database } from '#data/database/database.ts'
import type { StoredState, SendFacts } from '#schemas/change.ts'
import { OutboxScreen } from '#features/outbox/outbox-screen.tsx'
import {
  ledgerEntry,
  quickReportChange,
  quickReportRecord,
  requestRecord,
} from '../../support/device-records.ts'
import { ledgerOf, saved } from '../../support/safety-records.ts'
import { openTestDatabase, renderFeature, testValue } from '../../support/render-feature.tsx'
import { rowIn, storeFacts, storeView, viewIn } from '../../support/stored-views.ts'

type Stored = [change: QuickReportChange, progress?: Partial<SendFacts>]

/** A request, and what of it is unsent. */
async function store(db: Database, id: string, ...stored: Stored[]) {
  const record = quickReportRecord(
    id,
    stored.map(([change]) => change),
  )
  await db.requests.insert(requestRecord(id))
  await storeView(db, 'quickReports', record)
  for (const [change, over] of stored) if (over) await storeFacts(db, ledgerEntry(record, change, over))
}

async function openOutbox(fill: (db: Database) => Promise<unknown>, online = true) {
  const db = await openTestDatabase()
  await fill(db)
  const opened = await renderFeature(<OutboxScreen />, {
    path: '/outbox',
    db,
    services: { online: testValue(online) },
  })
  const { screen, user } = opened
  const job = (name: string) => screen.findByRole('article', { name })
  return {
    ...opened,
    db,
    job,
    press: async (name: string, button: string) =>
      user.click(within(await job(name)).getByRole('button', { name: button })),
    wishOf: async (id: string) => (await rowIn(db, id))?.wish,
  }
}

const buttonsOf = (job: HTMLElement) =>
  within(job)
    .queryAllByRole('button')
    .map(({ textContent }) => textContent)

const entry = quickReportChange('entry', '08:56')
const exit = quickReportChange('exit', '11:42')
const edit = quickReportChange('edit', '11:50')

describe('[ST1a] the queue as it stands', () => {
  test('in the order of saving, with number, request, time and state', async () => {
    const { screen, job } = await openOutbox(async (db) => {
      await store(db, '2', [exit, { state: 'sending' }])
      await store(db, '1', [entry])
    })
    await job('入館登録')
    const jobs = screen.getAllByRole('article')
    expect(jobs.map((each) => within(each).getByRole('heading').textContent)).toEqual([
      '入館登録',
      '退館報告登録',
    ])
    expect(jobs[0]?.textContent).toContain('R26-1')
    expect(jobs[0]?.textContent).toContain('ベイサイド東雲 A棟 地下ピット')
    expect(jobs[0]?.textContent).toContain('11/20 08:56 保存')
    expect(jobs[0]?.textContent).toContain('待機')
    expect(jobs[1]?.textContent).toContain('送信中')
    expect(screen.getByText('未送信 2件')).toBeDefined()
    expect(screen.getByText(/保存した順に送信します。/)).toBeDefined()
  })

  test('what was sent comes last, as 成功, with the time of sending', async () => {
    const { screen, job } = await openOutbox(async (db) => {
      await store(db, '1', [exit])
      const sent = ledgerEntry(quickReportRecord('1', [entry]), entry, {
        state: 'accepted',
        settledAt: '2026-11-20T08:58:00+09:00',
      })
      await storeFacts(db, sent)
    })
    const done = await job('入館登録')
    expect(done.textContent).toContain('成功')
    expect(done.textContent).toContain('11/20 08:56 保存・08:58 送信')
    expect(buttonsOf(done)).toEqual([])
    expect(screen.getAllByRole('article').at(-1)).toBe(done)
    expect(screen.getByText('最終送信 08:58')).toBeDefined()
  })

  test('a save over several requests says how many', async () => {
    const group = { group: 'g1' }
    const { screen } = await openOutbox(async (db) => {
      await store(db, '1', [{ ...exit, ...group, id: 'a' }])
      await store(db, '2', [{ ...exit, ...group, id: 'b', stamp: '1142-0001-test' }])
    })
    expect(await screen.findAllByRole('article', { name: '退館報告登録（2件）' })).toHaveLength(2)
  })

  test('with nothing unsent it says so', async () => {
    const { screen } = await openOutbox(async () => undefined)
    expect(await screen.findByRole('heading', { name: '未送信の変更はありません' })).toBeDefined()
    expect(screen.queryByRole('button', { name: '今すぐ送信' })).toBeNull()
  })
})

describe('[ST3] why the queue waits, though there is a connection', () => {
  test.each<[Partial<SendFacts>, string]>([
    [{ state: 'unknown', status: 502 }, 'CRMが応答していません。応答があれば自動で送信します。'],
    [{ state: 'waiting', status: 429 }, 'CRMが混み合っています（429）。しばらくすると自動で送信します。'],
    [{ state: 'waiting', status: 503 }, 'CRMは一時的に利用できません（503）。再開すると自動で送信します。'],
    [
      { state: 'waiting', status: 403, reasons: ['paused'] },
      'CRMが理由を示さずに受け付けないため、送信を止めています。自動で確かめながら再開します。',
    ],
  ])('%j', async (progress, text) => {
    const { screen, job } = await openOutbox(async (db) => {
      await store(db, '1', [entry, progress])
      await store(db, '2', [exit])
    })
    expect((await job('入館登録')).textContent).toContain('待機')
    expect(screen.getByText(text)).toBeDefined()
    // a person may try at once
    expect(screen.getByRole<HTMLButtonElement>('button', { name: '今すぐ送信' }).disabled).toBe(false)
  })

  test('without a signal that is what is in the way', async () => {
    const fill = (db: Database) => store(db, '1', [entry, { state: 'unknown', status: 502 }])
    const { screen, job } = await openOutbox(fill, false)
    await job('入館登録')
    expect(screen.getByText('電波が戻ると自動で送信します。')).toBeDefined()
    expect(screen.queryByText(/応答していません/)).toBeNull()
  })
})

describe('[spec 8] why a change does not go', () => {
  test.each<[Partial<SendFacts>, string, string]>([
    [{ state: 'refused', reasons: ['ec00011'] }, '失敗', 'この依頼の入館はすでに登録されています。'],
    [{ state: 'refused', reasons: ['在庫がありません。'] }, '失敗', '在庫がありません。'],
    [
      { state: 'refused', reasons: ['otherUser'] },
      '失敗',
      '別のユーザーが保存した内容のため送信できません。',
    ],
    [{ state: 'refused', reasons: [], status: 404 }, '失敗', '該当するデータがありません。'],
    [{ state: 'refused', reasons: [], status: 400 }, '失敗', 'システムエラーが発生しました。'],
    [{ state: 'expired', reasons: [] }, '期限切れ', '保存してから24時間以内に送信できませんでした。'],
  ])('%j', async (progress, state, reason) => {
    const { job } = await openOutbox((db) => store(db, '1', [entry, progress]))
    const card = await job('入館登録')
    expect(card.textContent).toContain(state)
    expect(card.textContent).toContain(reason)
    expect(buttonsOf(card)).toEqual(['再送', '内容を開く', '破棄'])
  })

  test.each([
    ['Rate limit exceeded.', 429, 'CRMが混み合っています。'],
    ['E-4711: invalid state', 422, 'CRMが受け付けませんでした（コード 422）。'],
    ['ec99999', 400, 'CRMが受け付けませんでした（コード ec99999）。'],
  ])('the CRM’s own words are folded below, and said in Japanese: %s', async (reason, status, text) => {
    const refused = { state: 'refused' as const, reasons: [reason], status }
    const { job } = await openOutbox((db) => store(db, '1', [entry, refused]))
    const card = within(await job('入館登録'))
    expect(card.getByText(text, { exact: false })).toBeDefined()
    const raw = card.getByText('CRMの回答').closest('details')
    expect(raw?.open).toBe(false)
    expect(raw?.textContent).toContain(reason)
    expect(raw?.textContent).toContain(String(status))
  })

  test('[OR3] what waits for a refused entry says so, and cannot be sent by itself', async () => {
    const { job } = await openOutbox((db) => store(db, '1', [entry, { state: 'refused' }], [exit]))
    const card = await job('退館報告登録')
    expect(card.textContent).toContain('先に保存した登録が送信されるまで待ちます。')
    expect(buttonsOf(card)).toEqual(['内容を開く', '破棄'])
  })

  test('while it is being sent nobody acts on it', async () => {
    const { job } = await openOutbox((db) => store(db, '1', [entry, { state: 'sending' }]))
    expect(buttonsOf(await job('入館登録'))).toEqual([])
  })
})

describe('what one can do with a change', () => {
  const QUESTION = 'この変更を破棄しますか？送信されていない内容は元に戻せません。'

  test('再送 wishes it to be sent again, and cannot be pressed twice', async () => {
    const { press, job, wishOf } = await openOutbox((db) => store(db, '1', [entry, { state: 'refused' }]))
    await press('入館登録', '再送')
    await waitFor(async () => expect(await wishOf(entry.id)).toBe('resend'))
    await waitFor(async () => expect(buttonsOf(await job('入館登録'))).toEqual([]))
  })

  test('[SV3] 破棄 asks first, and いいえ keeps the change', async () => {
    const { screen, user, press, wishOf } = await openOutbox((db) =>
      store(db, '1', [entry, { state: 'expired' }]),
    )
    await press('入館登録', '破棄')
    expect(await screen.findByRole('alertdialog', { name: QUESTION })).toBeDefined()
    await user.click(screen.getByRole('button', { name: 'いいえ' }))
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
    expect(await wishOf(entry.id)).toBe('none')
  })

  test('[SV3] 破棄 of what may have left asks, too', async () => {
    const { screen, press } = await openOutbox((db) =>
      store(db, '1', [entry, { state: 'unknown', payload: '{}' }]),
    )
    await press('入館登録', '破棄')
    expect(await screen.findByRole('alertdialog', { name: QUESTION })).toBeDefined()
  })

  test('[hands 3][SV3] 破棄 of what never left is done at once, and offered back', async () => {
    const { screen, press, services, db } = await openOutbox((db) => store(db, '1', [entry]))
    await press('入館登録', '破棄')
    await waitFor(async () => expect((await rowIn(db, entry.id))?.state).toBe('discarded'))
    expect(screen.queryByRole('alertdialog')).toBeNull()
    await waitFor(() => expect(services.flash.get()[0]?.text).toBe('「入館登録」を破棄しました。'))
    expect(await screen.findByText('未送信の変更はありません')).toBeDefined()
    services.flash.get()[0]?.act?.run()
    expect(await screen.findByRole('article', { name: '入館登録' })).toBeDefined()
    const [change] = (await viewIn(db, 'quickReports')).changes
    expect(change).toMatchObject({ kind: 'entry', stamp: entry.stamp, fields: entry.fields })
    expect(change?.id).not.toBe(entry.id)
  })

  test('[SV3] はい wishes it to be discarded, and what waits for it is named', async () => {
    const { screen, user, press, wishOf } = await openOutbox((db) =>
      store(db, '1', [entry, { state: 'refused' }], [exit]),
    )
    await press('入館登録', '破棄')
    const dialog = await screen.findByRole('alertdialog', { name: QUESTION })
    expect(dialog.textContent).toContain('この変更の送信を待っている退館報告登録も破棄されます。')
    await user.click(screen.getByRole('button', { name: 'はい' }))
    await waitFor(async () => expect(await wishOf(entry.id)).toBe('discard'))
    expect(screen.queryByRole('alertdialog')).toBeNull()
  })

  test.each<[string, QuickReportChange, StoredState, string]>([
    ['入館登録', entry, 'waiting', '/request/1?workingDate=2026-11-20'],
    ['退館報告登録', exit, 'refused', '/quickReport/add/1_2026-11-20'],
    ['退館報告登録', exit, 'waiting', '/quickReport/1_2026-11-20/edit'],
    ['退館報告編集', edit, 'waiting', '/quickReport/1_2026-11-20/edit'],
  ])('内容を開く of %s: %#', async (name, change, state, target) => {
    const { press, href } = await openOutbox((db) => store(db, '1', [change, { state }]))
    await press(name, '内容を開く')
    await waitFor(() => expect(href()).toBe(target))
  })
})

describe('[SV2] 内容を開く of 安全対策', () => {
  test.each([
    ['1', 'waiting', '/safetyMeasure/1_2026-11-20_4'],
    ['1', 'expired', '/safetyMeasure/add?requestId=1&safetyType=4&workingDate=2026-11-20'],
    ['2', 'waiting', '/safetyMeasure/1_2026-11-20_4'],
    ['1', 'refused', '/safetyMeasure/add?requestId=1&safetyType=4&workingDate=2026-11-20'],
    ['2', 'refused', '/safetyMeasure/select/1?workingDateType=&workingDate=2026-11-20'],
  ] as const)('need flag %s, %s: %s', async (needFlag, state, target) => {
    const record = saved('4', needFlag)
    const { press, href } = await openOutbox(async (db) => {
      await db.requests.insert(requestRecord('1'))
      await storeView(db, 'safetyMeasures', record)
      await storeFacts(db, ledgerOf(record, { state }))
    })
    await press('安全対策登録', '内容を開く')
    await waitFor(() => expect(href()).toBe(target))
  })
})

describe('今すぐ送信', () => {
  test('asks the replication, and is busy until it was answered', async () => {
    const { screen, user, db } = await openOutbox((each) => store(each, '1', [entry]))
    const button = await screen.findByRole('button', { name: '今すぐ送信' })
    await user.click(button)
    await waitFor(() => expect(button.getAttribute('aria-busy')).toBe('true'))
    const interest = await db.interests.findOne('refresh').exec(true)
    expect(interest.state).toBe('asked')
    await interest.incrementalPatch({ state: 'answered' })
    await waitFor(() => expect(button.getAttribute('aria-busy')).toBeNull())
  })

  test('[spec 4] offline it cannot, and says what will happen', async () => {
    const { screen } = await openOutbox((db) => store(db, '1', [entry]), false)
    const button = await screen.findByRole<HTMLButtonElement>('button', { name: '今すぐ送信' })
    expect(button.disabled).toBe(true)
    expect(screen.getByText('電波が戻ると自動で送信します。')).toBeDefined()
  })
})
