/**
 * The law of empty lists (sync RULES PL4): no screen and no popup says that there is none before the list was read. The
 * same table for each of them; only what stands for 読み込み中, 端末にありません and "none" differs.
 */
import { act, waitFor } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import type { Interest } from '#schemas/device/interest.ts'
import { prefetchKey, type PrefetchedCollection } from '#schemas/collections/prefetch.ts'
import type { Database } from '#data/database/database.ts'
import { detailInterest, listInterest } from '#data/fetch-requests/interests.ts'
import { EmergencyListPopup, EmergencyListScreen } from '#features/emergency-report/emergency-list-screen.tsx'
import { NoteListScreen } from '#features/note-location-area/note-list-screen.tsx'
import { pastReportKey } from '#schemas/resources/visit-key.ts'
import { PastReportScreen } from '#features/past-report/past-report-screen.tsx'
import { RequestViewScreen } from '#features/request/detail/request-view.tsx'
import { openTestDatabase, renderFeature, testValue } from '../support/render-feature.tsx'
import { confirmed } from '../support/safety-records.ts'
import { ENTERED, reportOn, requestOn } from '../support/visit-records.ts'
import { reportIn } from './emergency-report/open-emergency.tsx'
import { note } from './note-location-area/open-notes.tsx'
import { DAY, detail, whole } from './request/detail/open-view.tsx'
import { storeView } from '../support/stored-views.ts'

const request = requestOn('1', DAY, { ...whole, safetyDirectionName: null, safetyStatus: null })
const later = '2026-11-20T23:00:00.000Z'

const interest = (key: string, over: Partial<Interest>): Interest => ({
  key,
  kind: 'list',
  askedAt: later,
  state: 'answered',
  answeredAt: '',
  total: 0,
  ...over,
})

interface List {
  name: string
  open(db: Database, online: boolean): Promise<unknown>
  /** What the CRM's answer leaves on the device: the mark, and the answered question. */
  read(db: Database): Promise<unknown>
  fail(db: Database): Promise<unknown>
  store(db: Database): Promise<unknown>
  none: RegExp
  row: RegExp
  request?: typeof request
}

const upsert = (db: Database, ...rows: Interest[]) => db.interests.bulkUpsert(rows)

const listed = (collection: PrefetchedCollection, owner: string) => ({
  read: (db: Database) =>
    upsert(
      db,
      interest(prefetchKey(collection, owner), { kind: 'prefetch' }),
      interest(listInterest(collection, owner), { resource: collection, recordKey: owner }),
    ),
  fail: (db: Database) =>
    upsert(
      db,
      interest(listInterest(collection, owner), { resource: collection, recordKey: owner, state: 'failed' }),
    ),
})

const on = (online: boolean) => ({ services: { online: testValue(online) } })

const past = {
  key: pastReportKey('dev 1', 'p1'),
  id: 'p1',
  deviceId: 'dev 1',
  workingDate: '2026-11-01',
  workingStartTime: null,
  workingEndTime: null,
  reportCatName: '点検',
  supplierName: null,
  supplierStaffName: null,
  requestDetail: '内容',
  specialComment: null,
  emergencyReports: [],
  stamp: '',
}

const lists: List[] = [
  {
    name: '緊急報告一覧',
    ...listed('emergencyReports', '1'),
    open: (db, online) =>
      renderFeature(<EmergencyListScreen requestId="1" workingDate={DAY} />, {
        path: '/emergencyReport/$id',
        href: '/emergencyReport/1',
        db,
        ...on(online),
      }),
    store: (db) => storeView(db, 'emergencyReports', reportIn('e1')),
    none: /緊急報告はありません/,
    row: /2号機も過負荷/,
  },
  {
    name: '緊急報告一覧 (popup)',
    ...listed('emergencyReports', '1'),
    open: async (db, online) => {
      await storeView(db, 'quickReports', reportOn('1', { inTime: ENTERED }))
      return renderFeature(<EmergencyListPopup quickReportId="q-1" />, {
        path: '/quickReport/add/$quickReportId',
        href: '/quickReport/add/q-1?popup=emergencyReports',
        db,
        ...on(online),
      })
    },
    store: (db) => storeView(db, 'emergencyReports', reportIn('e1')),
    none: /緊急報告はありません/,
    row: /2号機も過負荷/,
  },
  {
    name: '現場メモ一覧',
    ...listed('noteLocationAreas', 'a1'),
    open: (db, online) =>
      renderFeature(
        <NoteListScreen otherId="a1" search={{ type: '1', requestId: '1', workingDate: DAY }} />,
        { path: '/noteLocationArea/$otherId', href: '/noteLocationArea/a1', db, ...on(online) },
      ),
    store: (db) => storeView(db, 'noteLocationAreas', note('n1')),
    none: /現場メモはありません/,
    row: /メモ n1/,
  },
  {
    name: '過去報告',
    ...listed('pastReports', 'dev 1'),
    open: (db, online) =>
      renderFeature(<PastReportScreen deviceId="dev 1" />, {
        path: '/report/$deviceId',
        href: '/report/dev%201',
        db,
        ...on(online),
      }),
    store: (db) => db.pastReports.insert(past as never),
    none: /過去報告はありません/,
    row: /内容/,
  },
  {
    name: '安全対策一覧 (popup)',
    request: { ...request, detail: null },
    open: async (db, online) => {
      const { screen } = await renderFeature(<RequestViewScreen id="1" workingDate={DAY} />, {
        path: '/request/$id',
        href: `/request/1?workingDate=${DAY}&popup=safety`,
        db,
        ...on(online),
      })
      await screen.findByRole('dialog')
    },
    read: async (db) =>
      (await db.requests.findOne(request.key).exec())?.incrementalPatch({
        detail: { ...detail, safety: [] },
      }),
    fail: (db) => upsert(db, interest(detailInterest('1', DAY), { kind: 'detail', state: 'failed' })),
    store: (db) => storeView(db, 'safetyMeasures', confirmed('3')),
    none: /この作業日の安全対策はありません/,
    row: /高所/,
  },
]

const ABSENT = /端末に保存されていません|端末にありません/
const FAILED = /読み込めませんでした/
const READING = /読み込み中/

async function open(
  list: List,
  online: boolean,
  before: (db: Database) => Promise<unknown> = async () => null,
) {
  const db = await openTestDatabase()
  await db.requests.insert(list.request ?? request)
  await before(db)
  await list.open(db, online)
  const text = () => (document.querySelector('dialog') ?? document.body).textContent ?? ''
  const says = (words: RegExp) => waitFor(() => expect(text()).toMatch(words))
  return { db, text, says }
}

/** One press on 再読み込み. */
function askAgain() {
  const again = [...document.querySelectorAll('button')].find((each) => each.textContent === '再読み込み')
  act(() => again?.click())
}

describe.each(lists)('[PL4] $name', (list) => {
  test('asked and not answered: 読み込み中', async () => {
    const { says, text } = await open(list, true)
    await says(READING)
    expect(text()).not.toMatch(list.none)
  })

  test('the CRM could not give it: it says so', async () => {
    const { db, says, text } = await open(list, true)
    await says(READING)
    await act(() => list.fail(db))
    await says(FAILED)
    expect(text()).not.toMatch(list.none)
    askAgain()
    await says(READING)
    expect(text()).not.toMatch(FAILED)
  })

  test('answered, and empty: there is none', async () => {
    const { db, says, text } = await open(list, true)
    await says(READING)
    await act(() => list.read(db))
    await says(list.none)
    expect(text()).not.toMatch(ABSENT)
  })

  test('answered with rows', async () => {
    const { db, says, text } = await open(list, true, list.store)
    await act(() => list.read(db))
    await says(list.row)
    await waitFor(() => expect(text()).not.toMatch(READING))
    expect(text()).not.toMatch(list.none)
  })

  test('offline, never read: it is not on the device, and what to do', async () => {
    const { says, text } = await open(list, false)
    await says(ABSENT)
    await says(/電波の届く/)
    expect(text()).not.toMatch(list.none)
  })

  test('offline, never read, with one of our own: there may be more', async () => {
    const { says, text } = await open(list, false, list.store)
    await says(list.row)
    await says(/端末にある分だけです。電波の届く場所で開くと|続きは電波の届く場所/)
    expect(text()).not.toMatch(list.none)
  })

  test('the CRM could not give the rest: it says so, and can be asked again', async () => {
    const { db, says, text } = await open(list, true, list.store)
    await says(list.row)
    await act(() => list.fail(db))
    await says(/(ほかの分|続き)を読み込めませんでした/)
    expect(text()).not.toMatch(list.none)
    askAgain()
    await waitFor(() => expect(text()).not.toMatch(FAILED))
  })

  test('offline, read before and empty: there is none', async () => {
    const { says, text } = await open(list, false, list.read)
    await says(list.none)
    expect(text()).not.toMatch(ABSENT)
  })
})

/** What only the details of a request say, in the popups that show it. */
const popups = [
  {
    name: '地下ピット',
    ui: <RequestViewScreen id="1" workingDate={DAY} />,
    path: '/request/$id',
    href: `/request/1?workingDate=${DAY}&popup=under-pit`,
    row: /2m以上/,
  },
  {
    name: '依頼詳細',
    ui: <EmergencyListScreen requestId="1" workingDate={DAY} />,
    path: '/emergencyReport/$id',
    href: `/emergencyReport/1?workingDate=${DAY}&popup=request`,
    row: /排水ポンプユニット/,
  },
] as const

describe.each(popups)('[PL4] the popup $name, before the details are on the device', (popup) => {
  async function openPopup(online: boolean) {
    const db = await openTestDatabase()
    await db.requests.insert({ ...request, detail: null })
    const { path, href } = popup
    const { screen } = await renderFeature(popup.ui, { path, href, db, ...on(online) })
    const sheet = await screen.findByRole('dialog', { name: popup.name })
    return { db, expectText: (words: RegExp) => waitFor(() => expect(sheet.textContent).toMatch(words)) }
  }

  test('they are being read, then they are there', async () => {
    const { db, expectText } = await openPopup(true)
    await expectText(READING)
    await act(async () => void (await (await db.requests.findOne().exec(true)).incrementalPatch({ detail })))
    await expectText(popup.row)
  })

  test('the CRM could not give them', async () => {
    const { db, expectText } = await openPopup(true)
    await expectText(READING)
    await act(() => upsert(db, interest(detailInterest('1', DAY), { kind: 'detail', state: 'failed' })))
    await expectText(FAILED)
  })

  test('without a signal', async () => {
    const { expectText } = await openPopup(false)
    await expectText(ABSENT)
  })
})
