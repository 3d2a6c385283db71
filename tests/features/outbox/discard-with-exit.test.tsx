/** 破棄 says what goes with it. */
import { waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { OutboxScreen } from '#features/outbox/outbox-screen.tsx'
import { quickReportChange, quickReportRecord } from '../../support/device-records.ts'
import { openTestDatabase, renderFeature } from '../../support/render-feature.tsx'
import { storeView } from '../../support/stored-views.ts'

test('[SV3] 破棄 of an entry names the exit that goes with it', async () => {
  const db = await openTestDatabase()
  const changes = [quickReportChange('entry', '08:56'), quickReportChange('exit', '11:42')] as const
  await storeView(db, 'quickReports', quickReportRecord('1', [...changes]))
  const { screen, user, services } = await renderFeature(<OutboxScreen />, { path: '/outbox', db })
  const [first] = await screen.findAllByRole('button', { name: '破棄' })
  if (first) await user.click(first)
  const text = '「入館登録」と、その送信を待っていた退館報告登録を破棄しました。'
  await waitFor(() => expect(services.flash.get()[0]?.text).toBe(text))
})
