/**
 * Gloves tap twice, and on a slow phone the screen that was tapped stands a moment longer: whatever leads to another screen leads
 * there once. Twice in history, the save of a form would come back to the same form, empty, and 戻る would seem to do nothing.
 */
import { fireEvent, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { visitKey } from '#schemas/visit-key.ts'
import { keepValues } from '#data/drafts.ts'
import { OutboxScreen } from '#features/outbox/outbox-screen.tsx'
import { RequestSearchScreen } from '#features/request/request-search-screen.tsx'
import { quickReportChange, quickReportRecord } from '../../support/device-records.ts'
import { openTestDatabase, renderFeature } from '../../support/render-feature.tsx'
import { ENTERED, reportOn, requestOn, storeWindow } from '../../support/visit-records.ts'
import { DAY, openView, whole } from '../request/open-view.tsx'

const view = () => openView({ requests: [requestOn('1', DAY, whole)] })
const inside = () => openView({ reports: [reportOn('1', { inTime: ENTERED })] })

async function list() {
  const db = await openTestDatabase()
  await storeWindow(db, [requestOn('1', DAY, whole)])
  return renderFeature(<RequestSearchScreen select={false} />, { path: '/request', db })
}

async function outbox() {
  const db = await openTestDatabase()
  await storeWindow(db, [requestOn('1', DAY, whole)], [quickReportRecord('1', [quickReportChange('entry', '08:56')])])
  await keepValues(db, `quickReport/add/${visitKey('1', DAY)}`, { reportContent: '途中' })
  return renderFeature(<OutboxScreen />, { path: '/outbox', db })
}

test.each([
  ['依頼詳細', view, 'link', /^安全対策/],
  ['依頼詳細', view, 'link', /^緊急報告/],
  ['依頼詳細', view, 'link', /^過去報告/],
  ['依頼詳細', view, 'link', /^現場メモ一覧/],
  ['依頼詳細', view, 'link', /^入館・駐車場情報変更依頼/],
  ['依頼詳細', view, 'button', /^入館登録/],
  ['依頼詳細', view, 'button', /^安全対策一覧/],
  ['依頼詳細', inside, 'link', /^退館報告/],
  ['依頼検索', list, 'link', /^09:00/],
  ['依頼検索', list, 'link', /^入館$/],
  ['依頼検索', list, 'button', /^まとめて登録/],
  ['送信状況', outbox, 'link', /^退館報告登録/],
  ['送信状況', outbox, 'button', /^内容を開く/],
] as const)('[hands 3] %s: what was tapped twice is one step back (%#)', async (_, open, role, name) => {
  const { screen, router, href } = await open()
  const from = href()
  const control = await screen.findByRole(role, { name })
  fireEvent.click(control)
  fireEvent.click(control)
  await waitFor(() => expect(href()).not.toBe(from))
  router.history.back()
  await waitFor(() => expect(href()).toBe(from))
})
