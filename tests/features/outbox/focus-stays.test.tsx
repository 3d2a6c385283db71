import { waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { OutboxScreen } from '#features/outbox/outbox-screen.tsx'
import { quickReportChange, quickReportRecord, requestRecord } from '../../support/device-records.ts'
import { openTestDatabase, renderFeature } from '../../support/render-feature.tsx'
import { storeView } from '../../support/stored-views.ts'

test('破棄 takes its card, and the focus goes on at the one in its place, then at the screen', async () => {
  const db = await openTestDatabase()
  for (const id of ['1', '2']) {
    await db.requests.insert(requestRecord(id))
    await storeView(db, 'quickReports', quickReportRecord(id, [quickReportChange('entry', `08:5${id}`)]))
  }
  const { screen, user } = await renderFeature(<OutboxScreen />, { path: '/outbox', db })
  const discardFirst = async (requestId: string) => {
    const [button] = await screen.findAllByRole('button', { name: '破棄' })
    await user.click(button as HTMLElement)
    // as the sync module carries it out
    const change = await db.changes.findOne({ selector: { requestId } }).exec(true)
    await change.incrementalPatch({ state: 'discarded', wish: 'none' })
  }
  await discardFirst('1')
  await waitFor(() => expect(screen.getAllByRole('article')).toHaveLength(1))
  await waitFor(() => expect(document.activeElement?.tagName).toBe('LI'))
  expect(document.activeElement?.textContent).toContain('R26-2')
  await discardFirst('2')
  expect(await screen.findByText('未送信の変更はありません')).toBeDefined()
  await waitFor(() => expect(document.activeElement?.tagName).toBe('MAIN'))
})
