import { waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import type { SendFacts } from '#schemas/change.ts'
import { sheetDraft } from '#schemas/resources/visit-key.ts'
import type { SafetyMeasureRecord } from '#schemas/resources/safety-measure.ts'
import { storeValues } from '#data/drafts/drafts.ts'
import { confirmed, ledgerOf, saved } from '../../../support/safety-records.ts'
import { requestOn } from '../../../support/visit-records.ts'
import { DAY, detail, openView, whole } from './open-view.tsx'
import { storeAllFacts, storeViews } from '../../../support/stored-views.ts'

const SELECT = `/safetyMeasure/select/1?workingDateType=1&workingDate=${DAY}`

const request = (safety = detail.safety) =>
  requestOn('1', DAY, {
    ...whole,
    safetyStatus: '1',
    safetyDirectionName: '立駐機;地下ピット；高所',
    detail: { ...detail, safety },
  })

/** 依頼詳細 with these measures on the device. */
async function openWith(measures: SafetyMeasureRecord[] = [], progress: SendFacts[] = []) {
  const opened = await openView({ requests: [request([])] })
  await storeViews(opened.db, 'safetyMeasures', measures)
  await storeAllFacts(opened.db, progress)
  return opened
}

const bar = async ({ screen }: Awaited<ReturnType<typeof openView>>) =>
  within(await screen.findByRole('group', { name: '報告' }))

describe('[spec 2, 4] 安全対策 on 依頼詳細', () => {
  test('the named types in their order; 未登録 leads to the selection, the others to the record', async () => {
    const { screen } = await openWith([confirmed('1'), confirmed('3', '2')])
    const pit = await screen.findByRole('link', { name: /^地下ピット.*登録済/ })
    expect(pit.getAttribute('href')).toBe('/safetyMeasure/s-1')
    const links = screen.getAllByRole('link', { name: /^(地下ピット|酸欠|高所|立駐機|巻き込まれ)/ })
    expect(links.map(({ textContent }) => textContent)).toEqual([
      '地下ピット11/20 09:12登録済',
      '高所11/20 09:12不要',
      '立駐機未登録',
    ])
    expect(links.map((link) => link.getAttribute('href'))).toEqual([
      '/safetyMeasure/s-1',
      '/safetyMeasure/s-3',
      `${SELECT}&safetyType=2`,
    ])
  })

  test('what only the request’s row says counts too, also where the request does not name it', async () => {
    const { screen } = await openView({
      requests: [request([{ id: 'x5', needFlag: '1', safetyType: '5', workingDate: DAY }])],
    })
    const link = await screen.findByRole('link', { name: /^巻き込まれ.*登録済/ })
    expect(link.getAttribute('href')).toBe('/safetyMeasure/x5')
  })

  test.each([
    ['waiting', /^高所.*待機.*登録済/, `/safetyMeasure/1_${DAY}_3`, '一部登録 待機'],
    ['sending', /^高所.*送信中.*登録済/, `/safetyMeasure/1_${DAY}_3`, '一部登録 送信中'],
    ['refused', /^高所.*失敗.*未登録/, `${SELECT}&safetyType=3`, '未登録 失敗'],
    ['expired', /^高所.*期限切れ.*未登録/, `${SELECT}&safetyType=3`, '未登録 期限切れ'],
  ] as const)('[ST1] one saved here and %s', async (state, name, href, sub) => {
    const record = saved('3')
    const opened = await openWith([record], [ledgerOf(record, { state })])
    const link = await opened.screen.findByRole('link', { name })
    expect(link.getAttribute('href')).toBe(href)
    const button = await (await bar(opened)).findByRole('link', { name: '安全対策', description: sub })
    expect(button.getAttribute('href')).toBe(SELECT)
  })
})

describe('[issue 54] the measurement of a visit on 依頼詳細', () => {
  const point = { place: '上部', oxygen: '20.9', sulfide: '0', at: `${DAY}T09:12:00+09:00` }
  const store = ({ db }: Awaited<ReturnType<typeof openView>>, rows: Record<string, string>[], day = DAY) =>
    storeValues(db, sheetDraft('gas', `1_${day}`), { fields: {}, rows, pictures: [] })

  test.each([
    [
      'of a named type',
      [],
      `/safetyMeasure/add?requestId=1&safetyType=1&workingDate=${DAY}&workingDateType=1&sheet=gas`,
    ],
    ['of a registered type', [confirmed('4')], '/safetyMeasure/s-4/edit?sheet=gas'],
    [
      'of 緊急報告',
      [confirmed('1', '2'), confirmed('4', '2')],
      `/emergencyReport/add/1?workingDate=${DAY}&sheet=gas`,
    ],
  ] as const)('is a line that leads to the form %s', async (_, measures, href) => {
    const opened = await openWith([...measures])
    await store(opened, [point, { ...point, oxygen: '20.7', sulfide: '0.5' }])
    const name = '測定 09:12 酸素\u00A020.7% 硫化水素\u00A00.5ppm（2点）'
    const link = await opened.screen.findByRole('link', { name })
    await waitFor(() => expect(link.getAttribute('href')).toBe(href))
  })

  test('is no line without a number, and of another day', async () => {
    const opened = await openWith()
    await store(opened, [{ ...point, oxygen: '', sulfide: 'x' }])
    await store(opened, [point], '2026-11-21')
    await opened.screen.findByRole('link', { name: /^地下ピット/ })
    expect(opened.screen.queryByRole('link', { name: /^測定/ })).toBeNull()
    await store(opened, [{ ...point, sulfide: '' }])
    await opened.screen.findByRole('link', { name: '測定 09:12 酸素\u00A020.9%（1点）' })
  })
})

describe('[screens popups] 安全対策一覧', () => {
  test('opens by its button: what there is, by whom, and the way to the selection; 閉じる gives it back', async () => {
    const { screen, user, href } = await openWith([confirmed('1')])
    await screen.findByRole('link', { name: /^地下ピット.*登録済/ })
    await user.click(screen.getByRole('button', { name: '安全対策一覧' }))
    const sheet = within(await screen.findByRole('dialog', { name: '安全対策一覧' }))
    expect(href()).toContain('popup=safety')
    expect(sheet.getByRole('link', { name: /^地下ピット.*11\/20 09:12・大西 修.*登録済/ })).toBeTruthy()
    expect(sheet.getByRole('link', { name: '安全対策を選択' }).getAttribute('href')).toBe(SELECT)
    await user.click(sheet.getByRole('button', { name: '閉じる' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(href()).toBe('/request/1')
  })

  test('a measure of it opens', async () => {
    const { screen, user, href } = await openWith([confirmed('1')])
    await screen.findByRole('link', { name: /^地下ピット.*登録済/ })
    await user.click(screen.getByRole('button', { name: '安全対策一覧' }))
    const sheet = within(await screen.findByRole('dialog', { name: '安全対策一覧' }))
    await user.click(sheet.getByRole('link', { name: /^地下ピット/ }))
    await waitFor(() => expect(href()).toBe('/safetyMeasure/s-1'))
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  test('nothing named and nothing registered', async () => {
    const none = requestOn('1', DAY, {
      ...whole,
      safetyDirectionName: null,
      detail: { ...detail, safety: [] },
    })
    const { screen } = await openView({ requests: [none], popup: 'safety' })
    const sheet = within(await screen.findByRole('dialog', { name: '安全対策一覧' }))
    expect(await sheet.findByText('この作業日の安全対策はありません')).toBeTruthy()
  })
})
