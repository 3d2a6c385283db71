import { expect, test } from 'vitest'
import type { RequestRecord } from '#schemas/request.ts'
import { DEFAULT_CHOICE, type FilterChoice } from '#features/request/filter.ts'
import { RequestSearchScreen } from '#features/request/request-search-screen.tsx'
import { openTestDatabase, renderFeature, testValue } from '../../support/render-feature.tsx'
import { requestOn, storeVisits } from '../../support/visit-records.ts'

const at = (id: string, day = '2026-11-20') => requestOn(id, day, { locationName: `現場${id}` })

/** The small things kept for this tab, with a search in them. */
function memoryWith(choice: FilterChoice) {
  const [search, other] = [testValue<string | null>(JSON.stringify(choice)), testValue<string | null>(null)]
  return { store: (key: string) => (key === 'request-filter' ? search : other) }
}

async function openSearch(requests: readonly RequestRecord[], kept = DEFAULT_CHOICE) {
  const db = await openTestDatabase()
  await storeVisits(db, requests)
  const services = { memory: memoryWith(kept) }
  return renderFeature(<RequestSearchScreen select={false} />, { path: '/request', db, services })
}

test('[spec 2] a kept search that hides everything says so, with its conditions, and one tap drops it', async () => {
  const kept = { ...DEFAULT_CHOICE, locationName: '豊洲', emergencyOnly: true }
  const { screen, user } = await openSearch([at('1'), at('2')], kept)
  const conditions = '11/20（金）〜11/26（木） 種別 緊出のみ 作業場所 豊洲'
  expect(
    await screen.findByText(
      `絞り込み条件（${conditions}）に合う依頼がありません。端末には依頼が2件あります。`,
    ),
  ).toBeTruthy()
  await user.click(screen.getByRole('button', { name: '条件をクリア' }))
  expect(await screen.findAllByRole('link', { name: /現場/ })).toHaveLength(2)
})

test('the usual list without a request has no condition to drop', async () => {
  const { screen } = await openSearch([at('1', '2026-12-24')])
  expect(await screen.findByText('作業日の範囲を広げて検索してください。')).toBeTruthy()
  expect(screen.queryByRole('button', { name: '条件をクリア' })).toBeNull()
})
