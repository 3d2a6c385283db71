import { act, fireEvent, waitFor, within } from '@testing-library/react'
import { describe, expect, test, vi } from 'vitest'
import type { Session } from '#schemas/device/session.ts'
import { REFRESH_INTEREST } from '#data/fetch-requests/interests.ts'
import { ledgerEntry, quickReportChange, quickReportRecord } from '../../../support/device-records.ts'
import type { testValue } from '../../../support/render-feature.tsx'
import { ENTERED, LEFT, reportOn } from '../../../support/visit-records.ts'
import { at, DAY, openSearch, type SearchOptions } from './open-search.tsx'
import { storeFacts } from '../../../support/stored-views.ts'

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
    await storeFacts(db, ledgerEntry(record, change, { state: 'refused' }))
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
  test.each(['作業日（開始）', '作業日（終了）'])(
    '[C11] %s with a year of five digits, where the browser lets one type it, says so and searches nothing',
    async (label) => {
      const { screen, user, search } = await openSearch({ requests: [at('1')] })
      await user.click(await screen.findByRole('button', { name: /変更/ }))
      const sheet = within(await screen.findByRole('dialog', { name: '検索条件' }))
      const day = sheet.getByLabelText(label)
      expect(day.getAttribute('max')).toBe('9999-12-31')
      // one without a picker takes any text
      day.setAttribute('type', 'text')
      fireEvent.change(day, { target: { value: '20261-01-01' } })
      await user.click(sheet.getByRole('button', { name: '検索' }))
      expect(await sheet.findByText('年は西暦の4桁で入力してください')).toBeTruthy()
      expect(await search()).toBeNull()
    },
  )

  const openSheet = async (options: SearchOptions) => {
    const opened = await openSearch(options)
    const { screen, user, href } = opened
    await user.click(await screen.findByRole('button', { name: /変更/ }))
    const sheet = within(await screen.findByRole('dialog', { name: '検索条件' }))
    expect(href()).toContain('popup=filter')
    return { ...opened, sheet }
  }

  test('answers from the device at once, and asks the CRM for what it may not know', async () => {
    const { screen, user, sheet, search, href } = await openSheet({ requests: [at('1'), at('2')] })
    await user.type(sheet.getByRole('textbox', { name: '作業場所' }), '\u200B現場２\u00A0')
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
