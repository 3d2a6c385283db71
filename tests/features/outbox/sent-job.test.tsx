/** The card of what was sent: a time of another day than the one beside it carries its day. */
import { expect, test } from 'vitest'
import { SentJob } from '#features/outbox/outbox-job.tsx'
import { ledgerEntry, quickReportChange, quickReportRecord } from '../../support/device-records.ts'
import { renderFeature } from '../../support/render-feature.tsx'

const entry = quickReportChange('entry', '08:56')

test.each([
  [
    'on the same day',
    '2026-11-20T08:56:00+09:00',
    '2026-11-20T08:58:00+09:00',
    '11/20 08:56 保存・08:58 送信',
  ],
  [
    'today, of yesterday',
    '2026-11-19T10:00:00+09:00',
    '2026-11-20T09:00:00+09:00',
    '11/19 10:00 保存・11/20 09:00 送信',
  ],
  [
    'yesterday',
    '2026-11-18T10:00:00+09:00',
    '2026-11-19T09:00:00+09:00',
    '11/18 10:00 保存・11/19 09:00 送信',
  ],
  [
    'over midnight',
    '2026-11-19T23:59:00+09:00',
    '2026-11-20T00:01:00+09:00',
    '11/19 23:59 保存・11/20 00:01 送信',
  ],
])('[ST1] sent %s', async (_, savedAt, settledAt, text) => {
  const sent = ledgerEntry(quickReportRecord('1', [entry]), entry, { state: 'accepted', savedAt, settledAt })
  const { screen } = await renderFeature(<SentJob entry={sent} request={undefined} />, { path: '/outbox' })
  expect((await screen.findByRole('article')).textContent).toContain(text)
})
