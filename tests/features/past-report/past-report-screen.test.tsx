import { waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { pastReportKey } from '#schemas/resources/visit-key.ts'
import type { PastReportRecord } from '#schemas/resources/past-report.ts'
import { prefetchKey } from '#schemas/collections/prefetch.ts'
import { PastReportScreen } from '#features/past-report/past-report-screen.tsx'
import { watchScrollEnd } from '../../support/scroll-end.ts'
import { openTestDatabase, renderFeature, testValue } from '../../support/render-feature.tsx'
import { requestOn } from '../../support/visit-records.ts'
import { whole } from '../request/detail/open-view.tsx'

const DEVICE = 'dev 1'
const ASKED = `list_pastReports_${DEVICE}`

function report(id: string, over: Partial<PastReportRecord> = {}): PastReportRecord {
  return {
    key: pastReportKey(DEVICE, id),
    deviceId: DEVICE,
    id,
    workingDate: '2026-08-27',
    workingStartTime: '2026-08-27T09:00:00+09:00',
    workingEndTime: '2026-08-27T11:30:00+09:00',
    reportCatName: '点検',
    supplierName: '東都ポンプ工業株式会社',
    supplierStaffName: '石井 健太',
    requestDetail: `内容 ${id}`,
    specialComment: null,
    emergencyReports: [],
    ...over,
  }
}

const emergency = {
  id: 'e1',
  emergencyContentsName: '機器面、安全面',
  emergencyContentsDetails: '満水警報が鳴動。',
  riskName: '冠水・水没',
  correspondenceDateName: '当日',
  ttsStaffContactName: null,
}

interface Options {
  reports?: readonly PastReportRecord[]
  isRead?: boolean
  online?: boolean
  popup?: string
}

async function open({ reports = [], isRead = true, online = true, popup }: Options = {}) {
  const db = await openTestDatabase()
  await db.requests.insert(requestOn('1', '2026-11-20', whole))
  await db.pastReports.bulkInsert([...reports])
  if (isRead)
    await db.interests.insert({
      key: prefetchKey('pastReports', DEVICE),
      kind: 'prefetch',
      askedAt: '',
      state: 'answered',
      answeredAt: '',
      total: 0,
    })
  const opened = await renderFeature(<PastReportScreen deviceId={DEVICE} />, {
    path: '/report/$deviceId',
    href: `/report/${encodeURIComponent(DEVICE)}${popup ? `?popup=${popup}` : ''}`,
    db,
    services: { online: testValue(online) },
  })
  const asked = async () => (await db.interests.findOne(ASKED).exec())?.toMutableJSON() ?? null
  return { ...opened, db, asked }
}

describe('[spec 2] 過去報告', () => {
  test('newest first: day, category, times, company, person, what was done', async () => {
    const { screen, asked } = await open({
      reports: [
        report('old', { workingDate: '2025-11-19', reportCatName: '清掃' }),
        report('new', { specialComment: '電流値が定格の112%。' }),
      ],
    })
    const [first, second] = await screen.findAllByRole('article')
    for (const text of [
      '2026/08/27（木）',
      '点検',
      '09:00〜11:30',
      '東都ポンプ工業株式会社',
      '石井 健太',
      '依頼内容',
      '内容 new',
      '特記事項',
      '電流値が定格の112%。',
    ])
      expect(first?.textContent).toContain(text)
    expect(second?.textContent).toContain('2025/11/19（水）')
    expect(second?.textContent).not.toContain('特記事項')
    expect(screen.getByText('65DVS')).toBeTruthy()
    expect(screen.getByText('これより前の報告はありません')).toBeTruthy()
    expect(await asked()).toBeNull()
  })

  test('[PL4] offline: what was prefetched is there', async () => {
    const { screen } = await open({ reports: [report('1')], online: false })
    expect(await screen.findByText('内容 1')).toBeTruthy()
  })

  test('[spec 8] none (404) is an empty list', async () => {
    const { screen } = await open()
    expect(await screen.findByRole('heading', { name: '過去報告はありません' })).toBeTruthy()
  })

  test('a device that was never read: the CRM is asked, and the answer is shown', async () => {
    const { screen, db, asked } = await open({ isRead: false })
    await waitFor(async () =>
      expect(await asked()).toMatchObject({ kind: 'list', state: 'asked', recordKey: DEVICE }),
    )
    await db.pastReports.insert(report('1'))
    expect(await screen.findByText('内容 1')).toBeTruthy()
  })

  test('never read, and no signal', async () => {
    const { screen, asked } = await open({ isRead: false, online: false })
    expect(await screen.findByRole('heading', { name: '端末に保存されていません' })).toBeTruthy()
    expect(await asked()).toBeNull()
  })
})

describe('[screens] 緊急報告詳細', () => {
  test('opened by an emergency item, closed with 閉じる', async () => {
    const { screen, user, href } = await open({ reports: [report('1', { emergencyReports: [emergency] })] })
    await user.click(await screen.findByRole('button', { name: /^緊急報告.*見る$/ }))
    const sheet = within(await screen.findByRole('dialog', { name: '緊急報告詳細' }))
    for (const text of ['機器面、安全面', '冠水・水没', '当日', '満水警報が鳴動。', 'なし'])
      expect(sheet.getByText(text)).toBeTruthy()
    await user.click(sheet.getByRole('button', { name: '閉じる' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await waitFor(() => expect(href()).not.toContain('popup'))
  })

  test('of several items the one that the address names', async () => {
    const second = { ...emergency, id: 'e2', emergencyContentsDetails: '二件目' }
    const { screen } = await open({
      reports: [report('1', { emergencyReports: [emergency, second] })],
      popup: 'emergency-1-2',
    })
    const sheet = within(await screen.findByRole('dialog', { name: '緊急報告詳細' }))
    expect(sheet.getByText('二件目')).toBeTruthy()
  })
})

describe('[spec 9] 20 a page', () => {
  const scrollToEnd = watchScrollEnd()
  const many = (count: number) => Array.from({ length: count }, (_, i) => report(String(i).padStart(2, '0')))

  test('what is on the device, page by page; then the CRM is asked for the next page', async () => {
    const { screen, asked } = await open({ reports: many(40) })
    const shown = () => screen.queryAllByRole('article').length
    await waitFor(() => expect(shown()).toBe(20))
    expect(await asked()).toBeNull()
    scrollToEnd()
    await waitFor(() => expect(shown()).toBe(40))
    scrollToEnd()
    await waitFor(async () => expect(await asked()).toMatchObject({ pages: 3, state: 'asked' }))
  })

  test('the answer ends the list', async () => {
    const { screen, db, asked } = await open({ reports: many(40) })
    const shown = () => screen.queryAllByRole('article').length
    await waitFor(() => expect(shown()).toBe(20))
    scrollToEnd()
    await waitFor(() => expect(shown()).toBe(40))
    scrollToEnd()
    await waitFor(async () => expect(await asked()).not.toBeNull())
    await db.pastReports.insert(report('last', { workingDate: '2020-01-01' }))
    const doc = await db.interests.findOne(ASKED).exec(true)
    await doc.incrementalPatch({ state: 'answered' })
    await waitFor(() => expect(shown()).toBe(41))
    expect(await screen.findByText('これより前の報告はありません')).toBeTruthy()
  })

  test('offline the end of what is on the device is not the end', async () => {
    const { screen, asked } = await open({ reports: many(40), online: false })
    const shown = () => screen.queryAllByRole('article').length
    await waitFor(() => expect(shown()).toBe(20))
    scrollToEnd()
    await waitFor(() => expect(shown()).toBe(40))
    scrollToEnd()
    expect(await screen.findByText('続きは電波の届く場所で表示されます')).toBeTruthy()
    expect(await asked()).toBeNull()
  })
})
