/** 送信状況 where a colleague has entered the same visit first: one's own entry was refused, and the record is theirs. */
import { within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { QuickReportChange } from '#schemas/resources/quick-report.ts'
import { OutboxScreen } from '#features/outbox/outbox-screen.tsx'
import {
  ledgerEntry,
  quickReportChange,
  quickReportRecord,
  requestRecord,
} from '../../support/device-records.ts'
import { openTestDatabase, renderFeature, testValue } from '../../support/render-feature.tsx'
import { storeFacts, storeView } from '../../support/stored-views.ts'
import { ENTERED, reportOn } from '../../support/visit-records.ts'

const entry = quickReportChange('entry', '08:56')
const exit = quickReportChange('exit', '11:42')

async function besideTheirs(over: Partial<QuickReportChange>) {
  const db = await openTestDatabase()
  const record = quickReportRecord('1', [entry, { ...exit, ...over } as typeof exit])
  await db.requests.insert(requestRecord('1'))
  await storeView(db, 'quickReports', { ...reportOn('1', { inTime: ENTERED }), changes: record.changes })
  await storeFacts(db, ledgerEntry(record, entry, { state: 'refused', reasons: ['ec00011'] }))
  return renderFeature(<OutboxScreen />, { path: '/outbox', db, services: { online: testValue(true) } })
}

test('[OR3a] what was saved on one’s own entry says how it goes all the same', async () => {
  const { screen } = await besideTheirs({})
  const card = await screen.findByRole('article', { name: '退館報告登録' })
  expect(card.textContent).toContain('CRMには別の登録があります。')
  expect(card.textContent).toContain('内容を開いて保存し直すと、その登録に送信します。')
})

test('[OR3a] what was saved on theirs waits for nothing, and 破棄 of one’s own entry does not name it', async () => {
  const { screen, user } = await besideTheirs({ madeOn: { stamp: '0900-0000-test', fields: {} } })
  const card = await screen.findByRole('article', { name: '退館報告登録' })
  expect(card.textContent).not.toContain('CRMには別の登録があります。')
  const own = within(await screen.findByRole('article', { name: '入館登録' }))
  await user.click(own.getByRole('button', { name: '破棄' }))
  expect((await screen.findByRole('alertdialog')).textContent).not.toContain('退館報告登録')
})
