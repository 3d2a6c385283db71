import { waitFor } from '@testing-library/react'
import { viewOf } from '#data/changes/record-views.ts'
import { describe, expect, test } from 'vitest'
import { recordInterest } from '#data/fetch-requests/interests.ts'
import { QuickReportEditScreen } from '#features/quick-report/quick-report-edit-screen.tsx'
import { QuickReportViewScreen } from '#features/quick-report/quick-report-view-screen.tsx'
import { ledgerEntry, quickReportChange } from '../../support/device-records.ts'
import { renderFeature } from '../../support/render-feature.tsx'
import { ENTERED, LEFT, reportOn } from '../../support/visit-records.ts'
import { DAY, exited, openEdit, prepare } from './open-report.tsx'
import { storeView } from '../../support/stored-views.ts'

describe('[screens /quickReport] 退館報告編集', () => {
  test('shows what is registered, keeps the exit time, and saves an edit', async () => {
    const { screen, user, choose, save, saved, href } = await openEdit()
    expect(await screen.findByText('11:42')).toBeTruthy()
    expect(screen.getByRole<HTMLInputElement>('radio', { name: '時間超過(開始遅れ)' }).checked).toBe(true)
    await choose('作業完了')
    const content = screen.getByRole('textbox', { name: 'その他報告内容' })
    await user.clear(content)
    await user.type(content, '完了しました')
    await save()
    await waitFor(() => expect(href()).toContain('/request/1'))
    expect(await saved()).toMatchObject({
      kind: 'edit',
      fields: { outTime: LEFT, type: '1', reason1: null, reportContent: '完了しました' },
    })
  })

  test.each([
    [
      '[ec00008] taken over',
      { ...exited, editStatus: 'NG' },
      DAY,
      /^\/quickReport\/q-1$/,
      'この退館報告は編集できません。',
    ],
    [
      '[ec00012] day 8',
      exited,
      '2026-11-28',
      /^\/quickReport\/q-1$/,
      '退館報告を更新できるのは作業日から7日以内です。',
    ],
    ['[ec00013] not left', { inTime: ENTERED }, DAY, /^\/request\/1/, '退館報告がまだ登録されていません。'],
  ])('%s', async (_, server, today, where, text) => {
    const { href, flash } = await openEdit(server, { today })
    await waitFor(() => expect(href()).toMatch(where))
    expect(flash()).toMatchObject({ mode: 'danger', text })
  })

  test.each(['refused', 'expired'] as const)(
    '[OR3] an exit that is %s is corrected: its time is kept, and it is an exit',
    async (state) => {
      const fields = { inTime: null, outTime: LEFT, type: '1', reason1: null, reason2: null }
      const exit = quickReportChange('exit', '11:42', { fields: { ...fields, reportContent: '部品' } })
      const record = { ...reportOn('1', { inTime: ENTERED }), changes: [exit], unsent: 'yes' as const }
      const { db, services } = await prepare({
        reports: [record],
        progress: [ledgerEntry(record, exit, { state })],
      })
      const { screen, user } = await renderFeature(<QuickReportEditScreen id="q-1" />, {
        path: '/quickReport/$id/edit',
        href: '/quickReport/q-1/edit',
        db,
        services,
      })
      await user.type(await screen.findByRole('textbox', { name: 'その他報告内容' }), '待ち')
      expect(screen.getByText('保存した時刻のまま登録')).toBeTruthy()
      await user.click(screen.getByRole('button', { name: '保存' }))
      await waitFor(async () =>
        expect((await viewOf(db, 'quickReports', `1_${DAY}`))?.changes.at(-1)).toMatchObject({
          kind: 'exit',
          fields: { outTime: LEFT, reportContent: '部品待ち' },
        }),
      )
    },
  )

  test('content that is not on the device is not overwritten unseen', async () => {
    const { screen } = await openEdit({ ...exited, detailed: false }, { online: false })
    expect(await screen.findByRole('heading', { name: '端末に保存されていません' })).toBeTruthy()
    expect(screen.queryByRole('button', { name: '保存' })).toBeNull()
  })

  test('[手10] content that the CRM cannot give is not read for ever', async () => {
    const { screen, db } = await openEdit({ ...exited, detailed: false })
    expect(await screen.findByText('読み込み中')).toBeTruthy()
    const asked = () => db.interests.findOne(recordInterest('quickReports', 'q-1')).exec()
    await waitFor(async () => expect((await asked())?.state).toBe('asked'))
    await (await asked())?.incrementalPatch({ state: 'failed' })
    expect(await screen.findByRole('heading', { name: '読み込めませんでした' })).toBeTruthy()
    await storeView(db, 'quickReports', reportOn('1', exited))
    expect(await screen.findByRole('button', { name: '保存' })).toBeTruthy()
  })
})

describe('[screens /quickReport] 退館報告詳細', () => {
  async function openView(server: Parameters<typeof reportOn>[1], today = DAY) {
    const { db, services } = await prepare({ reports: [reportOn('1', server)], today })
    return renderFeature(<QuickReportViewScreen id={`1_${DAY}`} />, {
      path: '/quickReport/$id',
      href: `/quickReport/1_${DAY}`,
      db,
      services,
    })
  }

  test('all fields, and 編集; found by the local key too', async () => {
    const { screen } = await openView(exited)
    for (const text of ['08:56', '11:42', '作業未完了', '時間超過(開始遅れ)', '部品待ち'])
      expect(await screen.findByText(text)).toBeTruthy()
    expect(screen.getByRole('link', { name: '編集' }).getAttribute('href')).toBe('/quickReport/q-1/edit')
  })

  test.each([
    ['[ec00008] taken over', { ...exited, editStatus: 'NG' }, DAY, '編集できません'],
    ['[ec00012] day 8', exited, '2026-11-28', '作業日から7日を過ぎています'],
    ['[ec00012] NG on day 8', { ...exited, editStatus: 'NG' }, '2026-11-28', '作業日から7日を過ぎています'],
  ])('%s: no 編集, and why', async (_, server, today, why) => {
    const { screen } = await openView(server, today)
    expect(await screen.findByText('編集できません')).toBeTruthy()
    expect(screen.getByText(why)).toBeTruthy()
    expect(screen.queryByRole('link', { name: '編集' })).toBeNull()
  })

  test('[ec00013] before the exit it leads to 退館報告', async () => {
    const { screen } = await openView({ inTime: ENTERED })
    expect((await screen.findByRole('link', { name: '退館報告' })).getAttribute('href')).toBe(
      '/quickReport/add/q-1',
    )
  })
})
