import { waitFor } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { openMeasure } from './open-safety.tsx'
import { confirmed, DAY, ledgerOf, saved } from '../../support/safety-records.ts'
import { acceptChange } from '../../support/stored-views.ts'

const rowsOf = (screen: Awaited<ReturnType<typeof openMeasure>>['screen']) =>
  screen.getAllByRole('definition').map(({ textContent }) => textContent)

describe('[screens /safetyMeasure/{id}] 安全対策詳細', () => {
  test('what it is, who made it, its lists ticked and not to be changed, 編集', async () => {
    const { screen, href } = await openMeasure('s-4', { measures: [confirmed('4')] })
    expect(await screen.findByText('大西 修')).toBeTruthy()
    expect(screen.getByRole('heading', { name: '安全対策詳細' })).toBeTruthy()
    expect(rowsOf(screen)).toEqual(['酸欠', '必要', '2026/11/20 09:12', '大西 修'])
    const boxes = screen.getAllByRole<HTMLInputElement>('checkbox')
    expect(boxes).toHaveLength(9)
    expect(boxes.every(({ checked, disabled }) => checked && disabled)).toBe(true)
    expect(screen.getByRole('heading', { name: '安全対策写真' })).toBeTruthy()
    expect(await screen.findByText('登録済の写真を読み込み中')).toBeTruthy()
    expect(screen.getByRole('link', { name: '編集' }).getAttribute('href')).toBe('/safetyMeasure/s-4/edit')
    expect(screen.getByRole('link', { name: '戻る' }).getAttribute('href')).toBe(
      `/safetyMeasure/select/1?workingDateType=1&workingDate=${DAY}`,
    )
    expect(href()).toBe('/safetyMeasure/s-4')
  })

  test('不要: no lists, no photos, no 編集', async () => {
    const { screen } = await openMeasure('s-4', { measures: [confirmed('4', '2')] })
    expect(await screen.findByText('編集できません')).toBeTruthy()
    expect(screen.getByText('誤って登録された安全対策は編集できません。')).toBeTruthy()
    expect(rowsOf(screen)).toContain('不要')
    expect(screen.queryByRole('checkbox')).toBeNull()
    expect(screen.queryByRole('heading', { name: '安全対策写真' })).toBeNull()
    expect(screen.queryByRole('link', { name: '編集' })).toBeNull()
  })

  test.each([
    ['waiting', '待機', '編集'],
    ['sending', '送信中', '編集'],
    ['refused', '失敗', '送信状況を確認'],
    ['expired', '期限切れ', '送信状況を確認'],
  ] as const)('[ST1] saved here and %s', async (state, word, link) => {
    const record = saved('4')
    const progress = [ledgerOf(record, { state })]
    const { screen } = await openMeasure(record.key, { measures: [record], progress, online: false })
    const status = await screen.findByText('送信状況', { selector: 'dt' })
    expect(status.nextElementSibling?.textContent).toBe(word)
    expect(screen.getByRole('link', { name: link })).toBeTruthy()
  })

  test('the address keeps working when the CRM’s id arrives', async () => {
    const record = saved('4')
    const { screen, db } = await openMeasure(record.key, { measures: [record] })
    await screen.findByText('待機')
    await acceptChange(db, 'c-4', confirmed('4').server)
    await waitFor(() => expect(screen.queryByText('待機')).toBeNull())
    // its row stays while one reads: nothing below it moves
    expect(await screen.findByText('未送信の変更はありません')).toBeTruthy()
    expect(screen.getByRole('link', { name: '編集' })).toBeTruthy()
  })

  test('one that is not on the device says so', async () => {
    const { screen } = await openMeasure('nowhere', { online: false })
    expect(await screen.findByRole('heading', { name: '端末に保存されていません' })).toBeTruthy()
  })

  test('without its request there is no board, and the measure is still shown', async () => {
    const { screen } = await openMeasure('s-4', { requests: [], measures: [confirmed('4')], online: false })
    expect(await screen.findByText('大西 修')).toBeTruthy()
    expect(screen.queryByRole('region', { name: '依頼の概要' })).toBeNull()
  })
})
