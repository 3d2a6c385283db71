/** 入館時刻 and 退館時刻 of 退館報告詳細 say 登録済 only where the CRM has them. */
import { within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { QuickReportServer } from '#schemas/resources/quick-report.ts'
import { blankFacts } from '#schemas/changes/change-queue.ts'
import type { StoredState } from '#schemas/change.ts'
import type { QuickReportChange, QuickReportRecord } from '#schemas/resources/quick-report.ts'
import { QuickReportViewScreen } from '#features/quick-report/quick-report-view-screen.tsx'
import { saveNote } from '#features/note-location-area/commands.ts'
import { createClock } from '#lib/time/stamp.ts'
import { quickReportChange, quickReportRecord } from '../../support/device-records.ts'
import { openTestDatabase, renderFeature } from '../../support/render-feature.tsx'
import { ENTERED, LEFT, reportOn, requestOn } from '../../support/visit-records.ts'
import { storeFacts, storeView } from '../../support/stored-views.ts'

const NOTHING = { inTime: null, outTime: null, type: null, reason1: null, reason2: null, reportContent: null }
const entry = quickReportChange('entry', '08:56', { fields: { ...NOTHING, inTime: ENTERED } })
const exit = quickReportChange('exit', '11:42', { fields: { ...NOTHING, outTime: LEFT, type: '1' } })
const edit = quickReportChange('edit', '12:00', { fields: { ...NOTHING, outTime: LEFT, type: '1' } })
const inCrm = { inTime: ENTERED, outTime: LEFT, type: '1' }

async function openReport(record: QuickReportRecord, states: [QuickReportChange, StoredState][] = []) {
  const db = await openTestDatabase()
  await db.requests.insert(requestOn('1', '2026-11-20'))
  await storeView(db, 'quickReports', record)
  for (const [change, state] of states) {
    const item = { record: { resource: 'quickReports', ...record }, change }
    await storeFacts(db, { ...blankFacts(item), state })
  }
  const { screen } = await renderFeature(<QuickReportViewScreen id={record.key} />, {
    path: '/quickReport/$id',
    href: `/quickReport/${record.key}`,
    db,
  })
  const noteOf = async (label: string) => {
    const term = await screen.findByText(label, { selector: 'dt' })
    return within(term.parentElement as HTMLElement)
      .getAllByRole('definition')
      .at(-1)?.textContent
  }
  return { db, screen, times: async () => [await noteOf('入館時刻'), await noteOf('退館時刻')] }
}

const here = (...changes: QuickReportChange[]) => quickReportRecord('1', changes)

test.each<[string, QuickReportRecord, [QuickReportChange, StoredState][], string[]]>([
  ['both in the CRM', reportOn('1', inCrm), [], ['登録済', '登録済']],
  ['the entry waits', here(entry), [], ['待機', '未登録']],
  ['the entry is being sent', here(entry), [[entry, 'sending']], ['送信中', '未登録']],
  ['the entry was just accepted', here(entry), [[entry, 'accepted']], ['登録済', '未登録']],
  ['both wait', here(entry, exit), [], ['待機', '待機']],
  ['the entry is there, the exit waits', here(entry, exit), [[entry, 'accepted']], ['登録済', '待機']],
  [
    'an edit waits: both times are there',
    { ...reportOn('1', inCrm), changes: [edit], unsent: 'yes' },
    [],
    ['登録済', '登録済'],
  ],
])('[ST1] %s', async (_, record, states, notes) => {
  const { times } = await openReport(record, states)
  expect(await times()).toEqual(notes)
})

test('[ST1] 退館報告詳細 counts its own changes only', async () => {
  const { db, screen, times } = await openReport(reportOn('1', inCrm))
  let last: string | null = null
  const memory = { get: () => last, set: (stamp: string) => void (last = stamp) }
  const clock = createClock({ now: () => Date.parse(LEFT), device: 'test', memory })
  const saver = { db, clock, newId: () => crypto.randomUUID(), userId: 'u6', offline: true }
  await saveNote(saver, { id: '1', locationAreaId: null }, { note: 'メモ' })
  expect(await times()).toEqual(['登録済', '登録済'])
  expect(screen.queryByText(/待機/)).toBeNull()
})

const REASONS = ['残作業の理由', '中止・延期の理由']
const AWAY = '詳細はまだ端末に保存されていません'

test.each<[string, Partial<QuickReportServer>, string[]]>([
  ['作業完了, the old reason still there', { type: '1', reason1: '4', detailed: false }, ['なし', 'なし']],
  ['中止・延期, the old reason still there', { type: '3', reason1: '4', detailed: false }, ['なし', AWAY]],
  ['作業未完了, of before', { type: '2', reason2: '1', detailed: false }, [AWAY, 'なし']],
  ['作業未完了, known', { type: '2', reason1: '6' }, ['当日作業分完了', 'なし']],
  ['no type yet', { type: null, detailed: false }, [AWAY, AWAY]],
])('[spec 4] a reason is shown only with its type: %s', async (_, server, reasons) => {
  const { screen } = await openReport(reportOn('1', { inTime: ENTERED, outTime: LEFT, ...server }))
  for (const [at, label] of REASONS.entries()) {
    const term = await screen.findByText(label, { selector: 'dt' })
    expect(term.nextElementSibling?.textContent).toBe(reasons[at])
  }
})

test.each<[string, QuickReportRecord, string | null]>([
  ['before the exit', here(entry), null],
  ['after the exit', here(entry, exit), '/request/1?workingDate=2026-11-20&popup=report'],
])('[issue 54] 作業報告書 is offered %s, in 依頼詳細', async (_, record, href) => {
  const { screen, times } = await openReport(record)
  await times()
  const link = screen.queryByRole('link', { name: '作業報告書' })
  expect(link?.getAttribute('href') ?? null).toBe(href)
})
