/** まとめて登録: several requests of one place and day. */
import { act, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import type { Database } from '#data/database/database.ts'
import { atRest } from '../../../support/at-rest.ts'
import { ENTERED, LEFT, reportOn } from '../../../support/visit-records.ts'
import { at, openSearch } from './open-search.tsx'
import { storeView, viewsIn } from '../../../support/stored-views.ts'
import { refuseNextSave } from '../../../support/disk-writes.ts'

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
      '入館一括登録',
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
    await user.click(screen.getByRole('button', { name: '退館報告' }))
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
    await storeView(db, 'quickReports', reportOn('2', { inTime: ENTERED }))
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
    refuseNextSave(db, undefined, () => meanwhile(db))
    await user.click(await screen.findByRole('checkbox', { name: '選択 R26-1' }))
    await user.click(screen.getByRole('checkbox', { name: '選択 R26-2' }))
    await user.click(screen.getByRole('button', { name: '入館一括登録' }))
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
    await act(() => storeView(db, 'quickReports', reportOn('2', { inTime: ENTERED })))
    await expectFellApart()
  })

  test('[ec00029] a group falls apart while a save fails here', async () => {
    const { expectFellApart } = await refusedTogether(async (db) => {
      await storeView(db, 'quickReports', reportOn('2', { inTime: ENTERED }))
      // the list has heard of it
      await atRest(100)
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
    await user.click(screen.getByRole('button', { name: '入館一括登録' }))
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
    await user.click(screen.getByRole('button', { name: '入館一括登録' }))
    const sheet = within(await screen.findByRole('dialog', { name: '入館一括登録' }))
    expect(sheet.getByText('R26-2')).toBeTruthy()
    await user.click(sheet.getByRole('button', { name: '登録' }))
    for (let question = 0; question < 3; question += 1)
      await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'はい' }))
    await waitFor(() => expect(href()).toBe('/request'))
    const records = await viewsIn(db, 'quickReports')
    expect(records.map(({ changes }) => changes[0]?.fields.inTime)).toEqual([
      '2026-11-20T12:00:00+09:00',
      '2026-11-20T12:00:00+09:00',
    ])
    expect(services.flash.get().map(({ mode }) => mode)).toEqual(['info'])
    expect(screen.queryByRole('dialog')).toBeNull()
  })
})
