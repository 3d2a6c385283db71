import { expect, test } from 'vitest'
import { OutboxScreen } from '#features/outbox/outbox-screen.tsx'
import {
  ledgerEntry,
  quickReportChange,
  quickReportRecord,
  requestRecord,
} from '../../support/device-records.ts'
import { openTestDatabase, renderFeature, testValue } from '../../support/render-feature.tsx'
import { storeFacts, storeView } from '../../support/stored-views.ts'

test('[ST1] with nothing that goes by itself it says who decides, without the crossed cloud, which says offline', async () => {
  const db = await openTestDatabase()
  const entry = quickReportChange('entry', '08:56')
  const record = quickReportRecord('1', [entry])
  await db.requests.insert(requestRecord('1'))
  await storeView(db, 'quickReports', record)
  await storeFacts(db, ledgerEntry(record, entry, { state: 'refused' }))
  const services = { online: testValue(false) }
  const { screen } = await renderFeature(<OutboxScreen />, { path: '/outbox', db, services })
  const hint = await screen.findByText(/^自動で送信するものはありません。/)
  const icons = [...hint.querySelectorAll('svg')].map((icon) => icon.classList.value).join(' ')
  expect(icons).toContain('lucide-info')
  expect(icons).not.toContain('cloud-off')
})
