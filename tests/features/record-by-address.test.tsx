/** The screens whose address names a record, opened where the device does not have it (a link, a reload a day later). */
import { act, waitFor } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { recordInterest } from '#data/fetch-requests/interests.ts'
import { CONTACT, LOCATION, storeContact, storeLocation } from '../support/change-records.ts'
import { EmergencyListScreen } from '#features/emergency-report/emergency-list-screen.tsx'
import { NoteListScreen } from '#features/note-location-area/note-list-screen.tsx'
import { QuickReportEditScreen } from '#features/quick-report/quick-report-edit-screen.tsx'
import { QuickReportViewScreen } from '#features/quick-report/quick-report-view-screen.tsx'
import { RequestViewScreen } from '#features/request/detail/request-view.tsx'
import { SafetySelectScreen } from '#features/safety-measure/safety-select-screen.tsx'
import { confirmed, DAY } from '../support/safety-records.ts'
import { ENTERED, reportOn, requestOn } from '../support/visit-records.ts'
import { openChange } from './customer-location-change-request/open-change.tsx'
import * as emergency from './emergency-report/open-emergency.tsx'
import { kinds, openContact } from './location-contact-change-request/open-contact.tsx'
import * as notes from './note-location-area/open-notes.tsx'
import * as reports from './quick-report/open-report.tsx'
import * as safety from './safety-measure/open-safety.tsx'
import type { Database } from '#data/database/database.ts'
import { openTestDatabase, renderFeature } from '../support/render-feature.tsx'
import { adds } from '../form/every-form.tsx'
import { storeView } from '../support/stored-views.ts'

type Opened = Awaited<ReturnType<typeof renderFeature>> & { db: Database }
interface Row {
  collection: Parameters<typeof recordInterest>[0]
  id: string
  open: (online: boolean) => Promise<Opened>
  /** The record comes. */
  arrive: (db: Database) => Promise<unknown>
  /** What the screen then holds. */
  shown: string
}

const [entry] = kinds
const locationRow = {
  collection: 'customerLocationChangeRequests',
  id: 'c1',
  arrive: (db: Database) => storeLocation(db, { server: LOCATION }),
} as const
const contactRow = {
  collection: 'locationContactChangeRequests',
  id: 'k02',
  arrive: (db: Database) => storeContact(db, '02', { server: CONTACT }),
} as const
const safetyRow = {
  collection: 'safetyMeasures',
  id: 's-4',
  arrive: (db: Database) => storeView(db, 'safetyMeasures', confirmed('4')),
} as const

const reportRow = {
  collection: 'quickReports',
  id: 'q-1',
  arrive: (db: Database) => storeView(db, 'quickReports', reportOn('1', reports.exited)),
} as const

async function openReport(which: 'edit' | 'view', online: boolean): Promise<Opened> {
  const { db, services } = await reports.prepare({ online })
  const [Screen, path, href] =
    which === 'edit'
      ? ([QuickReportEditScreen, '/quickReport/$id/edit', '/quickReport/q-1/edit'] as const)
      : ([QuickReportViewScreen, '/quickReport/$id', '/quickReport/q-1'] as const)
  return { ...(await renderFeature(<Screen id="q-1" />, { path, href, db, services })), db }
}

const rows: [string, Row][] = [
  [
    '緊急報告編集',
    {
      collection: 'emergencyReports',
      id: 'e1',
      open: (online) => emergency.openEdit('e1', { online }),
      arrive: (db) => storeView(db, 'emergencyReports', emergency.reportIn('e1')),
      shown: emergency.content.emergencyContentsDetails ?? '',
    },
  ],
  [
    '入館・駐車場情報変更依頼編集',
    { ...locationRow, open: (online) => openChange('edit', { online }), shown: LOCATION.inMethod ?? '' },
  ],
  [
    '入館・駐車場情報変更依頼詳細',
    { ...locationRow, open: (online) => openChange('view', { online }), shown: LOCATION.inMethod ?? '' },
  ],
  [
    '入館連絡先変更依頼編集',
    { ...contactRow, open: (online) => openContact('edit', entry, { online }), shown: CONTACT.section ?? '' },
  ],
  [
    '入館連絡先変更依頼詳細',
    { ...contactRow, open: (online) => openContact('view', entry, { online }), shown: CONTACT.section ?? '' },
  ],
  [
    '現場メモ編集',
    {
      collection: 'noteLocationAreas',
      id: 'n1',
      open: (online) => notes.openEdit('n1', { online }),
      arrive: (db) => storeView(db, 'noteLocationAreas', notes.note('n1')),
      shown: 'メモ n1',
    },
  ],
  [
    '退館報告登録',
    {
      ...reportRow,
      open: (online) => reports.openAdd({ online, reports: [] }),
      arrive: (db) => storeView(db, 'quickReports', reportOn('1', { inTime: ENTERED })),
      shown: '保存した時刻で登録',
    },
  ],
  ['退館報告編集', { ...reportRow, open: (online) => openReport('edit', online), shown: '部品待ち' }],
  ['退館報告詳細', { ...reportRow, open: (online) => openReport('view', online), shown: '部品待ち' }],
  ['安全対策編集', { ...safetyRow, open: (online) => safety.openEdit('s-4', { online }), shown: '酸欠' }],
  ['安全対策詳細', { ...safetyRow, open: (online) => safety.openMeasure('s-4', { online }), shown: '酸欠' }],
]

/** The CRM could not give what the screen is about, though there is a signal. */
async function expectFailed({ screen, user, db }: Opened) {
  expect(await screen.findByRole('heading', { name: '読み込めませんでした' })).toBeTruthy()
  expect(screen.queryByText(/電波の届く場所/)).toBeNull()
  expect(screen.getByRole('link', { name: '依頼検索へ戻る' })).toBeTruthy()
  await user.click(screen.getByRole('button', { name: '再読み込み' }))
  expect(await screen.findByText('読み込み中')).toBeTruthy()
  expect(await db.interests.find({ selector: { state: 'failed' } }).exec()).toEqual([])
}

describe.each(rows)('[spec 2] %s by its address', (title, { collection, id, open, arrive, shown }) => {
  const interest = (db: Database) => db.interests.findOne(recordInterest(collection, id)).exec()
  const hasAsked = async ({ db }: Opened) => waitFor(async () => expect(await interest(db)).toBeTruthy())
  const texts = () =>
    document.body.textContent +
    [...document.querySelectorAll<HTMLInputElement>('input, textarea')].map(({ value }) => value).join(' ')

  test('asks for the record, says that it loads, then shows it', async () => {
    const opened = await open(true)
    const { screen, db } = opened
    expect(await screen.findByText('読み込み中')).toBeTruthy()
    expect(screen.getByRole('heading', { name: title })).toBeTruthy()
    await hasAsked(opened)
    expect((await interest(db))?.toJSON()).toMatchObject({
      resource: collection,
      recordKey: id,
      state: 'asked',
    })
    await act(async () => {
      await (await interest(db))?.incrementalPatch({ state: 'answered', total: 1 })
    })
    // the answer is there before what it brought
    expect(screen.getByText('読み込み中')).toBeTruthy()
    await act(async () => void (await arrive(db)))
    await waitFor(() => expect(texts()).toContain(shown))
    expect(screen.queryByText('読み込み中')).toBeNull()
  })

  test('its request is not on the device either: asked for, and its board heads the screen', async () => {
    const { db, screen } = await open(true)
    await screen.findByText('読み込み中')
    await act(async () => void (await db.requests.find().remove()))
    await act(async () => void (await arrive(db)))
    const request = () => db.interests.findOne({ selector: { kind: 'detail', requestId: '1' } }).exec()
    await waitFor(async () => expect((await request())?.state).toBe('asked'))
    // the form does not stand before its board, which would push it down
    expect(texts()).not.toContain(shown)
    await act(async () => void (await db.requests.insert(requestOn('1', DAY))))
    expect(await screen.findByRole('region', { name: '依頼の概要' })).toBeTruthy()
    await waitFor(() => expect(texts()).toContain(shown))
  })

  test('the CRM cannot give its request: it is shown without', async () => {
    const { db, screen } = await open(true)
    await screen.findByText('読み込み中')
    await act(async () => void (await db.requests.find().remove()))
    await act(async () => void (await arrive(db)))
    const asked = () => db.interests.find({ selector: { kind: 'detail', requestId: '1' } }).exec()
    await waitFor(async () => expect(await asked()).not.toEqual([]))
    await act(async () => {
      for (const doc of await asked()) await doc.incrementalPatch({ state: 'missing' })
    })
    await waitFor(() => expect(texts()).toContain(shown))
    expect(screen.queryByRole('region', { name: '依頼の概要' })).toBeNull()
  })

  test('the CRM has none: not-found', async () => {
    const opened = await open(true)
    await hasAsked(opened)
    await (await interest(opened.db))?.incrementalPatch({ state: 'missing' })
    await waitFor(() => expect(opened.href()).toBe('/not-found'))
  })

  test('[PL4b] the CRM could not give it: it says so, and it can be asked again', async () => {
    const opened = await open(true)
    await hasAsked(opened)
    await (await interest(opened.db))?.incrementalPatch({ state: 'failed' })
    await expectFailed(opened)
  })

  test('without a signal it says so, and asks when the signal is there', async () => {
    const opened = await open(false)
    const { screen, services, db } = opened
    expect(await screen.findByRole('heading', { name: '端末に保存されていません' })).toBeTruthy()
    expect(screen.getByRole('link', { name: '依頼検索へ戻る' })).toBeTruthy()
    expect(await interest(db)).toBeNull()
    act(() => (services.online as unknown as { set(online: boolean): void }).set(true))
    await hasAsked(opened)
  })
})

const search = { type: '1', workingDate: DAY }
describe('[PL4] a request that the CRM could not give, though there is a signal', () => {
  test.each([
    ...adds.filter(({ form }) => form !== '退館報告登録'),
    {
      form: '依頼詳細',
      ui: <RequestViewScreen id="1" workingDate={DAY} />,
      path: '/request/$id',
      href: `/request/1?workingDate=${DAY}`,
    },
    {
      form: '緊急報告一覧',
      ui: <EmergencyListScreen requestId="1" workingDate={DAY} />,
      path: '/emergencyReport/$id',
      href: `/emergencyReport/1?workingDate=${DAY}`,
    },
    {
      form: '安全対策選択',
      ui: <SafetySelectScreen requestId="1" workingDate={DAY} workingDateType="1" />,
      path: '/safetyMeasure/select/$requestId',
      href: `/safetyMeasure/select/1?workingDateType=1&workingDate=${DAY}`,
    },
    {
      form: '現場メモ一覧',
      ui: <NoteListScreen otherId="1" search={search} />,
      path: '/noteLocationArea/$otherId',
      href: `/noteLocationArea/1?${new URLSearchParams(search).toString()}`,
    },
  ] as const)('$form', async ({ ui, path, href }) => {
    const db = await openTestDatabase()
    const opened = await renderFeature(ui, { path, href, db })
    const asked = () => db.interests.findOne({ selector: { kind: 'detail', requestId: '1' } }).exec()
    await waitFor(async () => expect((await asked())?.state).toBe('asked'))
    await act(async () => void (await (await asked())?.incrementalPatch({ state: 'failed' })))
    await expectFailed({ ...opened, db })
  })
})
