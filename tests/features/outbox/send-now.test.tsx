/** 今すぐ送信, where nothing of the queue goes by itself. */
import { expect, test } from 'vitest'
import { OutboxScreen } from '#features/outbox/outbox-screen.tsx'
import { ledgerEntry, quickReportChange, quickReportRecord } from '../../support/device-records.ts'
import { iconsIn } from '../../support/icons.ts'
import { openTestDatabase, renderFeature, testValue } from '../../support/render-feature.tsx'

test.each([
  ['online', true],
  ['without signal', false],
])('[ST1] nothing is promised where somebody must decide about all of it, %s', async (_, online) => {
  const db = await openTestDatabase()
  const entry = quickReportChange('entry', '08:56')
  const record = quickReportRecord('1', [entry])
  await db.quickReports.insert(record)
  await db.ledger.insert(ledgerEntry(record, entry, { state: 'expired' }))
  const services = { online: testValue(online) }
  const { screen } = await renderFeature(<OutboxScreen />, { path: '/outbox', db, services })
  const button = await screen.findByRole<HTMLButtonElement>('button', { name: '今すぐ送信' })
  expect(button.disabled).toBe(true)
  expect(screen.queryByText('電波が戻ると自動で送信します。')).toBeNull()
  const hint = screen.getByText(/^自動で送信するものはありません。/)
  expect(iconsIn(hint)).toEqual([online ? 'info' : 'cloud-off'])
})
