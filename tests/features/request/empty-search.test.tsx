import { within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { RequestRecord } from '#schemas/request.ts'
import { DEFAULT_CHOICE, type FilterChoice } from '#features/request/filter.ts'
import { RequestSearchScreen } from '#features/request/request-search-screen.tsx'
import { openTestDatabase, renderFeature, testValue } from '../../support/render-feature.tsx'
import { requestOn, storeVisits } from '../../support/visit-records.ts'

const at = (id: string, day = '2026-11-20', over: Partial<RequestRecord> = {}) =>
  requestOn(id, day, { locationName: `現場${id}`, ...over })

/** The small things kept for this tab, with a search in them. */
function memoryWith(choice: FilterChoice) {
  const [search, other] = [testValue<string | null>(JSON.stringify(choice)), testValue<string | null>(null)]
  return { store: (key: string) => (key === 'request-filter' ? search : other) }
}

async function openSearch(requests: readonly RequestRecord[], kept = DEFAULT_CHOICE, online = true) {
  const db = await openTestDatabase()
  await storeVisits(db, requests)
  const services = { memory: memoryWith(kept), online: testValue(online) }
  return renderFeature(<RequestSearchScreen select={false} />, { path: '/request', db, services })
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

test('[PL4] a device that has not read any request says that it holds none, and not that there is none today', async () => {
  const { screen } = await openSearch([], DEFAULT_CHOICE, false)
  expect(await screen.findByRole('heading', { name: '端末に依頼がありません' })).toBeTruthy()
  expect(screen.getByText('電波の届く場所で開くと、端末に保存されます。')).toBeTruthy()
  expect(screen.queryByText(/今日の依頼はありません/)).toBeNull()
})
