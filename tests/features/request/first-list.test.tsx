/** The usual list as it was kept, drawn before the database is open (decision 0105). */
import { cleanup, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { firstListOf, keptList } from '#data/first-list.ts'
import { SEARCH_INTEREST } from '#data/interests.ts'
import { outboxQuery, visitListQuery } from '#data/first-queries.ts'
import { createLiveQueries } from '#data/live-queries.ts'
import type { Database } from '#data/database.ts'
import { RequestSearchScreen } from '#features/request/request-search-screen.tsx'
import { prefetchKeys } from '#schemas/prefetch.ts'
import { ledgerEntry, quickReportChange, quickReportRecord } from '../../support/device-records.ts'
import { openTestDatabase, renderFeature, testClock, testValue } from '../../support/render-feature.tsx'
import { ENTERED, LEFT, reportOn, requestOn, storeVisits } from '../../support/visit-records.ts'

const DAY = '2026-11-20'
const MORNING = Date.parse('2026-11-20T09:30:00+09:00')

const at = (id: string, day = DAY) =>
  requestOn(id, day, {
    locationName: `現場${id}`,
    ...(id === '3' && {
      customerName: '管理組合',
      orderFlag: '4',
      emergency: true,
      customerAddress: '江東区1',
    }),
  })

/** A day with something of everything that a row can show. */
async function day(): Promise<Database> {
  const db = await openTestDatabase()
  // as few as are all drawn where nothing has a height
  const yesterday = at('6', '2026-11-19')
  const requests = [...['1', '3', '4', '5'].map((id) => at(id)), yesterday, at('7', '2026-11-21')]
  const waiting = quickReportRecord('1', [quickReportChange('entry', '08:56')])
  const change = quickReportChange('entry', '09:01')
  const { key, workingDate } = yesterday
  const failed = { ...quickReportRecord('6', [change]), key, workingDate }
  await storeVisits(db, requests, [
    ...[waiting, failed],
    ...[reportOn('4', { inTime: ENTERED, outTime: LEFT }), reportOn('5', { inTime: ENTERED })],
  ])
  await db.ledger.insert(ledgerEntry(failed, change, { state: 'refused' }))
  const [whole] = requests
  await db.interests.bulkInsert(
    (whole ? prefetchKeys(whole) : []).map((key) => ({
      ...{ key, kind: 'prefetch', askedAt: '', state: 'answered' as const, answeredAt: '', total: 0 },
    })),
  )
  return db
}

/** What the app keeps of it, as storage gives it back. */
async function kept(db: Database, now = MORNING): Promise<unknown> {
  const live = createLiveQueries(db)
  const [list, counted] = [
    live.store(visitListQuery.key, visitListQuery.query),
    live.store(outboxQuery.key, outboxQuery.query),
  ]
  for (const store of [list, counted]) store.subscribe(() => undefined)
  await waitFor(() => expect([list.get(), counted.get()]).not.toContain(undefined))
  return JSON.parse(JSON.stringify(keptList(list.get()!, counted.get()!, now))) as unknown
}

/** The screen with what was kept; `open` opens the database. */
async function start(value: unknown, now = MORNING) {
  const store = testValue(firstListOf(value))
  const firstList = { ...store, drop: () => store.set(null) }
  const services = { firstList, clock: testClock(() => now), online: testValue(true) }
  return {
    firstList,
    ...(await renderFeature(<RequestSearchScreen select={false} />, { path: '/request', services })),
  }
}

const shown = () => document.querySelector('main')?.textContent

test('[decision 0105] what is drawn of the kept list is what is drawn of the database', async () => {
  const db = await day()
  const value = await kept(db)
  const first = await renderFeature(<RequestSearchScreen select={false} />, {
    path: '/request',
    db,
    services: { clock: testClock(() => MORNING) },
  })
  await first.screen.findByRole('link', { name: /現場5/ })
  await first.screen.findByText('失敗 1件')
  expect(await first.screen.findByRole('link', { name: /現場6/ })).toBeTruthy()
  const wanted = shown()
  cleanup()
  const { screen } = await start(value)
  expect(await screen.findByText('失敗 1件')).toBeTruthy()
  await waitFor(() => expect(shown()).toBe(wanted))
})

test('[decision 0105] a database that tells the same draws nothing anew; what changes afterwards is drawn', async () => {
  const db = await day()
  const { screen, open, firstList } = await start(await kept(db))
  const row = await screen.findByRole('link', { name: /現場3/ })
  await open(db)
  await db.requests.upsert(requestOn('9', '2026-11-25'))
  await waitFor(() => expect(firstList.get()).not.toBeNull())
  expect(screen.getByRole('link', { name: /現場3/ })).toBe(row)
  await db.quickReports.insert(reportOn('3', { inTime: ENTERED }))
  await waitFor(() => expect(screen.getByRole('link', { name: /現場3/ }).textContent).toContain('入館 08:56'))
  expect(firstList.get()).toBeNull()
})

test('[decision 0105] what the database tells otherwise takes the place of what was kept', async () => {
  const db = await day()
  const value = await kept(db)
  await db.requests.findOne(at('3').key).remove()
  const { screen, open, firstList } = await start(value)
  await screen.findByRole('link', { name: /現場3/ })
  await open(db)
  await waitFor(() => expect(screen.queryByText('現場3')).toBeNull())
  expect(firstList.get()).toBeNull()
})

test('[decision 0114] what is being sent is kept as what waits: no call changes it, and the database says that it is being sent', async () => {
  const db = await day()
  const resting = await kept(db)
  const [report] = await db.quickReports.find({ selector: { unsent: 'yes', requestId: '1' } }).exec()
  const change = report?.changes[0]
  if (!report || !change) throw new Error('nothing is unsent')
  const row = ledgerEntry(report.toMutableJSON(), change, { state: 'sending', status: 503 })
  await db.ledger.insert(row)
  const value = await kept(db)
  expect(value).toEqual(resting)

  const { screen, open, firstList } = await start(value)
  expect((await screen.findByRole('link', { name: /現場1/ })).textContent).toContain('待機')
  await open(db)
  await waitFor(() => expect(screen.getByRole('link', { name: /現場1/ }).textContent).toContain('送信中'))
  expect(firstList.get()).toBeNull()
})

test.each([
  ['another day', '2026-11-21T09:30:00+09:00'],
  ['the afternoon, when yesterday is over', '2026-11-20T12:00:00+09:00'],
  ['a day later by the clock, when nothing of it is fresh', '2026-11-20T09:30:00+09:00'],
])('[decision 0105] %s: nothing of it is shown before the database is open', async (what, now) => {
  const db = await day()
  if (what.startsWith('a day later'))
    for (const doc of await db.requests.find().exec())
      await doc.patch({ confirmedAt: '2026-11-19T00:00:00.000Z' })
  const value = await kept(db)
  const { screen } = await start(value, Date.parse(now))
  await screen.findByRole('button', { name: '明日' })
  expect(screen.queryByText('現場3')).toBeNull()
})

test('[decision 0105] another search waits for the database, and what only the CRM knows is asked once it is open', async () => {
  const db = await day()
  const { screen, user, open } = await start(await kept(db))
  await screen.findByRole('link', { name: /現場3/ })
  await user.click(screen.getByRole('button', { name: '明日' }))
  expect(screen.getByRole('button', { name: '明日', pressed: true })).toBeTruthy()
  expect(screen.queryByText('現場3')).toBeNull()
  expect(screen.queryByText('該当するデータがありません。')).toBeNull()
  await user.click(screen.getByRole('button', { expanded: false }))
  const sheet = await screen.findByRole('dialog', { name: '検索条件' })
  await user.type(await screen.findByRole('textbox', { name: '依頼番号' }), 'R26-7')
  await user.click(screen.getByRole('button', { name: '検索' }))
  await waitFor(() => expect(sheet.isConnected).toBe(false))
  await open(db)
  await waitFor(async () => expect(await db.interests.findOne(SEARCH_INTEREST).exec()).not.toBeNull())
})

test.each<[string, (kept: { visits: unknown[][]; counted: unknown[]; today: unknown }) => void]>([
  ['a row with a time that is none', ({ visits }) => void ((visits[0]![1] as unknown[])[9] = 'soon')],
  ['a row of another day', ({ visits }) => void ((visits[0]![1] as unknown[])[0] = '2026-11-23')],
  ['a row that is short', ({ visits }) => void (visits[0]![1] as unknown[]).pop()],
  ['a state that nobody knows', ({ visits }) => void (visits[0]![2] = 'gone')],
  ['counts that are none', ({ counted }) => void (counted[0] = '2')],
  ['a day that is none', (kept) => void (kept.today = 'today')],
])('[decision 0105] %s: nothing is drawn of it', async (_, spoil) => {
  const value = await kept(await day())
  expect(firstListOf(value)).not.toBeNull()
  spoil(value as Parameters<typeof spoil>[0])
  expect(firstListOf(value)).toBeNull()
})
