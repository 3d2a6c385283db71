import { act, waitFor, within } from '@testing-library/react'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { RequestRecord } from '#schemas/resources/request.ts'
import { askSearch, REFRESH_INTEREST, SEARCH_INTEREST } from '#data/fetch-requests/interests.ts'
import { DEFAULT_CHOICE, filterOf, type FilterChoice } from '#features/request/search/filter.ts'
import { RequestSearchScreen } from '#features/request/list/request-search-screen.tsx'
import { openTestDatabase, renderFeature, testValue } from '../../../support/render-feature.tsx'
import { requestOn, storeVisits, windowWasRead } from '../../../support/visit-records.ts'

const at = (id: string, day = '2026-11-20', over: Partial<RequestRecord> = {}) =>
  requestOn(id, day, { locationName: `現場${id}`, ...over })

/** The small things kept for this tab, with a search in them. */
function memoryWith(choice: FilterChoice) {
  const [search, other] = [testValue<string | null>(JSON.stringify(choice)), testValue<string | null>(null)]
  return { store: (key: string) => (key === 'request-filter' ? search : other) }
}

interface More {
  /** When the window was last read; null: never. */
  readAt?: string | null
  online?: boolean
  select?: boolean
}

async function openSearch(
  requests: readonly RequestRecord[],
  kept = DEFAULT_CHOICE,
  { readAt = '2026-11-20T11:00:00+09:00', online = true, select = false }: More = {},
) {
  const db = await openTestDatabase()
  await storeVisits(db, requests)
  if (readAt !== null) await windowWasRead(db, readAt)
  const services = { memory: memoryWith(kept), online: testValue(online) }
  const opened = await renderFeature(<RequestSearchScreen select={select} />, {
    path: '/request',
    href: select ? '/request?select=true' : '/request',
    db,
    services,
  })
  return { ...opened, db }
}

test('[spec 2] an empty result says which condition emptied it, and one tap drops that one', async () => {
  const kept = { ...DEFAULT_CHOICE, locationName: '豊洲', orderFlags: ['1'] }
  const { screen, user } = await openSearch(
    [at('1', undefined, { orderFlag: '1' }), at('2', undefined, { orderFlag: '2' })],
    kept,
  )
  expect(await screen.findByText('「作業場所 豊洲」に合う依頼がありません。')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: '「作業場所 豊洲」を外す（1件）' }))
  expect(await screen.findAllByRole('link', { name: /現場/ })).toHaveLength(1)
  expect(screen.getByRole('button', { name: /種別 修理.*変更/ })).toBeTruthy()
})

test('[spec 2] where no single condition is to blame, it says so with all of them', async () => {
  const kept = { ...DEFAULT_CHOICE, locationName: '豊洲', emergencyOnly: true }
  const { screen, user } = await openSearch([at('1'), at('2')], kept)
  const conditions = '11/20（金） 種別 緊出のみ 作業場所 豊洲'
  expect(
    await screen.findByText(
      `絞り込み条件（${conditions}）に合う依頼がありません。端末には依頼が2件あります。`,
    ),
  ).toBeTruthy()
  await user.click(screen.getByRole('button', { name: '条件をクリア' }))
  expect(await screen.findAllByRole('link', { name: /現場/ })).toHaveLength(2)
})

test('[spec 2] a day without a request: 今後7日間 is one tap away, with how many it has', async () => {
  const { screen, user } = await openSearch([at('1', '2026-11-22'), at('2', '2026-12-24')])
  expect(await screen.findByRole('heading', { name: '今日の依頼はありません' })).toBeTruthy()
  await user.click(screen.getByRole('button', { name: '今後7日間を見る（1件）' }))
  expect(await screen.findAllByRole('link', { name: /現場1/ })).toHaveLength(1)
})

test('[spec 2] nothing in 今後7日間 either: all days are one tap away', async () => {
  const { screen, user } = await openSearch([at('1', '2026-12-24')])
  await user.click(await screen.findByRole('button', { name: 'すべての作業日を見る（1件）' }))
  expect(await screen.findByRole('link', { name: /現場1/ })).toBeTruthy()
})

test('[spec 2] 依頼番号 is searched in all days; a quick range drops it', async () => {
  const { screen, user } = await openSearch([at('1', '2026-12-24'), at('2')])
  await user.click(await screen.findByRole('button', { name: /変更/ }))
  const sheet = within(await screen.findByRole('dialog', { name: '検索条件' }))
  await user.type(sheet.getByRole('textbox', { name: '依頼番号' }), 'R26-1')
  await user.click(sheet.getByRole('button', { name: '検索' }))
  expect(await screen.findByRole('link', { name: /現場1/ })).toBeTruthy()
  expect(screen.getByRole('button', { name: /すべての作業日.*依頼番号 R26-1.*変更/ })).toBeTruthy()
  await user.click(screen.getByRole('button', { name: '今日' }))
  expect(await screen.findByRole('link', { name: /現場2/ })).toBeTruthy()
  expect(screen.queryByRole('link', { name: /現場1/ })).toBeNull()
})

/** Fakes the timers. Those of the fake IndexedDB stay: run at once, they would end a transaction between two awaits. */
const fakeTimers = () =>
  vi.useFakeTimers({
    shouldAdvanceTime: true,
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'],
  })

describe('[PL4b] nothing says none that was not read', () => {
  /** Nobody has confirmed it for 25 hours. */
  const OLD = '2026-11-19T02:00:00.000Z'
  const old = at('1', undefined, { confirmedAt: OLD })
  const lines = [/ありません/, /0件/, /合う依頼が/, /を外す/, /を見る（/]
  const kept = { ...DEFAULT_CHOICE, orderFlags: ['1'] }
  const week = { ...DEFAULT_CHOICE, quick: 'week' as const }
  const codes = { ...DEFAULT_CHOICE, requestCode: 'R26' }

  test.each<[string, RequestRecord[], FilterChoice, More, string]>([
    ['rows of a day ago', [old], DEFAULT_CHOICE, { readAt: OLD }, '最後に確認してから24時間'],
    ['rows of a day ago, under a condition', [old], kept, { readAt: OLD }, '最後に確認してから24時間'],
    ['rows of a day ago, in 今後7日間', [old], week, { readAt: OLD }, '最後に確認してから24時間'],
    ['rows of a day ago, by their number', [old], codes, { readAt: OLD }, '最後に確認してから24時間'],
    ['nothing that was ever read', [], DEFAULT_CHOICE, { readAt: null }, '電波の届く場所で開くと'],
    ['a window of a day ago, and no rows', [], DEFAULT_CHOICE, { readAt: OLD }, '電波の届く場所で開くと'],
    ['nothing, under a condition', [], kept, { readAt: null }, '電波の届く場所で開くと'],
  ])('without a signal, %s: 端末に保存されていません', async (_, requests, choice, more, advice) => {
    const { screen } = await openSearch(requests, choice, { ...more, online: false })
    expect(await screen.findByRole('heading', { name: '端末に保存されていません' })).toBeTruthy()
    expect(screen.getByText(advice, { exact: false })).toBeTruthy()
    for (const line of lines) expect(screen.queryByText(line)).toBeNull()
  })

  test.each([
    ['today', '2026-11-20', '読み込めませんでした'],
    ['another day', '2026-11-22', '今日の依頼はありません'],
  ])('[PL2] the CRM has a row of %s that could not be read', async (_, day, heading) => {
    const { screen, db } = await openSearch([], DEFAULT_CHOICE, { readAt: null })
    await windowWasRead(db, '2026-11-20T11:00:00+09:00', `${day},2026-11-23`)
    expect(await screen.findByRole('heading', { name: heading })).toBeTruthy()
  })

  test('so it says while several are chosen', async () => {
    const { screen } = await openSearch([old], DEFAULT_CHOICE, { readAt: OLD, online: false, select: true })
    expect(await screen.findByRole('heading', { name: '端末に保存されていません' })).toBeTruthy()
  })

  test('with a signal it is being read, until it was: then there is none', async () => {
    const { screen, db } = await openSearch([old], DEFAULT_CHOICE, { readAt: OLD })
    expect((await screen.findAllByText('読み込み中')).length).toBeGreaterThan(0)
    expect(screen.queryByText('今日の依頼はありません')).toBeNull()
    await db.requests.find().remove()
    await windowWasRead(db, '2026-11-20T12:00:00+09:00')
    expect(await screen.findByRole('heading', { name: '今日の依頼はありません' })).toBeTruthy()
  })

  test.each([
    ['nothing is there yet', []],
    ['rows of a day ago', [old]],
  ])('the first answer takes its time, %s: it is still being read', async (_, requests) => {
    fakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const { screen } = await openSearch(requests, DEFAULT_CHOICE, { readAt: null })
    await screen.findAllByText('読み込み中')
    await act(() => vi.advanceTimersByTimeAsync(5_500))
    await act(() => vi.advanceTimersByTimeAsync(5_500))
    expect(await screen.findByRole('heading', { name: '読み込み中' })).toBeTruthy()
    expect(screen.queryByText('今日の依頼はありません')).toBeNull()
  })

  test('what the CRM is asked for is being read until it has answered; before, it is said of the device alone', async () => {
    const choice = { ...DEFAULT_CHOICE, requestCode: 'R27' }
    const { screen, db } = await openSearch([at('2')], choice)
    expect(await screen.findByRole('heading', { name: '端末には該当する依頼がありません' })).toBeTruthy()
    await askSearch(db, Date.parse('2026-11-20T12:00:00+09:00'), filterOf(choice, '2026-11-20'))
    expect((await screen.findAllByText('読み込み中')).length).toBeGreaterThan(0)
    for (const line of lines) expect(screen.queryByText(line)).toBeNull()
    const asked = await db.interests.findOne(SEARCH_INTEREST).exec()
    await asked?.incrementalPatch({ state: 'answered', total: 0 })
    expect(await screen.findByRole('heading', { name: '該当するデータがありません。' })).toBeTruthy()
  })

  const asked = async (db: Awaited<ReturnType<typeof openTestDatabase>>, key: string) =>
    (await db.interests.findOne(key).exec())?.toMutableJSON().state
  const failed = (db: Awaited<ReturnType<typeof openTestDatabase>>, key: string) =>
    act(
      async () =>
        void (await (await db.interests.findOne(key).exec(true)).incrementalPatch({ state: 'failed' })),
    )

  test.each([
    ['in the place of the rows', 'R27', 'heading', '読み込めませんでした'],
    ['above those that the device has', 'R26', 'status', ''],
  ])('what the CRM could not say it says, %s; 再読み込み asks again', async (_, requestCode, role, name) => {
    const choice = { ...DEFAULT_CHOICE, requestCode }
    const { screen, db, user } = await openSearch([at('2')], choice)
    await askSearch(db, Date.parse('2026-11-20T12:00:00+09:00'), filterOf(choice, '2026-11-20'))
    await failed(db, SEARCH_INTEREST)
    const said = await screen.findAllByText(/読み込めませんでした/)
    expect(said).toHaveLength(1)
    expect(screen.queryAllByRole(role, name ? { name } : {}).length).toBeGreaterThan(0)
    await user.click(screen.getByRole('button', { name: '再読み込み' }))
    await waitFor(async () => expect(await asked(db, SEARCH_INTEREST)).toBe('asked'))
    await waitFor(() => expect(screen.queryByText(/読み込めませんでした/)).toBeNull())
  })

  test('the days of the window take their time: 再読み込み asks for them, and what the CRM could not say it says', async () => {
    fakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const { screen, db, user } = await openSearch([], DEFAULT_CHOICE, { readAt: null })
    await screen.findAllByText('読み込み中')
    await act(() => vi.advanceTimersByTimeAsync(5_500))
    await act(() => vi.advanceTimersByTimeAsync(5_500))
    await user.click(await screen.findByRole('button', { name: '再読み込み' }))
    await waitFor(async () => expect(await asked(db, REFRESH_INTEREST)).toBe('asked'))
    await failed(db, REFRESH_INTEREST)
    expect(await screen.findByRole('heading', { name: '読み込めませんでした' })).toBeTruthy()
    await windowWasRead(db, '2026-11-20T12:00:00+09:00')
    expect(await screen.findByRole('heading', { name: '今日の依頼はありません' })).toBeTruthy()
  })

  test('a question that found no answer leaves it said of the device alone', async () => {
    const choice = { ...DEFAULT_CHOICE, requestCode: 'R27' }
    const { screen, db } = await openSearch([at('2')], choice, { online: false })
    await askSearch(db, Date.parse('2026-11-20T12:00:00+09:00'), filterOf(choice, '2026-11-20'))
    expect(await screen.findByRole('heading', { name: '端末には該当する依頼がありません' })).toBeTruthy()
    expect(screen.queryByText('該当するデータがありません。')).toBeNull()
  })

  test('a condition that empties it is blamed by rows that it would show', async () => {
    const fresh = at('2', '2026-11-20', { orderFlag: '2' })
    const { screen } = await openSearch([old, fresh], kept, { online: false })
    expect(await screen.findByRole('button', { name: '「種別 修理」を外す（1件）' })).toBeTruthy()
    expect(screen.queryByRole('button', { name: /2件/ })).toBeNull()
  })
})
