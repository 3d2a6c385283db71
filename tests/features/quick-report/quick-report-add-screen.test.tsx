import { act, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { ledgerEntry, quickReportChange } from '../../support/device-records.ts'
import { recordInterest } from '#data/fetch-requests/interests.ts'
import { ENTERED, LEFT, reportOn, requestOn } from '../../support/visit-records.ts'
import { testValue } from '../../support/render-feature.tsx'
import { DAY, exited, openAdd } from './open-report.tsx'
import { storeView } from '../../support/stored-views.ts'

/** Marks that turn the direction of a text are not saved. */
const withoutMarks = (text: string) => text.replaceAll(/[\u200F\u202A-\u202E]/g, '')

describe('[screens /quickReport] 退館報告登録', () => {
  test('both times, the categories, and a reason only where its category asks for one', async () => {
    const { screen, choose } = await openAdd()
    expect(await screen.findByText('08:56')).toBeTruthy()
    expect(screen.getByText('保存した時刻で登録')).toBeTruthy()
    const group = (name: string) => screen.queryByRole('group', { name: new RegExp(`^${name}`) })
    expect(group('残作業の理由')).toBeNull()
    await choose('作業未完了')
    expect(group('残作業の理由')).toBeTruthy()
    expect(group('中止・延期の理由')).toBeNull()
    await choose('中止・延期')
    expect(group('残作業の理由')).toBeNull()
    expect(group('中止・延期の理由')).toBeTruthy()
    expect(screen.getByText('0 / 500文字')).toBeTruthy()
  })

  test('[spec 4] changing the category clears what was chosen', async () => {
    const { screen, choose } = await openAdd()
    await choose('作業未完了')
    await choose('当日作業分完了')
    await choose('作業完了')
    await choose('作業未完了')
    expect(screen.getByRole<HTMLInputElement>('radio', { name: '当日作業分完了' }).checked).toBe(false)
  })

  test('[spec 5, ec00001] nothing chosen: says what is missing, and an error goes with its category', async () => {
    const { screen, choose, save } = await openAdd()
    await save()
    expect(await screen.findByText('作業区分は必須です')).toBeTruthy()
    await choose('作業未完了')
    await save()
    expect(await screen.findByText('残作業の理由は必須です')).toBeTruthy()
    await choose('中止・延期')
    await choose('その他')
    await save()
    expect(await screen.findByText('その他報告内容は必須です')).toBeTruthy()
    expect(screen.queryByText('残作業の理由は必須です')).toBeNull()
  })

  test('[spec 5] an error of a category does not stand in the way of another', async () => {
    const { screen, choose, save, saved } = await openAdd()
    await choose('作業未完了')
    await save()
    await screen.findByText('残作業の理由は必須です')
    await choose('作業完了')
    await save()
    await waitFor(async () => expect((await saved())?.fields.type).toBe('1'))
  })

  const TOO_LONG = 'その他報告内容は500文字以内で入力してください'
  const MISSING = 'その他報告内容は必須です'
  test.each<[string, string, string | null]>([
    ['at the limit', 'あ'.repeat(500), null],
    ['one over', 'あ'.repeat(501), TOO_LONG],
    ['empty', '', MISSING],
    ['whitespace', '  ', MISSING],
    ['full-width whitespace and a line break', '　\n', MISSING],
    ['full-width letters', 'ＡＢＣ１２３', null],
    ['emoji count as two', '🔧'.repeat(250), null],
    ['one emoji over', '🔧'.repeat(251), TOO_LONG],
    ['10,000 characters', 'a'.repeat(10_000), TOO_LONG],
    ['a script', '<script>alert(1)</script>', null],
    ['right-to-left marks', '\u202Eabc\u200F', null],
  ])('[spec 5] その他報告内容, required for その他: %s', async (_, text, error) => {
    const { screen, user, choose, save, saved } = await openAdd()
    await choose('中止・延期')
    await choose('その他')
    await user.click(screen.getByLabelText('その他報告内容'))
    if (text !== '') await user.paste(text)
    await save()
    if (error === null) {
      await waitFor(async () =>
        expect((await saved())?.fields).toMatchObject({
          type: '3',
          reason2: '99',
          reportContent: withoutMarks(text),
        }),
      )
      return
    }
    expect(await screen.findByText(error)).toBeTruthy()
    expect(screen.getByLabelText('その他報告内容').getAttribute('aria-invalid')).toBe('true')
    expect(await saved()).toBeUndefined()
  })

  test('[SV1] saved with the time of the save, online', async () => {
    const { choose, save, saved, flash, href } = await openAdd()
    await choose('作業未完了')
    await choose('当日作業分完了')
    await save()
    await waitFor(() => expect(href()).toBe(`/request/1?workingDate=${DAY}`))
    expect(await saved()).toMatchObject({
      kind: 'exit',
      fields: {
        outTime: `${DAY}T12:00:00+09:00`,
        type: '2',
        reason1: '6',
        reason2: null,
        reportContent: null,
      },
    })
    expect(flash()).toMatchObject({ mode: 'info', text: '保存しました。送信中です' })
  })

  test('[SV1] offline it is on the device and says so', async () => {
    const { screen, choose, save, saved, flash } = await openAdd({ online: false })
    expect(await screen.findByText('電波がないため、端末に保存して後で送信します')).toBeTruthy()
    await choose('作業完了')
    await save()
    await waitFor(() => expect(flash()?.mode).toBe('warning'))
    expect((await saved())?.offline).toBe(true)
  })

  test('[ec00007] leaving what was typed asks', async () => {
    const { screen, user, choose, href } = await openAdd()
    await choose('作業完了')
    await user.click(screen.getByRole('link', { name: '戻る' }))
    const ask = within(await screen.findByRole('alertdialog'))
    expect(ask.getByText('編集中の内容は保存されていません。破棄してもよろしいですか？')).toBeTruthy()
    await user.click(ask.getByRole('button', { name: 'はい' }))
    await waitFor(() => expect(href()).toContain('/request/1'))
  })

  test('依頼詳細を見る opens 依頼詳細 and keeps what was typed', async () => {
    const { screen, user, choose } = await openAdd()
    await choose('作業完了')
    await user.click(screen.getByRole('button', { name: '依頼詳細を見る' }))
    const sheet = within(await screen.findByRole('dialog', { name: '依頼詳細' }))
    expect(sheet.getByText('2026年11月20日（金）')).toBeTruthy()
    await user.click(sheet.getByRole('button', { name: '閉じる' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(screen.getByRole<HTMLInputElement>('radio', { name: '作業完了' }).checked).toBe(true)
  })

  test.each([
    ['not entered', {}, DAY, /^\/request\/1/, '入館が登録されていないため、退館報告を登録できません。'],
    [
      '[ec00011] left already',
      exited,
      DAY,
      /^\/quickReport\/q-1$/,
      'この依頼にはすでに退館報告が登録されています。',
    ],
    [
      '[ec00012] day 8',
      { inTime: ENTERED },
      '2026-11-28',
      /^\/request\/1/,
      '退館報告を更新できるのは作業日から7日以内です。',
    ],
  ])('%s', async (_, server, today, where, text) => {
    const { href, flash } = await openAdd({ reports: [reportOn('1', server)], today })
    await waitFor(() => expect(href()).toMatch(where))
    expect(flash()).toMatchObject({ mode: 'danger', text })
  })

  test.each([
    ['12:01', true],
    ['12:00', false],
    // within the same minute: both read 12:00
    ['12:00:59', false],
  ])('entered at %s and left at 12:00: it warns (%s), and may be saved', async (at, warns) => {
    const inTime = `${DAY}T${at.length === 5 ? `${at}:00` : at}+09:00`
    const { screen, choose, save, saved } = await openAdd({ reports: [reportOn('1', { inTime })] })
    await choose('作業完了')
    expect(screen.queryByText(/退館時刻が入館時刻より前です/) !== null).toBe(warns)
    await save()
    await waitFor(async () => expect(await saved()).toMatchObject({ kind: 'exit' }))
  })

  test('[ec00012] day 7 is still open', async () => {
    const { screen } = await openAdd({ today: '2026-11-27' })
    expect(await screen.findByRole('button', { name: '保存' })).toBeTruthy()
  })

  test('an unknown report', async () => {
    const { screen } = await openAdd({ id: 'x', online: false })
    expect(await screen.findByRole('heading', { name: '端末に保存されていません' })).toBeTruthy()
  })
})

describe('[spec 2] one report for several requests', () => {
  const requests = [requestOn('1', DAY), requestOn('2', DAY)]
  const reports = [reportOn('1', { inTime: ENTERED }), reportOn('2', { inTime: ENTERED })]

  test('lists them, and saves all in one group', async () => {
    const { screen, choose, save, saved, href } = await openAdd({ requests, reports, other: 'q-2' })
    const list = within(await screen.findByRole('region', { name: 'まとめて登録する依頼' }))
    expect(list.getByText('R26-1')).toBeTruthy()
    expect(list.getByText('R26-2')).toBeTruthy()
    await choose('作業完了')
    await save()
    await waitFor(() => expect(href()).toContain('/request/1'))
    const [one, two] = [await saved('1'), await saved('2')]
    expect(one?.group).toBeTruthy()
    expect(two?.group).toBe(one?.group)
  })

  test('an unknown one is named, the found ones are registered', async () => {
    const { screen, choose, save, saved, flash } = await openAdd({
      requests,
      reports,
      other: 'q-2,x9',
      online: false,
    })
    await screen.findByRole('region', { name: 'まとめて登録する依頼' })
    expect(flash()).toMatchObject({
      mode: 'warning',
      text: '見つからない報告があります（x9）。見つかった報告だけを登録します。',
    })
    await choose('作業完了')
    await save()
    await waitFor(async () => expect((await saved('2'))?.kind).toBe('exit'))
  })

  test('[PL9] one that is not on the device is asked for, and waited for', async () => {
    const { screen, db, flash } = await openAdd({
      requests,
      reports: reports.slice(0, 1),
      other: 'q-2,x9',
    })
    const interest = (id: string) => db.interests.findOne(recordInterest('quickReports', id)).exec()
    await waitFor(async () => expect(await interest('q-2')).toBeTruthy())
    await waitFor(async () => expect(await interest('x9')).toBeTruthy())
    expect(screen.getByText('読み込み中')).toBeTruthy()
    await act(async () => {
      await (await interest('x9'))?.incrementalPatch({ state: 'missing' })
      await (await interest('q-2'))?.incrementalPatch({ state: 'answered', total: 1 })
    })
    // the answer is there before what it brought
    expect(screen.getByText('読み込み中')).toBeTruthy()
    await act(() => storeView(db, 'quickReports', reportOn('2', { inTime: ENTERED })))
    const list = within(await screen.findByRole('region', { name: 'まとめて登録する依頼' }))
    expect(list.getByText('R26-2')).toBeTruthy()
    expect(flash()?.text).toBe('見つからない報告があります（x9）。見つかった報告だけを登録します。')
  })

  test('[PL9] a form that opened without a signal stays when it comes back', async () => {
    const online = testValue(false)
    const { screen, user, db } = await openAdd({ requests, reports, other: 'q-2,x9', services: { online } })
    await user.type(await screen.findByLabelText('その他報告内容'), '部品待ち')
    act(() => online.set(true))
    const interest = () => db.interests.findOne(recordInterest('quickReports', 'x9')).exec()
    await waitFor(async () => expect(await interest()).toBeTruthy())
    expect(screen.getByLabelText<HTMLTextAreaElement>('その他報告内容').value).toBe('部品待ち')
  })

  test('[ec00029][draft] one left meanwhile: nothing is saved, one is back at the list, what was typed stays', async () => {
    const { choose, save, saved, db, href, flash } = await openAdd({ requests, reports, other: 'q-2' })
    await choose('作業完了')
    await storeView(db, 'quickReports', reportOn('2', exited))
    await save()
    await waitFor(() => expect(href()).toBe('/request'))
    expect(flash()?.text).toBe('一緒に登録できない依頼が含まれています。もう一度検索してください。')
    expect(await saved('1')).toBeUndefined()
    const draft = () => db.drafts.findOne(`quickReport/add/1_${DAY}/2_${DAY}`).exec()
    await waitFor(async () =>
      expect(JSON.parse((await draft())?.values ?? '{}')).toMatchObject({ type: '1' }),
    )
  })
})

test('[SV2] a refused exit opens with what was typed; corrected, it keeps its exit time', async () => {
  const fields = {
    inTime: null,
    outTime: LEFT,
    type: '2',
    reason1: '4',
    reason2: null,
    reportContent: '部品待ち',
  }
  const change = quickReportChange('exit', '11:42', { fields })
  const record = { ...reportOn('1', { inTime: ENTERED }), changes: [change], unsent: 'yes' as const }
  const refused = ledgerEntry(record, change, { state: 'refused', reasons: ['ec00012'] })
  const { screen, save, saved } = await openAdd({ reports: [record], progress: [refused] })
  expect(await screen.findByDisplayValue('部品待ち')).toBeTruthy()
  await save()
  await waitFor(async () => expect((await saved())?.id).not.toBe(change.id))
  expect((await saved())?.fields).toEqual(fields)
})
