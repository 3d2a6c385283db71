import { act, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import type { PastReportRecord } from '#schemas/resources/past-report.ts'
import { pastReportKey } from '#schemas/resources/visit-key.ts'
import { prefetchKey } from '#schemas/collections/prefetch.ts'
import { ask } from '#data/fetch-requests/interests.ts'
import type { Database } from '#data/database/database.ts'
import { RequestViewScreen } from '#features/request/detail/request-view.tsx'
import { quickReportChange } from '../../support/device-records.ts'
import { renderFeature } from '../../support/render-feature.tsx'
import { speak } from '../../support/speak.ts'
import { reportOn, requestOn } from '../../support/visit-records.ts'
import { storeView } from '../../support/stored-views.ts'
import { reportIn } from '../emergency-report/open-emergency.tsx'
import { note } from '../note-location-area/open-notes.tsx'
import { DAY, detail, openView, whole, type Options } from '../request/detail/open-view.tsx'

const DEVICE = 'dev 1'
const YESTERDAY = '2026-11-19'
const ALL = [
  ['pastReports', DEVICE],
  ['emergencyReports', '1'],
  ['noteLocationAreas', 'a1'],
] as const

const pastReport = (over: Partial<PastReportRecord> = {}): PastReportRecord => ({
  key: pastReportKey(DEVICE, 'p1'),
  deviceId: DEVICE,
  id: 'p1',
  workingDate: '2026-08-27',
  workingStartTime: null,
  workingEndTime: null,
  reportCatName: '点検',
  supplierName: null,
  supplierStaffName: null,
  requestDetail: null,
  specialComment: '電流値が定格の112%。',
  emergencyReports: [],
  ...over,
})

const wasRead = async (db: Database, lists: readonly (readonly [string, string])[]) => {
  for (const [collection, owner] of lists)
    await act(() => ask(db, Date.now(), { key: prefetchKey(collection, owner), kind: 'prefetch' }))
}

async function open(options: Options & { read?: typeof ALL | readonly [] } = {}) {
  const { read = ALL, ...rest } = options
  const opened = await openView(rest)
  await wasRead(opened.db, read)
  const section = within(await opened.screen.findByRole('region', { name: '前回からの引き継ぎ' }))
  const links = () => section.queryAllByRole('link').map((link) => link.getAttribute('href'))
  return { ...opened, section, links }
}

describe('[issue 54] 前回からの引き継ぎ on 依頼詳細', () => {
  test('is the first thing under the head', async () => {
    const { screen } = await open()
    const heads = screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent)
    expect(heads[0]).toBe('前回からの引き継ぎ')
  })

  test('[PL4] all was read, and there is nothing: only then it says that there is none', async () => {
    const { section } = await open()
    expect(await section.findByText('前回の記録はありません')).toBeTruthy()
  })

  test.each(ALL)('[PL4] %s was not read: that is not none', async (missing) => {
    const { section, db } = await open({ read: [], online: false })
    await wasRead(
      db,
      ALL.filter(([collection]) => collection !== missing),
    )
    expect(await section.findByText(/^前回の記録はまだ読み込んでいません/)).toBeTruthy()
    expect(section.queryByText('前回の記録はありません')).toBeNull()
  })

  test('[PL4] online, what was not read is asked for once; offline it says when it comes', async () => {
    const { section, asked, services } = await open({ read: [], online: true })
    await waitFor(async () =>
      expect((await asked()).map(({ key }) => key)).toEqual(
        expect.arrayContaining([`list_pastReports_${DEVICE}`, 'list_noteLocationAreas_a1']),
      ),
    )
    expect(await section.findByText('読み込み中')).toBeTruthy()
    act(() => (services.online as unknown as { set(on: boolean): void }).set(false))
    expect(await section.findByText('端末にありません。電波の届く場所で開くと読み込みます')).toBeTruthy()
  })

  test('what was read is not asked for again', async () => {
    const { section, asked } = await open()
    await section.findByText('前回の記録はありません')
    expect((await asked()).filter(({ kind }) => kind === 'list')).toEqual([])
  })

  test('[PL4] the details of the request are not on the device: its machines are not known', async () => {
    const request = requestOn('1', DAY, { ...whole, detail: null, detailConfirmedAt: '' })
    const { section } = await open({ requests: [request], online: false })
    expect(await section.findByText(/^前回の記録はまだ読み込んでいません/)).toBeTruthy()
  })

  test('[SV6] nothing is said while the user’s data is locked or not open yet', async () => {
    const { screen } = await renderFeature(<RequestViewScreen id="1" workingDate={DAY} />, {
      path: '/request/$id',
      href: `/request/1?workingDate=${DAY}`,
    })
    await screen.findAllByText('読み込み中')
    expect(screen.queryByText(/前回/)).toBeNull()
  })

  test('each line leads to its source', async () => {
    const before = requestOn('2', YESTERDAY, { ...whole, requestCode: 'R26-2' })
    const left = reportOn(
      '2',
      {
        inTime: `${YESTERDAY}T09:00:00+09:00`,
        outTime: `${YESTERDAY}T11:00:00+09:00`,
        type: '2',
        reason1: '5',
      },
      YESTERDAY,
    )
    const { section, db, links } = await open({
      requests: [requestOn('1', DAY, whole), before],
      reports: [left],
    })
    await act(async () => void (await db.pastReports.insert(pastReport())))
    const exit = await section.findByRole('link', { name: /^自分の退館報告 2026\/11\/19（木） 作業未完了/ })
    expect(exit.textContent).toContain('時間超過(作業遅れ)')
    expect(await section.findByRole('link', { name: /^過去報告 2026\/08\/27（木） 点検.*112%/ })).toBeTruthy()
    await act(async () =>
      storeView(
        db,
        'noteLocationAreas',
        note('n1', { createdAt: `${YESTERDAY}T11:05:00+09:00`, note: 'ふたが重い' }, { noteType: '2' }),
      ),
    )
    expect(await section.findByRole('link', { name: /^現場メモ .*ふたが重い/ })).toBeTruthy()
    expect(links()).toEqual([
      `/noteLocationArea/a1?type=2&requestId=1&workingDate=${DAY}`,
      '/quickReport/q-2',
      '/report/dev%201',
    ])
    await act(async () => storeView(db, 'emergencyReports', { ...reportIn('e1'), workingDate: YESTERDAY }))
    expect(await section.findByRole('link', { name: /^緊急報告 .*2号機も過負荷で停止/ })).toBeTruthy()
    expect(links()[0]).toBe(`/emergencyReport/1?workingDate=${DAY}`)
    expect(links()).toHaveLength(3)
  })

  test('is in the language that is chosen, while it is open, too; what was typed stays as it is', async () => {
    const before = requestOn('2', YESTERDAY, whole)
    const out = { outTime: `${YESTERDAY}T11:00:00+09:00`, type: '2', reason1: '5' }
    const left = reportOn('2', { inTime: `${YESTERDAY}T09:00:00+09:00`, ...out }, YESTERDAY)
    const { screen, db, section } = await open({
      requests: [requestOn('1', DAY, whole), before],
      reports: [left],
    })
    await act(async () => void (await db.pastReports.insert(pastReport({ reportCatName: null }))))
    await section.findByRole('link', { name: /^過去報告/ })
    await act(() => speak('en'))
    const inEnglish = within(await screen.findByRole('region', { name: 'Handover from last visit' }))
    const exit = await inEnglish.findByRole('link', { name: /^Your exit report .* Work not done/ })
    expect(exit.textContent).not.toMatch(/[ぁ-ん]|作業|時間/)
    const report = await inEnglish.findByRole('link', { name: /^Past reports .*No category/ })
    expect(report.textContent).toContain('電流値が定格の112%。')
  })

  test('a long text is cut after 60 letters and says so; the rest is behind its link', async () => {
    const { section, db } = await open()
    await act(() => db.pastReports.insert(pastReport({ specialComment: `${'𠮷'.repeat(60)}その先` })))
    const line = await section.findByRole('link', { name: /点検/ })
    expect(line.textContent).toContain(`${'𠮷'.repeat(60)}…`)
    expect(line.textContent).not.toContain('その先')
  })

  test('[ST1] an exit that is on this device only says so; one that was given up is none', async () => {
    const before = requestOn('2', YESTERDAY, whole)
    const fields = {
      inTime: null,
      outTime: `${YESTERDAY}T11:00:00+09:00`,
      type: '1',
      reason1: null,
      reason2: null,
      reportContent: null,
    }
    const left = {
      ...reportOn('2', { inTime: `${YESTERDAY}T09:00:00+09:00` }, YESTERDAY),
      changes: [quickReportChange('exit', '11:00', { fields })],
      unsent: 'yes' as const,
    }
    const { section } = await open({ requests: [requestOn('1', DAY, whole), before], reports: [left] })
    expect(await section.findByRole('link', { name: /^自分の退館報告 .*作業完了 待機/ })).toBeTruthy()
  })

  test('an exit at another machine is not of this one', async () => {
    const other = { ...detail, devices: [{ deviceId: 'dev 9', deviceModel: null, site1: null, site2: null }] }
    const before = requestOn('2', YESTERDAY, { ...whole, detail: other })
    const left = reportOn('2', { outTime: `${YESTERDAY}T11:00:00+09:00`, type: '1' }, YESTERDAY)
    const { section, links } = await open({ requests: [requestOn('1', DAY, whole), before], reports: [left] })
    expect(await section.findByText('前回の記録はありません')).toBeTruthy()
    expect(links()).toEqual([])
  })

  test('several machines: each has its own lines', async () => {
    const devices = [
      { deviceId: DEVICE, deviceModel: '65DVS', site1: '1号機', site2: null },
      { deviceId: 'dev 2', deviceModel: '80DL', site1: '2号機', site2: null },
    ]
    const { section, db } = await open({
      requests: [requestOn('1', DAY, { ...whole, detail: { ...detail, devices } })],
    })
    await act(async () => void (await db.pastReports.insert(pastReport())))
    expect(await section.findByRole('heading', { name: '65DVS 1号機' })).toBeTruthy()
    expect(section.getByRole('heading', { name: '80DL 2号機' })).toBeTruthy()
    expect(await section.findByRole('link', { name: /^過去報告/ })).toBeTruthy()
    expect(section.getByText(/^前回の記録はまだ読み込んでいません/)).toBeTruthy()
  })
})
