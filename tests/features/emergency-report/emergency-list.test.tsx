import { waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { EmergencyListPopup } from '#features/emergency-report/emergency-list-screen.tsx'
import { OutboxScreen } from '#features/outbox/outbox-screen.tsx'
import { RequestViewScreen } from '#features/request/detail/request-view.tsx'
import { renderFeature } from '../../support/render-feature.tsx'
import { ENTERED, reportOn } from '../../support/visit-records.ts'
import { change, DAY, openList, prepare, refused, reportHere, reportIn } from './open-emergency.tsx'
import { storeView } from '../../support/stored-views.ts'

const NAMES = ['11月20日 11:00', '11月20日 10:24', '11月18日 16:05']

describe('[spec 2] 緊急報告一覧', () => {
  test('newest first, whole, with 編集 unless editStatus is NG', async () => {
    const old = reportIn('e2', { createdAt: '2026-11-18T07:05:00Z', editStatus: 'NG' })
    const { screen } = await openList({ reports: [old, reportIn('e1'), reportHere('e3')] })
    await waitFor(() => expect(screen.getAllByRole('article')).toHaveLength(3))
    const cards = screen.getAllByRole('article')
    expect(cards.map((card) => within(card).getByRole('heading').textContent)).toEqual(NAMES)
    const [here, mine, taken] = cards.map((card) => within(card))
    expect(here?.getByText('待機')).toBeDefined()
    expect(mine?.getByText('機器面')).toBeDefined()
    expect(mine?.getByText('冠水・水没、断水')).toBeDefined()
    expect(mine?.getByText('当日')).toBeDefined()
    expect(mine?.getByText('連絡済')).toBeDefined()
    expect(mine?.getByText('2号機も過負荷で停止しました。')).toBeDefined()
    expect(mine?.getByRole('link', { name: '編集' }).getAttribute('href')).toBe('/emergencyReport/e1/edit')
    expect(taken?.getByText('編集できません')).toBeDefined()
    expect(taken?.queryByRole('link', { name: '編集' })).toBeNull()
  })

  test('新規登録, and 依頼検索へ戻る to the request search: 戻る is the name of one control', async () => {
    const { screen } = await openList()
    const add = await screen.findByRole('link', { name: '新規登録' })
    expect(add.getAttribute('href')).toBe(`/emergencyReport/add/1?workingDate=${DAY}`)
    expect(screen.getByRole('link', { name: '依頼検索へ戻る' }).getAttribute('href')).toBe('/request')
    expect(screen.getByRole('link', { name: '戻る' }).getAttribute('href')).toBe(
      `/request/1?workingDate=${DAY}`,
    )
  })

  test('[spec 1] offline both links stay', async () => {
    const { screen } = await openList({ online: false, reports: [reportIn('e1')] })
    expect(await screen.findByRole('link', { name: '編集' })).toBeDefined()
    expect(screen.getByRole('link', { name: '新規登録' })).toBeDefined()
  })

  test('[ST1] an edit that was refused does not show as done', async () => {
    const edit = change('c1', 'edit', { emergencyContentsDetails: '送れなかった' })
    const report = { ...reportIn('e1'), changes: [edit], unsent: 'yes' as const }
    const { screen } = await openList({ reports: [report], progress: [refused(report, edit)] })
    expect(await screen.findByText('失敗')).toBeDefined()
    expect(screen.getByText('2号機も過負荷で停止しました。')).toBeDefined()
    expect(screen.queryByText('送れなかった')).toBeNull()
  })
})

describe('elsewhere', () => {
  test('依頼詳細 counts what is registered, and says what failed', async () => {
    const failing = reportHere('e2')
    const { db, services } = await prepare({
      reports: [reportIn('e1'), failing, reportHere('e3')],
      progress: [refused(failing, failing.changes[0])],
    })
    const { screen } = await renderFeature(<RequestViewScreen id="1" workingDate={DAY} />, {
      path: '/request/$id',
      href: `/request/1?workingDate=${DAY}`,
      db,
      services,
    })
    const link = await screen.findByRole('link', { name: '緊急報告' })
    await waitFor(() => expect(screen.getByText('2件以上 失敗')).toBeDefined())
    expect(link.getAttribute('aria-describedby')).toBe(screen.getByText('2件以上 失敗').id)
  })

  test.each(['waiting', 'refused'] as const)('内容を開く of one that is %s opens its form', async (state) => {
    const report = reportHere('e1')
    const row = { ...refused(report, report.changes[0]), state }
    const { db, services } = await prepare({ reports: [report], progress: [row] })
    const { screen, user, href } = await renderFeature(<OutboxScreen />, { path: '/outbox', db, services })
    const job = await screen.findByRole('article', { name: '緊急報告登録' })
    await user.click(within(job).getByRole('button', { name: '内容を開く' }))
    await waitFor(() => expect(href()).toBe('/emergencyReport/e1/edit'))
  })
})

test('[spec 2] the popup 緊急報告一覧 beside the form of an exit report', async () => {
  const { db, services } = await prepare({ reports: [reportIn('e1')] })
  await storeView(db, 'quickReports', reportOn('1', { inTime: ENTERED }))
  const { screen, user, href } = await renderFeature(<EmergencyListPopup quickReportId="q-1" />, {
    path: '/quickReport/add/$quickReportId',
    href: '/quickReport/add/q-1?popup=emergencyReports',
    db,
    services,
  })
  const popup = within(await screen.findByRole('dialog', { name: '緊急報告一覧' }))
  expect(await popup.findByText('2号機も過負荷で停止しました。')).toBeDefined()
  expect(popup.queryByRole('link', { name: '編集' })).toBeNull()
  await user.click(popup.getByRole('button', { name: '閉じる' }))
  await waitFor(() => expect(href()).toBe('/quickReport/add/q-1'))
})
