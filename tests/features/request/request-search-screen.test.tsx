import { act, waitFor, within } from '@testing-library/react'
import { describe, expect, test, vi } from 'vitest'
import type { QuickReportRecord } from '#schemas/quick-report.ts'
import type { RequestRecord } from '#schemas/request.ts'
import type { Session } from '#schemas/session.ts'
import type { Database } from '#data/database.ts'
import { REFRESH_INTEREST, SEARCH_INTEREST } from '#data/interests.ts'
import { RequestSearchScreen } from '#features/request/request-search-screen.tsx'
import { ledgerEntry, quickReportChange, quickReportRecord } from '../../support/device-records.ts'
import { openTestDatabase, renderFeature, testValue } from '../../support/render-feature.tsx'
import { ENTERED, LEFT, reportOn, requestOn, storeWindow } from '../../support/visit-records.ts'

const DAY = '2026-11-20'

interface Options {
  requests?: readonly RequestRecord[]
  reports?: readonly QuickReportRecord[]
  online?: boolean
  select?: boolean
  href?: string
}

async function openSearch({ requests = [], reports = [], online = true, select = false, href }: Options) {
  const db = await openTestDatabase()
  await storeWindow(db, requests, reports)
  const opened = await renderFeature(<RequestSearchScreen select={select} />, {
    path: '/request',
    href: href ?? (select ? '/request?select=true' : '/request'),
    db,
    services: { online: testValue(online) },
  })
  const search = () => db.interests.findOne(SEARCH_INTEREST).exec()
  return { ...opened, db, search }
}

const at = (id: string, over: Partial<RequestRecord> = {}, day = DAY) =>
  requestOn(id, day, { locationAreaId: 'a1', locationName: `現場${id}`, ...over })

describe('[screens /request] the list', () => {
  test('[look] days with their rows; a row is a link whose name starts with the time', async () => {
    const { screen, user } = await openSearch({
      requests: [
        at('1', { customerName: '管理組合' }),
        at('2'),
        at('3', {}, '2026-11-21'),
        at('4', {}, '2026-11-29'),
      ],
      reports: [reportOn('1', { inTime: ENTERED, outTime: LEFT }), reportOn('2', { inTime: ENTERED })],
    })
    await user.click(await screen.findByRole('button', { name: '今後7日間' }))
    await user.click(await screen.findByRole('button', { name: '完了 1件' }))
    const first = await screen.findByRole('link', { name: /^09:00.*現場1/ })
    expect(first.textContent).toContain('R26-1')
    expect(first.textContent).toContain('入館 08:56・退館 11:42')
    expect(first.getAttribute('href')).toBe(`/request/1?workingDate=${DAY}`)
    expect(screen.getByRole('link', { name: /現場2/ }).textContent).toContain('入館 08:56')
    expect(screen.getByRole('heading', { name: /11月20日（金）.*今日.*完了 1 \/ 2件/ })).toBeTruthy()
    expect(screen.getByRole('heading', { name: /11月21日（土）.*1件/ })).toBeTruthy()
    expect(screen.queryByText(/現場4/)).toBeNull()
    expect(
      screen.getByRole('button', { name: /11\/20（金）〜11\/26（木）.*3件.*種別 すべて.*変更/ }),
    ).toBeTruthy()
  })

  test('[ST1] what is unsent shows its most pressing state, a failure with its count', async () => {
    const change = quickReportChange('entry', '08:56')
    const record = quickReportRecord('1', [change])
    const { screen, db } = await openSearch({ requests: [at('1')], reports: [record] })
    expect(await screen.findByText('待機')).toBeTruthy()
    await db.ledger.insert(ledgerEntry(record, change, { state: 'refused' }))
    expect(await screen.findByText('失敗 1件')).toBeTruthy()
  })

  test('a quick range is chosen, and nothing found offers 条件をクリア', async () => {
    const { screen, user } = await openSearch({ requests: [at('1')] })
    await screen.findByRole('link', { name: /現場1/ })
    await user.click(screen.getByRole('button', { name: '明日' }))
    expect(await screen.findByRole('heading', { name: '該当するデータがありません。' })).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'まとめて登録' })).toBeNull()
    await user.click(screen.getByRole('button', { name: '条件をクリア' }))
    expect(await screen.findByRole('link', { name: /現場1/ })).toBeTruthy()
    expect(screen.getByRole('button', { name: '今日' }).getAttribute('aria-pressed')).toBe('true')
  })

  test('[house 9] the filter is kept in this tab', async () => {
    const { screen, user, services } = await openSearch({ requests: [at('1')] })
    await user.click(await screen.findByRole('button', { name: '明日' }))
    expect(services.memory.store('request-filter').get()).toContain('"quick":"tomorrow"')
  })
})

describe('[screens /request] 検索条件', () => {
  const openSheet = async (options: Options) => {
    const opened = await openSearch(options)
    const { screen, user, href } = opened
    await user.click(await screen.findByRole('button', { name: /変更/ }))
    const sheet = within(await screen.findByRole('dialog', { name: '検索条件' }))
    expect(href()).toContain('popup=filter')
    return { ...opened, sheet }
  }

  test('answers from the device at once, and asks the CRM for what it may not know', async () => {
    const { screen, user, sheet, search, href } = await openSheet({ requests: [at('1'), at('2')] })
    await user.type(sheet.getByRole('textbox', { name: '作業場所' }), '現場２')
    await user.click(sheet.getByRole('button', { name: '検索' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(href()).not.toContain('popup')
    expect(screen.getByRole('link', { name: /現場2/ })).toBeTruthy()
    expect(screen.queryByRole('link', { name: /現場1/ })).toBeNull()
    expect(await screen.findByText('新しい依頼が届いたか確認しています')).toBeTruthy()
    const asked = await search()
    expect(asked?.filter?.locationName).toBe('現場２')
    await asked?.incrementalPatch({ state: 'answered' })
    await waitFor(() => expect(screen.queryByText('新しい依頼が届いたか確認しています')).toBeNull())
  })

  test('[spec 1] offline, only the device answers, and it says so', async () => {
    const { screen, user, sheet } = await openSheet({ requests: [at('1')], online: false })
    await user.type(sheet.getByRole('textbox', { name: '依頼番号' }), 'R26')
    await user.click(sheet.getByRole('button', { name: '検索' }))
    expect(await screen.findByText('端末にある依頼だけを表示しています。')).toBeTruthy()
  })

  test('[PL4] within the kept days nothing is asked', async () => {
    const { user, sheet, search, screen } = await openSheet({ requests: [at('1', { orderFlag: '2' })] })
    await user.click(sheet.getByRole('checkbox', { name: '修理' }))
    await user.click(sheet.getByRole('checkbox', { name: '緊出のみ' }))
    await user.click(sheet.getByRole('button', { name: '検索' }))
    expect(await screen.findByRole('button', { name: /種別 修理、緊出のみ/ })).toBeTruthy()
    expect(await search()).toBeNull()
  })

  test('a last day before the first is an error of the field', async () => {
    const { user, sheet, screen } = await openSheet({ requests: [at('1')] })
    const to = sheet.getByLabelText('作業日（終了）')
    await user.clear(to)
    await user.type(to, '2026-11-19')
    await user.click(sheet.getByRole('button', { name: '検索' }))
    expect(await screen.findByText('作業日（終了）には作業日（開始）以降の日を指定してください')).toBeTruthy()
    expect(to.getAttribute('aria-invalid')).toBe('true')
  })

  test("the phone's back button closes it", async () => {
    const { router, screen, href } = await openSheet({ requests: [at('1')] })
    router.history.back()
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(href()).toBe('/request')
  })

  test('closes with 閉じる', async () => {
    const { user, sheet, screen } = await openSheet({ requests: [at('1')] })
    await user.click(sheet.getByRole('button', { name: '閉じる' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })
})

describe('[screens /request] まとめて登録', () => {
  test('the first one fixes the group; the others say why not', async () => {
    const { screen, user } = await openSearch({
      select: true,
      requests: [at('1'), at('2'), at('3', { locationAreaId: 'a2' }), at('4'), at('5')],
      reports: [reportOn('4', { inTime: ENTERED }), reportOn('5', { inTime: ENTERED, outTime: LEFT })],
    })
    const pick = (id: string) => screen.getByRole<HTMLInputElement>('checkbox', { name: `選択 R26-${id}` })
    await screen.findByRole('checkbox', { name: '選択 R26-1' })
    expect(pick('5').disabled).toBe(true)
    await user.click(pick('1'))
    expect([2, 3, 4, 5].map((id) => pick(String(id)).disabled)).toEqual([false, true, true, true])
    expect(screen.getByText('入館済のため選べません')).toBeTruthy()
    expect(screen.getByText('退館済のため選べません')).toBeTruthy()
    expect(screen.getByText('作業日か現場が違うため選べません')).toBeTruthy()
    await user.click(pick('2'))
    expect(screen.getByText('2件を選択中')).toBeTruthy()
    const bar = within(screen.getByRole('group', { name: 'まとめて登録' }))
    expect(bar.getAllByRole('button').map(({ textContent }) => textContent)).toEqual([
      'やめる',
      '2件を入館登録',
    ])
  })

  test('those inside go on to one report', async () => {
    const { screen, user, href } = await openSearch({
      select: true,
      requests: [at('1'), at('2'), at('3')],
      reports: [reportOn('1', { inTime: ENTERED }), reportOn('2', { inTime: ENTERED })],
    })
    await user.click(await screen.findByRole('checkbox', { name: '選択 R26-1' }))
    expect(screen.getByText('未入館のため選べません')).toBeTruthy()
    await user.click(screen.getByRole('checkbox', { name: '選択 R26-2' }))
    await user.click(screen.getByRole('button', { name: '2件を退館報告' }))
    expect(href()).toBe('/quickReport/add/q-1?other=q-2')
  })

  test('やめる goes back to the list', async () => {
    const { screen, user, href } = await openSearch({ select: true, requests: [at('1')] })
    await user.click(await screen.findByRole('button', { name: 'やめる' }))
    await waitFor(() => expect(href()).toBe('/request'))
  })

  test("the phone's back button leaves まとめて登録", async () => {
    const { screen, user, router, href } = await openSearch({ requests: [at('1')] })
    await user.click(await screen.findByRole('button', { name: 'まとめて登録' }))
    await waitFor(() => expect(href()).toBe('/request?select=true'))
    expect(router.history.location.state).toHaveProperty('selectPushed')
    router.history.back()
    await waitFor(() => expect(href()).toBe('/request'))
  })

  test('[ec00029] a group that falls apart meanwhile goes back to the list', async () => {
    const { screen, user, db, href, services } = await openSearch({
      select: true,
      requests: [at('1'), at('2')],
    })
    await user.click(await screen.findByRole('checkbox', { name: '選択 R26-1' }))
    await user.click(screen.getByRole('checkbox', { name: '選択 R26-2' }))
    await db.quickReports.insert(reportOn('2', { inTime: ENTERED }))
    await waitFor(() => expect(href()).toBe('/request'))
    expect(services.flash.get()[0]).toMatchObject({
      mode: 'danger',
      text: '一緒に登録できない依頼が含まれています。もう一度検索してください。',
    })
  })

  /** 入館一括登録 of two, whose write the device refuses once. @param meanwhile what happens before it does */
  async function refusedTogether(meanwhile: (db: Database) => Promise<void> = async () => undefined) {
    const opened = await openSearch({ select: true, requests: [at('1'), at('2')] })
    const { screen, user, db } = opened
    const { storageInstance } = db.quickReports
    const write = storageInstance.bulkWrite.bind(storageInstance)
    let isRefused = false
    vi.spyOn(storageInstance, 'bulkWrite').mockImplementation(async (rows, context) => {
      if (isRefused || context !== 'write-together') return write(rows, context)
      isRefused = true
      await meanwhile(db)
      throw new DOMException('no room', 'QuotaExceededError')
    })
    await user.click(await screen.findByRole('checkbox', { name: '選択 R26-1' }))
    await user.click(screen.getByRole('checkbox', { name: '選択 R26-2' }))
    await user.click(screen.getByRole('button', { name: '2件を入館登録' }))
    await user.click(await screen.findByRole('button', { name: '登録' }))
    for (let question = 0; question < 3; question += 1)
      await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'はい' }))
    const expectFellApart = async () => {
      await waitFor(() => expect(opened.href()).toBe('/request'))
      expect(opened.services.flash.get().map(({ text }) => text)).toContain(
        '一緒に登録できない依頼が含まれています。もう一度検索してください。',
      )
    }
    return { ...opened, expectFellApart }
  }

  test('[ec00029] a group falls apart after a save that failed here', async () => {
    const { screen, db, expectFellApart } = await refusedTogether()
    await within(await screen.findByRole('alertdialog')).findByRole('alert')
    await act(async () => void (await db.quickReports.insert(reportOn('2', { inTime: ENTERED }))))
    await expectFellApart()
  })

  test('[ec00029] a group falls apart while a save fails here', async () => {
    const { expectFellApart } = await refusedTogether(async (db) => {
      await db.quickReports.insert(reportOn('2', { inTime: ENTERED }))
      // the list has heard of it
      await new Promise<void>((done) => setTimeout(done, 100))
    })
    await expectFellApart()
  })

  test('[ec00018][hands 1] the question shows how one gets in: equal things once, others by request', async () => {
    const { screen, user } = await openSearch({
      select: true,
      requests: [
        { ...at('1'), inMethod: '防災センターで受付', parkingMethod: '搬入口B横' },
        { ...at('2'), inMethod: '裏口の鍵を借りる', parkingMethod: '搬入口B横' },
      ],
    })
    await user.click(await screen.findByRole('checkbox', { name: '選択 R26-1' }))
    await user.click(screen.getByRole('checkbox', { name: '選択 R26-2' }))
    await user.click(screen.getByRole('button', { name: '2件を入館登録' }))
    await user.click(await screen.findByRole('button', { name: '登録' }))
    const ask = within(
      await screen.findByRole('alertdialog', { name: '入館・駐車場情報と入退館連絡先を確認しましたか？' }),
    )
    for (const [label, text] of [
      [/^入館方法（.*R26-1）$/, '防災センターで受付'],
      [/^入館方法（.*R26-2）$/, '裏口の鍵を借りる'],
      ['駐車場', '搬入口B横'],
    ] as const)
      expect(ask.getByText(label).nextElementSibling?.textContent).toBe(text)
  })

  test('入館一括登録 enters all of them with one time', async () => {
    const { screen, user, db, href, services } = await openSearch({
      select: true,
      requests: [at('1'), at('2')],
    })
    await user.click(await screen.findByRole('checkbox', { name: '選択 R26-1' }))
    await user.click(screen.getByRole('checkbox', { name: '選択 R26-2' }))
    await user.click(screen.getByRole('button', { name: '2件を入館登録' }))
    const sheet = within(await screen.findByRole('dialog', { name: '入館一括登録' }))
    expect(sheet.getByText('R26-2')).toBeTruthy()
    await user.click(sheet.getByRole('button', { name: '登録' }))
    for (let question = 0; question < 3; question += 1)
      await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'はい' }))
    await waitFor(() => expect(href()).toBe('/request'))
    const records = await db.quickReports.find().exec()
    expect(records.map(({ changes }) => changes[0]?.fields.inTime)).toEqual([
      '2026-11-20T12:00:00+09:00',
      '2026-11-20T12:00:00+09:00',
    ])
    expect(services.flash.get().map(({ mode }) => mode)).toEqual(['info'])
    expect(screen.queryByRole('dialog')).toBeNull()
  })
})

describe('[spec 4] after a session timeout', () => {
  test('with a new login, and back in the window, it is searched again, as the button would', async () => {
    const { screen, services, user, db, search } = await openSearch({ requests: [at('1')] })
    await user.click(await screen.findByRole('button', { name: /変更/ }))
    const popup = await screen.findByRole('dialog', { name: '検索条件' })
    await user.type(within(popup).getByLabelText('依頼番号'), 'R26-9')
    await user.click(within(popup).getByRole('button', { name: '検索' }))
    await waitFor(async () => expect((await search())?.filter?.requestCode).toBe('R26-9'))
    await (await search())?.incrementalPatch({ state: 'answered' })
    const refresh = () => db.interests.findOne(REFRESH_INTEREST).exec()
    expect(await refresh()).toBeNull()

    const focused = vi.spyOn(document, 'hasFocus').mockReturnValue(false)
    const session = services.session as ReturnType<typeof testValue<Session | null>>
    const valid = session.get()
    if (!valid) throw new Error('signed in')
    act(() => session.set({ ...valid, expired: true }))
    act(() => session.set(valid))
    expect((await search())?.state).toBe('answered')
    focused.mockReturnValue(true)
    act(() => void window.dispatchEvent(new Event('focus')))
    await waitFor(async () => expect((await search())?.state).toBe('asked'))
    expect((await search())?.filter?.requestCode).toBe('R26-9')
    await waitFor(async () => expect((await refresh())?.state).toBe('asked'))
    focused.mockRestore()
  })
})
