import { act, waitFor, within } from '@testing-library/react'
import { viewOf } from '#data/changes/record-views.ts'
import { describe, expect, test } from 'vitest'
import { ENTERED, LEFT, reportOn } from '../../../support/visit-records.ts'
import { unsentNote } from '../../note-location-area/open-notes.tsx'
import { DAY, openView, type Options } from '../detail/open-view.tsx'
import { storeView } from '../../../support/stored-views.ts'
import { refuseNextSave } from '../../../support/disk-writes.ts'

describe('[screens] 入館登録', () => {
  const openEntry = async (options: Options = {}) => {
    const opened = await openView(options)
    const { screen, user } = opened
    await user.click(await screen.findByRole('button', { name: '入館登録' }))
    const sheet = within(await screen.findByRole('dialog', { name: '入館登録' }))
    const answer = async (name: string) => {
      const dialog = await screen.findByRole('alertdialog')
      await user.click(within(dialog).getByRole('button', { name }))
    }
    const saved = async () => (await viewOf(opened.db, 'quickReports', `1_${DAY}`))?.changes[0]
    return { ...opened, sheet, answer, saved }
  }

  test('[ec00018, ec00019, ec00022] now: each question shows what it is about, then it is saved', async () => {
    const { screen, user, sheet, answer, saved, services, href } = await openEntry()
    expect(sheet.getByRole<HTMLInputElement>('radio', { name: '現在時刻' }).checked).toBe(true)
    expect(sheet.getByLabelText<HTMLInputElement>('入館時刻').value).toBe('12:00')
    expect(sheet.getByText('作業日 2026年11月20日（金）')).toBeTruthy()
    await user.click(sheet.getByRole('button', { name: '登録' }))
    const access = within(
      await screen.findByRole('alertdialog', { name: '入館・駐車場情報と入退館連絡先を確認しましたか？' }),
    )
    expect(access.getByText('防災センターで受付後、鍵を受け取る')).toBeTruthy()
    expect(access.getByText('03-5550-0000')).toBeTruthy()
    await answer('はい')
    const cautions = within(
      await screen.findByRole('alertdialog', { name: '現場の注意事項を確認しましたか？' }),
    )
    expect(cautions.getByText('鍵を受け取ってから入館してください。')).toBeTruthy()
    expect(cautions.getByText('3件')).toBeTruthy()
    await answer('はい')
    await screen.findByRole('alertdialog', { name: '現在時刻（12:00）で入館登録します。よろしいですか？' })
    await answer('はい')
    expect(await screen.findByRole('link', { name: '退館報告', description: '入館 12:00 待機' })).toBeTruthy()
    expect(await saved()).toMatchObject({ kind: 'entry', fields: { inTime: `${DAY}T12:00:00+09:00` } })
    await waitFor(() =>
      expect(services.flash.get()[0]).toMatchObject({ mode: 'info', text: '保存しました。送信中です' }),
    )
    await waitFor(() => expect(href()).toBe('/request/1'))
    // one's own entry is no surprise
    expect(services.flash.get().map(({ mode }) => mode)).not.toContain('danger')
  })

  test.each([
    ['entered', { inTime: ENTERED }, 'すでに登録されています。'],
    ['left', { inTime: ENTERED, outTime: LEFT }, 'この依頼にはすでに退館報告が登録されています。'],
  ])('[ec00011, ec00027] somebody else has %s meanwhile: it says so and closes', async (_, server, text) => {
    const { screen, db, services, href } = await openEntry()
    await act(() => storeView(db, 'quickReports', reportOn('1', server)))
    await waitFor(() => expect(services.flash.get()[0]).toMatchObject({ mode: 'danger', text }))
    await waitFor(() => expect(href()).toBe('/request/1'))
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  test('[ec00027] an address that opens it after the entry says so, once', async () => {
    const { screen, services, href } = await openView({
      popup: 'entry',
      reports: [reportOn('1', { inTime: ENTERED })],
    })
    await waitFor(() => expect(href()).toBe('/request/1'))
    expect(services.flash.get().map(({ text }) => text)).toEqual(['すでに登録されています。'])
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  test('[ST1] ec00019 counts the notes as the link beside it does: those saved here, too', async () => {
    const { screen, user, sheet, answer, db } = await openEntry()
    const note = { ...unsentNote('滑る'), locationAreaId: 'a1' }
    await act(() => storeView(db, 'noteLocationAreas', note))
    expect(await screen.findByText('現場メモ一覧（4）')).toBeTruthy()
    await user.click(sheet.getByRole('button', { name: '登録' }))
    await answer('はい')
    const cautions = within(
      await screen.findByRole('alertdialog', { name: '現場の注意事項を確認しましたか？' }),
    )
    expect(cautions.getByText('4件')).toBeTruthy()
  })

  test('[ec00027] somebody else enters after a save that failed here: it says so and closes', async () => {
    const { screen, user, sheet, answer, db, services } = await openEntry()
    await user.click(sheet.getByRole('button', { name: '登録' }))
    await answer('はい')
    await answer('はい')
    refuseNextSave(db)
    await answer('はい')
    await within(await screen.findByRole('alertdialog')).findByRole('alert')
    await act(() => storeView(db, 'quickReports', reportOn('1', { inTime: ENTERED })))
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
    expect(services.flash.get().map(({ text }) => text)).toContain('すでに登録されています。')
  })

  test('[ec00027] somebody else enters while a save fails here: it says so and closes', async () => {
    const { screen, user, sheet, answer, db, services, href } = await openEntry()
    await user.click(sheet.getByRole('button', { name: '登録' }))
    await answer('はい')
    await answer('はい')
    refuseNextSave(db, undefined, async () => {
      await storeView(db, 'quickReports', reportOn('1', { inTime: ENTERED }))
      await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
    })
    await answer('はい')
    await waitFor(() =>
      expect(services.flash.get().map(({ text }) => text)).toContain('すでに登録されています。'),
    )
    await waitFor(() => expect(href()).toBe('/request/1'))
  })

  test('[SV1] an entry that is not saved says so in the question, which can be answered again', async () => {
    const { screen, user, sheet, answer, saved, db } = await openEntry()
    await user.click(sheet.getByRole('button', { name: '登録' }))
    await answer('はい')
    await answer('はい')
    refuseNextSave(db)
    await answer('はい')
    const question = within(await screen.findByRole('alertdialog'))
    expect((await question.findByRole('alert')).textContent).toMatch(/端末に保存できませんでした.*空き容量/)
    await answer('はい')
    expect(await screen.findByRole('link', { name: '退館報告', description: '入館 12:00 待機' })).toBeTruthy()
    expect(await saved()).toMatchObject({ kind: 'entry' })
    expect(screen.queryByRole('alert')).toBeNull()
  })

  test('[ec00023, SV1] a given time; offline it is on the device and says so', async () => {
    const { screen, user, sheet, answer, saved, services } = await openEntry({ online: false })
    await user.click(sheet.getByRole('radio', { name: '時刻を指定' }))
    const time = sheet.getByLabelText('入館時刻')
    await user.clear(time)
    await user.type(time, '08:56')
    await user.click(sheet.getByRole('button', { name: '登録' }))
    await answer('はい')
    await answer('はい')
    await screen.findByRole('alertdialog', { name: '08:56で入館登録します。よろしいですか？' })
    await answer('はい')
    await waitFor(async () => expect((await saved())?.fields.inTime).toBe(ENTERED))
    expect((await saved())?.offline).toBe(true)
    await waitFor(() => expect(services.flash.get()[0]?.mode).toBe('warning'))
  })

  test('いいえ goes back to the form, and nothing is saved', async () => {
    const { screen, user, sheet, answer, saved } = await openEntry()
    await user.click(sheet.getByRole('button', { name: '登録' }))
    await answer('はい')
    await answer('いいえ')
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
    expect(screen.getByRole('dialog', { name: '入館登録' })).toBeTruthy()
    expect(await saved()).toBeUndefined()
  })

  test.each([
    ['12:30', '入館時刻に未来の時刻は指定できません'],
    ['', '入館時刻は必須です'],
  ])('[ec00001] %s is no time of entry', async (typed, message) => {
    const { screen, user, sheet } = await openEntry()
    await user.click(sheet.getByRole('radio', { name: '時刻を指定' }))
    const time = sheet.getByLabelText('入館時刻')
    await user.clear(time)
    if (typed) await user.type(time, typed)
    await user.click(sheet.getByRole('button', { name: '登録' }))
    expect(await screen.findByText(message)).toBeTruthy()
    expect(screen.queryByRole('alertdialog')).toBeNull()
  })
})
