import { act, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { prefetchKey } from '#schemas/collections/prefetch.ts'
import { ask } from '#data/fetch-requests/interests.ts'
import { quickReportChange, quickReportRecord } from '../../../support/device-records.ts'
import { ENTERED, LEFT, reportOn, requestOn } from '../../../support/visit-records.ts'
import { reportIn } from '../../emergency-report/open-emergency.tsx'
import { DAY, detail, openView, whole } from './open-view.tsx'
import { storeView } from '../../../support/stored-views.ts'

describe('[screens /request/{id}] 依頼詳細', () => {
  test('board, rows, links and buttons by their names', async () => {
    const { screen } = await openView()
    const board = within(await screen.findByRole('region', { name: '依頼の概要' }))
    for (const text of ['09:00', '12:00', '修理', '緊出', 'R26-1', '11月20日（金）'])
      expect(board.getByText(text)).toBeTruthy()
    const rows = screen.getAllByRole('term').map(({ textContent }) => textContent)
    expect(rows).toEqual([
      '作業場所',
      '作業日',
      '作業時間',
      '断水時間',
      '案内配布',
      '契約先',
      '営業担当',
      '現況',
      '伝達事項',
      '入館方法',
      '駐車場',
      '入館連絡先',
      '退館連絡先',
      '安全対策',
    ])
    // below the first screen: a moment later
    expect(await screen.findByRole('heading', { name: '商品' })).toBeTruthy()
    expect(screen.getByRole('cell', { name: /逆止弁.*CV-65F/ })).toBeTruthy()
    expect(screen.getByRole('link', { name: '過去報告' }).getAttribute('href')).toBe('/report/dev%201')
    expect(screen.getByRole('link', { name: '現場メモ一覧（3）' }).getAttribute('href')).toBe(
      `/noteLocationArea/a1?type=1&requestId=1&workingDate=${DAY}`,
    )
    expect(screen.getByRole('link', { name: '地図' }).getAttribute('href')).toContain('api=1&query=')
    expect(screen.getByRole('link', { name: '電話' }).getAttribute('href')).toBe('tel:0355500000')
    const bar = within(screen.getByRole('group', { name: '報告' }))
    expect(bar.getByRole('link', { name: '安全対策' }).getAttribute('href')).toBe(
      `/safetyMeasure/select/1?workingDateType=1&workingDate=${DAY}`,
    )
    expect(bar.getByRole('button', { name: '入館登録' })).toBeTruthy()
    expect(bar.getByRole('link', { name: '緊急報告' }).getAttribute('href')).toBe(
      `/emergencyReport/1?workingDate=${DAY}`,
    )
  })

  test('[PL4] 緊急報告 counts those on the device as all of them only where the list was read', async () => {
    const { screen, db } = await openView({ requests: [requestOn('1', DAY, whole)] })
    await act(() => storeView(db, 'emergencyReports', reportIn('e1')))
    const bar = within(await screen.findByRole('group', { name: '報告' }))
    expect(await bar.findByRole('link', { name: '緊急報告', description: '1件以上' })).toBeTruthy()
    const read = { key: prefetchKey('emergencyReports', '1'), kind: 'prefetch' as const }
    await act(() => ask(db, Date.now(), read))
    expect(await bar.findByRole('link', { name: '緊急報告', description: '1件' })).toBeTruthy()
  })

  test.each([
    [null, 'shield faded'],
    ['0', 'shield-off'],
    ['1', 'shield faded'],
    ['2', 'shield faded'],
    ['3', 'shield-check'],
  ])('[spec 4] the icon of 安全対策 where its status is %s: %s', async (safetyStatus, look) => {
    const request = requestOn('1', DAY, { ...whole, detail: { ...detail, safety: [] }, safetyStatus })
    const { screen } = await openView({ requests: [request] })
    const bar = within(await screen.findByRole('group', { name: '報告' }))
    const names = [...(bar.getByRole('link', { name: '安全対策' }).querySelector('svg')?.classList ?? [])]
    const drawn = names.flatMap((name) => /lucide-(shield.*)|(faded)/.exec(name)?.slice(1) ?? [])
    expect(drawn.filter(Boolean).join(' ')).toBe(look)
  })

  test.each([
    [null, null, '未'],
    [null, '2', '未（協力業者）'],
    ['2026-11-17', null, '済2026年11月17日（火）'],
    ['2026-11-17', '1', '済（TTS）2026年11月17日（火）'],
  ])('[spec 2] 案内配布 on %s by %s: done or not, with the name', async (day, by, text) => {
    const request = requestOn('1', DAY, {
      ...whole,
      notificationDistributionDate: day,
      notificationDistributionName: by,
    })
    const { screen } = await openView({ requests: [request] })
    const label = await screen.findByText('案内配布')
    expect(label.nextElementSibling?.textContent).toBe(text)
  })

  test('[spec 2] a place without a name is no empty row', async () => {
    const { screen } = await openView({
      requests: [requestOn('1', DAY, { ...whole, locationName: '', customerAddress: null })],
    })
    const label = await screen.findByText('作業場所')
    expect(label.nextElementSibling?.textContent).toBe('なし')
  })

  test('[spec 2] status links: 未登録 to add, 登録済 to view, 登録不可 plain with its reason', async () => {
    const { screen } = await openView()
    const link = await screen.findByRole('link', { name: /入館・駐車場情報変更依頼.*未登録/ })
    expect(link.getAttribute('href')).toBe('/customerLocationChangeRequest/add/1')
    expect(screen.getByRole('link', { name: /入館連絡先変更依頼.*登録済/ })).toBeTruthy()
    expect(screen.queryByRole('link', { name: /退館連絡先変更依頼/ })).toBeNull()
    expect(screen.getByText('依頼に退館連絡先がありません')).toBeTruthy()
  })

  test('[spec 1] offline, 未登録 is plain, 登録済 opens, and it says why', async () => {
    const { screen } = await openView({ online: false })
    expect(await screen.findByText('オフライン中は登録・編集できません')).toBeTruthy()
    const barred = screen.getByRole('link', { name: /入館・駐車場情報変更依頼/ })
    expect([barred.getAttribute('aria-disabled'), barred.getAttribute('href')]).toEqual(['true', null])
    expect(screen.getByRole('link', { name: /入館連絡先変更依頼.*登録済/ })).toBeTruthy()
    expect(screen.getByRole('button', { name: '入館登録' })).toBeTruthy()
  })

  test.each([
    ['inside', { inTime: ENTERED }, '/quickReport/add/q-1', '入館 08:56'],
    ['left', { inTime: ENTERED, outTime: LEFT }, '/quickReport/q-1', '退館 11:42'],
  ])('the bar when %s', async (_, server, href, sub) => {
    const { screen } = await openView({ reports: [reportOn('1', server)] })
    const report = await screen.findByRole('link', { name: '退館報告', description: sub })
    expect(report.getAttribute('href')).toBe(href)
    expect(screen.queryByRole('button', { name: '入館登録' })).toBeNull()
  })

  test('[ST1] an entry not sent yet waits', async () => {
    const change = quickReportChange('entry', '08:56', {
      fields: {
        inTime: ENTERED,
        outTime: null,
        type: null,
        reason1: null,
        reason2: null,
        reportContent: null,
      },
    })
    const { screen } = await openView({ reports: [quickReportRecord('1', [change])] })
    const report = await screen.findByRole('link', { name: '退館報告', description: '入館 08:56 待機' })
    expect(report.getAttribute('href')).toBe(`/quickReport/add/1_${DAY}`)
  })

  test('several devices: one chooses whose past reports', async () => {
    const second = { deviceId: 'dev2', deviceModel: '80DL', site1: '2号機', site2: null }
    const several = requestOn('1', DAY, {
      ...whole,
      detail: { ...detail, devices: [...detail.devices, second] },
    })
    const { screen, user } = await openView({ requests: [several] })
    await user.click(await screen.findByRole('button', { name: '過去報告' }))
    const sheet = within(await screen.findByRole('dialog', { name: '過去報告' }))
    const link = await sheet.findByRole('link', { name: /80DL/ })
    expect(link.getAttribute('href')).toBe('/report/dev2')
    expect(link.textContent).toContain('見る')
  })
})

test('[PL11] a text longer than any of the contract shows its beginning, and the rest when asked', async () => {
  const text = `${'鍵は管理室。'.repeat(166)}台車は😀搬入口B${'から'.repeat(900)}終わり`
  const { screen, user } = await openView({ requests: [requestOn('1', DAY, { ...whole, situation: text })] })
  const more = await screen.findByRole('button', { name: '続きを表示' })
  const shown = () => screen.getByText(/^鍵は管理室。/).textContent
  expect(shown()).toContain('台車は…')
  await user.click(more)
  expect(shown()).toContain(text)
  await user.click(screen.getByRole('button', { name: '短く表示' }))
  expect(shown()).not.toContain('終わり')
})

describe('[screens /request/{id}] popups', () => {
  test('入館連絡先, opened by its row and closed with 閉じる', async () => {
    const { screen, user, href } = await openView()
    await user.click(await screen.findByRole('button', { name: /入館連絡先/ }))
    const sheet = within(await screen.findByRole('dialog', { name: '入館連絡先' }))
    expect(href()).toContain('popup=contact')
    expect(sheet.getByText('ﾎﾞｳｻｲｾﾝﾀｰ')).toBeTruthy()
    await user.click(sheet.getByRole('button', { name: '閉じる' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(href()).toBe('/request/1')
  })

  test('地下ピット, from the row 安全対策', async () => {
    const { screen, user } = await openView()
    await user.click(await screen.findByRole('button', { name: '地下ピット' }))
    const sheet = within(await screen.findByRole('dialog', { name: '地下ピット' }))
    expect(sheet.getByText('2m以上')).toBeTruthy()
  })

  test.each([
    [{}, ['コード 3', 'コード 1', '北側']],
    [{ site: { '3': '機械室' }, stepladder: { '1': '要' } }, ['機械室', '要', '北側']],
  ])(
    '[spec 3] a code of 地下ピット whose label nobody gave says that it is one: %j',
    async (codeLabels, words) => {
      const pit = {
        site: '3',
        depth: '3',
        traffic: null,
        hatch: '北側',
        stepladder: '1',
        observer: null,
        guide: null,
      }
      const surveyed = requestOn('1', DAY, { ...whole, detail: { ...detail, underPitSurvey: [pit] } })
      const { screen, user } = await openView({ requests: [surveyed], codeLabels })
      await user.click(await screen.findByRole('button', { name: '地下ピット' }))
      const sheet = within(await screen.findByRole('dialog', { name: '地下ピット' }))
      for (const text of words) expect(sheet.getByText(text)).toBeTruthy()
      expect(sheet.queryByText('3')).toBeNull()
    },
  )

  test('a popup that came with the address closes without leaving', async () => {
    const { screen, user, href } = await openView({ popup: 'contact' })
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: '閉じる' }))
    await waitFor(() => expect(href()).toBe('/request/1'))
  })
})

describe('[spec 2] which day', () => {
  const days = [requestOn('1', '2026-11-19'), requestOn('1', '2026-11-23')]

  test('several days can be switched', async () => {
    const { screen } = await openView({ requests: days })
    const nav = within(await screen.findByRole('navigation', { name: '作業日の切り替え' }))
    expect(nav.getByRole('link', { name: '11月23日（月）' }).getAttribute('aria-current')).toBe('date')
    expect(nav.getByRole('link', { name: '11月19日（木）' }).getAttribute('href')).toBe(
      '/request/1?workingDate=2026-11-19',
    )
  })

  test('a day that is none shows the next one and says so', async () => {
    const { screen } = await openView({ requests: days, workingDate: 'abc' })
    expect(
      await screen.findByText('作業日の指定が正しくないため、直近の作業日を表示しています。'),
    ).toBeTruthy()
    expect(screen.getByText('2026年11月23日（月）')).toBeTruthy()
  })
})

describe('[PL5] what is not on the device', () => {
  test('online it is asked for, once, and a skeleton stands in', async () => {
    const { screen, asked, db } = await openView({ requests: [], workingDate: DAY })
    expect(await screen.findByText('読み込み中')).toBeTruthy()
    await waitFor(async () => expect(await asked()).toHaveLength(1))
    const [interest] = await asked()
    expect(interest).toMatchObject({ kind: 'detail', requestId: '1', workingDate: DAY })
    await db.requests.insert(requestOn('1', DAY, whole))
    expect(await screen.findByRole('region', { name: '依頼の概要' })).toBeTruthy()
  })

  test('[WCAG 2.4.6] in the view pane of the wide layout the screen has its heading while it is read, too', async () => {
    const { screen, db } = await openView({ requests: [], workingDate: DAY, pane: 'view' })
    const heading = () => screen.findByRole('heading', { level: 1, name: '依頼詳細' })
    expect(await screen.findByText('読み込み中')).toBeTruthy()
    const board = (await heading()).closest('[data-board]')
    expect(board).not.toBeNull()
    await db.requests.insert(requestOn('1', DAY, whole))
    const region = await screen.findByRole('region', { name: '依頼の概要' })
    expect(region.contains(await heading())).toBe(true)
  })

  test('[spec 8] the CRM does not know it either: not-found', async () => {
    const { href, asked } = await openView({ requests: [], workingDate: DAY })
    await waitFor(async () => expect(await asked()).toHaveLength(1))
    const [interest] = await asked()
    await interest?.incrementalPatch({ state: 'missing', answeredAt: '2026-11-20T03:00:01.000Z' })
    await waitFor(() => expect(href()).toBe('/not-found'))
  })

  test('offline it says so and leads back', async () => {
    const { screen, asked } = await openView({ requests: [], online: false })
    expect(await screen.findByRole('heading', { name: '端末に保存されていません' })).toBeTruthy()
    expect(screen.getByRole('link', { name: '依頼検索へ戻る' })).toBeTruthy()
    expect(await asked()).toHaveLength(0)
  })

  test('what is on the device shows at once and is asked for anew, once', async () => {
    const { screen, asked } = await openView()
    await screen.findByRole('region', { name: '依頼の概要' })
    const details = async () => (await asked()).filter(({ kind }) => kind === 'detail')
    await waitFor(async () => expect(await details()).toHaveLength(1))
  })
})

test.each([
  ['入館 11/21 00:05', { inTime: '2026-11-21T00:05:00+09:00' }],
  ['退館 11/21 05:10', { inTime: `${DAY}T22:00:00+09:00`, outTime: '2026-11-21T05:10:00+09:00' }],
])('[spec 2] a time of another day is shown with its day: %s', async (description, server) => {
  const { screen } = await openView({
    at: '2026-11-21T06:00:00+09:00',
    reports: [reportOn('1', server)],
  })
  expect(await screen.findByRole('link', { name: '退館報告', description })).toBeTruthy()
})
