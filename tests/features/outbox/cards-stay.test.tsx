/** While 送信状況 is open each card stays where the reader has seen it (sync RULES ST1). */
import { waitFor } from '@testing-library/react'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { OutboxScreen } from '#features/outbox/outbox-screen.tsx'
import { stableOrder } from '#features/outbox/outbox-jobs.tsx'
import { quickReportChange, quickReportRecord, requestRecord } from '../../support/device-records.ts'
import { openTestDatabase, renderFeature } from '../../support/render-feature.tsx'
import { acceptChange, storeView } from '../../support/stored-views.ts'
import { reportOn } from '../../support/visit-records.ts'

describe('the order that is shown', () => {
  test.each([
    ['the first that is sent stays the first', ['a', 'b', 'c'], ['b', 'c', 'a'], ['a', 'b', 'c']],
    ['what is discarded goes', ['a', 'b', 'c'], ['a', 'c'], ['a', 'c']],
    ['what is saved goes behind what is sent before it', ['a', 's'], ['a', 'b', 's'], ['a', 'b', 's']],
    ['what was had back is where it was', ['a', 'c'], ['a', 'b', 'c'], ['a', 'b', 'c']],
    ['a new first one is first', ['b'], ['a', 'b'], ['a', 'b']],
  ])('%s', (_, shown, ids, order) => {
    expect(stableOrder(shown, ids)).toEqual(order)
  })

  const ids = fc.uniqueArray(fc.constantFrom<string>('a', 'b', 'c', 'd', 'e', 'f'))
  test('has each id once, and what was there before in the order of before', () => {
    fc.assert(
      fc.property(ids, ids, (shown, now) => {
        const order = stableOrder(shown, now)
        expect(order.toSorted()).toEqual(now.toSorted())
        expect(order.filter((id) => shown.includes(id))).toEqual(shown.filter((id) => now.includes(id)))
      }),
    )
  })
})

test('[ST1b] one that is sent stays in its place as 成功, and the last one takes neither the line above nor the bar below', async () => {
  const db = await openTestDatabase()
  for (const id of ['1', '2', '3']) {
    await db.requests.insert(requestRecord(id))
    const change = quickReportChange('entry', `08:5${id}`)
    await storeView(db, 'quickReports', quickReportRecord(id, [change]))
  }
  const { screen } = await renderFeature(<OutboxScreen />, { path: '/outbox', db })
  await waitFor(() => expect(screen.getAllByRole('article')).toHaveLength(3))
  const places = screen.getAllByRole('listitem')
  const states = () =>
    places.map(
      ({ textContent }) => /R26-(\d).*/.exec(textContent)?.[1] + (/成功|待機/.exec(textContent)?.[0] ?? ''),
    )
  expect(states()).toEqual(['1待機', '2待機', '3待機'])
  const accept = (id: string) => acceptChange(db, `entry-08:5${id}`, reportOn(id).server)
  await accept('2')
  await waitFor(() => expect(states()).toEqual(['1待機', '2成功', '3待機']))
  await accept('1')
  await accept('3')
  await waitFor(() => expect(states()).toEqual(['1成功', '2成功', '3成功']))
  expect(screen.getAllByRole('listitem')).toEqual(places)
  expect(screen.getByRole('button', { name: '今すぐ送信' })).toHaveProperty('disabled', true)
  expect(screen.queryByText('送信を待っている内容も、送信できなかった内容もありません。')).toBeNull()
})
