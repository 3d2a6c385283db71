/** 退館報告 keeps what is typed: its form is left as a phone leaves it, and opened again. */
import { cleanup, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { emptyContent } from '#schemas/declare/form-values.ts'
import { quickReport, type QuickReportRecord } from '#schemas/resources/quick-report.ts'
import { QuickReportAddScreen } from '#features/quick-report/quick-report-add-screen.tsx'
import { QuickReportEditScreen } from '#features/quick-report/quick-report-edit-screen.tsx'
import { quickReportChange } from '../../support/device-records.ts'
import { ENTERED, LEFT, reportOn, requestOn } from '../../support/visit-records.ts'
import { renderFeature } from '../../support/render-feature.tsx'
import { DAY, exited, openAdd, openEdit } from './open-report.tsx'
import { storeView } from '../../support/stored-views.ts'

const NOTHING = emptyContent(quickReport)
const RESTORED = '入力途中の内容を復元しました。'

test('[draft] a killed page: category, reason and text are there again; saved, they are not', async () => {
  const first = await openAdd()
  await first.choose('作業未完了')
  await first.choose('当日作業分完了')
  await first.user.type(first.screen.getByLabelText('その他報告内容'), '部品待ち')
  window.dispatchEvent(new Event('pagehide'))
  cleanup()
  const { db } = first
  const kept = async () => (await db.drafts.findOne(`quickReport/add/1_${DAY}`).exec())?.values
  await waitFor(async () => expect(await kept()).toContain('部品待ち'))

  const { screen, user } = await renderFeature(
    <QuickReportAddScreen quickReportId="q-1" other={undefined} />,
    {
      path: '/quickReport/add/$quickReportId',
      href: '/quickReport/add/q-1',
      db,
      bytes: first.bytes,
      services: first.services,
    },
  )
  expect(await screen.findByText(RESTORED)).toBeDefined()
  expect(screen.getByRole<HTMLInputElement>('radio', { name: '当日作業分完了' }).checked).toBe(true)
  expect(screen.getByLabelText<HTMLTextAreaElement>('その他報告内容').value).toBe('部品待ち')
  await user.click(screen.getByRole('button', { name: '保存' }))
  await waitFor(async () => expect((await first.saved())?.fields.reportContent).toBe('部品待ち'))
  await waitFor(async () => expect(await kept()).toBeUndefined())
})

test('[draft] an edit keeps its own; what is typed back to what was there is no draft', async () => {
  const first = await openEdit()
  const field = await first.screen.findByLabelText('その他報告内容')
  await first.user.type(field, '！')
  const kept = async () => (await first.db.drafts.findOne(`quickReport/edit/1_${DAY}`).exec())?.values
  await waitFor(async () => expect(await kept()).toContain('部品待ち！'))
  await first.user.type(field, '{Backspace}')
  await waitFor(async () => expect(await kept()).not.toContain('！'))
  cleanup()
  const { screen } = await renderFeature(<QuickReportEditScreen id="q-1" />, {
    path: '/quickReport/$id/edit',
    href: '/quickReport/q-1/edit',
    db: first.db,
    bytes: first.bytes,
    services: first.services,
  })
  expect((await screen.findByLabelText<HTMLTextAreaElement>('その他報告内容')).value).toBe('部品待ち')
  await waitFor(async () => expect(await kept()).toBeUndefined())
  expect(screen.queryByText(RESTORED)).toBeNull()
})

test('[MG2][draft] an edit brings back what was typed; what others have written since stays, and is sent as theirs', async () => {
  const first = await openEdit()
  await first.user.type(await first.screen.findByLabelText('その他報告内容'), '！')
  const kept = async () => (await first.db.drafts.findOne(`quickReport/edit/1_${DAY}`).exec())?.values
  await waitFor(async () => expect(await kept()).toContain('部品待ち！'))
  cleanup()
  await storeView(first.db, 'quickReports', reportOn('1', { ...exited, reason1: '5', stamp: '2' }))
  const { screen, user } = await renderFeature(<QuickReportEditScreen id="q-1" />, {
    path: '/quickReport/$id/edit',
    href: '/quickReport/q-1/edit',
    db: first.db,
    bytes: first.bytes,
    services: first.services,
  })
  expect(await screen.findByText(RESTORED)).toBeDefined()
  expect(screen.getByLabelText<HTMLTextAreaElement>('その他報告内容').value).toBe('部品待ち！')
  expect(screen.getByRole<HTMLInputElement>('radio', { name: '時間超過(作業遅れ)' }).checked).toBe(true)
  await user.click(screen.getByRole('button', { name: '保存' }))
  await waitFor(async () =>
    expect((await first.saved())?.fields).toMatchObject({ reason1: '5', reportContent: '部品待ち！' }),
  )
})

test('[spec 2] 緊急報告一覧 opens from the form', async () => {
  const { screen, user, href } = await openAdd()
  await user.click(await screen.findByRole('button', { name: '緊急報告一覧' }))
  await waitFor(() => expect(href()).toBe('/quickReport/add/q-1?popup=emergencyReports'))
})

test('[spec 4][draft] a session that times out asks nothing, and keeps what was typed', async () => {
  const { screen, user, router, db, href } = await openAdd()
  await user.type(await screen.findByLabelText('その他報告内容'), '部品待ち')
  await router.navigate({ to: '/logout', replace: true, ignoreBlocker: true } as never)
  expect(href()).toBe('/logout')
  expect(screen.queryByRole('alertdialog')).toBeNull()
  await waitFor(async () =>
    expect((await db.drafts.findOne(`quickReport/add/1_${DAY}`).exec())?.values).toContain('部品待ち'),
  )
})

test.each([
  ['ec00011', undefined, '1', `quickReport/add/1_${DAY}`, 'この依頼にはすでに退館報告が登録されています。'],
  [
    'ec00029',
    'q-2',
    '2',
    `quickReport/add/1_${DAY}/2_${DAY}`,
    '一緒に登録できない依頼が含まれています。もう一度検索してください。',
  ],
])('[SV1][draft] a save that is barred by %s keeps what was typed', async (_, other, left, key, text) => {
  const requests = [requestOn('1', DAY), requestOn('2', DAY)]
  const reports = [reportOn('1', { inTime: ENTERED }), reportOn('2', { inTime: ENTERED })]
  const { screen, user, db, choose, save, href, flash } = await openAdd({
    requests,
    reports,
    ...(other && { other }),
  })
  await choose('作業完了')
  await user.type(screen.getByLabelText('その他報告内容'), '部品待ち')
  await storeView(db, 'quickReports', reportOn(left, exited))
  await save()
  await waitFor(() => expect(href()).not.toContain('/quickReport/add'))
  expect(flash()?.text).toBe(text)
  await waitFor(async () => expect((await db.drafts.findOne(key).exec())?.values).toContain('部品待ち'))
})

test('[draft] one report for several requests keeps which they are', async () => {
  const requests = ['1', '2', '3'].map((id) => requestOn(id, DAY))
  const reports = ['1', '2', '3'].map((id) => reportOn(id, { inTime: ENTERED }))
  const { screen, user, db } = await openAdd({ requests, reports, other: 'q-2,q-3' })
  await user.type(await screen.findByLabelText('その他報告内容'), '部品待ち')
  const key = `quickReport/add/1_${DAY}/2_${DAY}/3_${DAY}`
  await waitFor(async () => expect((await db.drafts.findOne(key).exec())?.values).toContain('部品待ち'))
})

test('[draft][ec00011] what was typed for several outlives their save where the page is killed between the two: it says that they were saved', async () => {
  const exit = quickReportChange('exit', '11:42', { fields: { ...NOTHING, outTime: LEFT, type: '1' } })
  const saved = (id: string): QuickReportRecord => ({
    ...reportOn(id, { inTime: ENTERED }),
    changes: [{ ...exit, id: `exit-${id}`, group: 'g' }],
    unsent: 'yes',
  })
  const { href, flash } = await openAdd({
    id: `1_${DAY}`,
    other: `2_${DAY}`,
    requests: [requestOn('1', DAY), requestOn('2', DAY)],
    reports: [saved('1'), saved('2')],
  })
  await waitFor(() => expect(href()).toBe('/quickReport/q-1'))
  expect(flash()?.text).toBe('この依頼にはすでに退館報告が登録されています。')
})

test('[draft] where so many are together that no key holds them, what was typed is kept for the first', async () => {
  const ids = Array.from({ length: 30 }, (_, at) => String(at + 1))
  const { screen, user, db } = await openAdd({
    requests: ids.map((id) => requestOn(id, DAY)),
    reports: ids.map((id) => reportOn(id, { inTime: ENTERED })),
    other: ids
      .slice(1)
      .map((id) => `q-${id}`)
      .join(','),
  })
  await user.type(await screen.findByLabelText('その他報告内容'), '部品待ち')
  const key = `quickReport/add/1_${DAY}`
  await waitFor(async () => expect((await db.drafts.findOne(key).exec())?.values).toContain('部品待ち'))
})
