import { waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { openSelect } from './open-safety.tsx'
import { confirmed, DAY, ledgerOf, saved } from '../../support/safety-records.ts'
import { refuseNextSave } from '../../support/disk-writes.ts'

const QUESTION = 'この設備には安全対策（酸欠）があります。安全対策は必要ですか？'

type Opened = Awaited<ReturnType<typeof openSelect>>

async function ask({ screen, press }: Opened) {
  await press(/^酸欠/)
  return within(await screen.findByRole('alertdialog', { name: QUESTION }))
}

describe('[screens /safetyMeasure/select] 安全対策選択', () => {
  test('[spec 4] a button for each type in the fixed order, with what there is of it', async () => {
    const { screen } = await openSelect({ measures: [confirmed('1'), confirmed('3', '2'), saved('5')] })
    await screen.findByRole('button', { name: /^地下ピット/ })
    const names = screen.getAllByRole('listitem').map(({ textContent }) => textContent)
    expect(names).toEqual([
      '地下ピット依頼に指示あり・11/20\u00A009:12登録済',
      '酸欠依頼に指示あり未登録',
      '高所11/20\u00A009:12不要',
      '立駐機未登録',
      '巻き込まれ11/20\u00A009:15・待機登録済',
    ])
    expect(screen.getByRole('link', { name: '依頼詳細へ戻る' }).getAttribute('href')).toBe(
      `/request/1?workingDate=${DAY}`,
    )
  })

  test('[ec00028] 要 goes to the form', async () => {
    const opened = await openSelect()
    const sheet = await ask(opened)
    await opened.user.click(sheet.getByRole('button', { name: '要' }))
    await waitFor(() => expect(opened.href()).toMatch(/^\/safetyMeasure\/add\?/))
    const query = Object.fromEntries(new URLSearchParams(opened.href().split('?')[1]))
    expect(query).toEqual({ requestId: '1', safetyType: '4', workingDateType: '1', workingDate: DAY })
    expect(await opened.saved('4')).toBeUndefined()
  })

  test.each([
    [true, 'info', '保存しました。送信中です'],
    [false, 'warning', '電波がないため、端末に保存しました。電波が戻ると自動で送信します。'],
  ])('[ec00028] 不要 makes a measure that says so (online %s)', async (online, mode, text) => {
    const opened = await openSelect({ online })
    const sheet = await ask(opened)
    await opened.user.click(sheet.getByRole('button', { name: '不要' }))
    await waitFor(() => expect(opened.flash()).toMatchObject({ mode, text }))
    expect((await opened.saved('4'))?.changes).toMatchObject([
      { kind: 'create', fields: { needFlag: '2', workingStartTime: `${DAY}T09:00:00+09:00` } },
    ])
    expect(await opened.screen.findByRole('button', { name: /^酸欠.*不要/ })).toBeTruthy()
    expect(opened.screen.queryByRole('alertdialog')).toBeNull()
  })

  test('[ec00028] a type that was chosen on 依頼詳細 is asked about at once, and 要 takes the place of the selection', async () => {
    const { screen, user, href, router } = await openSelect({}, { safetyType: '4' })
    const sheet = within(await screen.findByRole('alertdialog', { name: QUESTION }))
    await user.click(sheet.getByRole('button', { name: '要' }))
    await waitFor(() => expect(href()).toMatch(/^\/safetyMeasure\/add\?.*safetyType=4/))
    expect(router.history.length).toBe(1)
  })

  test.each([
    ['registered', { measures: [confirmed('4')] }],
    ['not to be registered now', { online: false, measures: [confirmed('4')] }],
  ])('[ec00028] a type of the address that is %s is not asked about', async (_, options) => {
    const { screen } = await openSelect(options, { safetyType: '4' })
    expect(await screen.findByRole('button', { name: /^酸欠/ })).toBeTruthy()
    expect(screen.queryByRole('alertdialog')).toBeNull()
  })

  test('[ec00028] a question that was closed stays closed, and another type can be asked about', async () => {
    const { screen, user, press } = await openSelect({}, { safetyType: '4' })
    await user.click(await screen.findByRole('button', { name: '閉じる' }))
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
    await press(/^立駐機/)
    expect(await screen.findByRole('alertdialog', { name: /立駐機/ })).toBeTruthy()
  })

  test.each(['地下ピット', '酸欠', '高所', '立駐機', '巻き込まれ'])(
    '[ec00028] is asked for every type that is not registered: %s',
    async (type) => {
      const { screen, press } = await openSelect()
      await press(new RegExp(`^${type}`))
      const name = `この設備には安全対策（${type}）があります。安全対策は必要ですか？`
      expect(await screen.findByRole('alertdialog', { name })).toBeTruthy()
    },
  )

  test('不要 pressed twice is one', async () => {
    const opened = await openSelect()
    const sheet = await ask(opened)
    await opened.user.dblClick(sheet.getByRole('button', { name: '不要' }))
    await waitFor(async () => expect((await opened.saved('4'))?.changes).toHaveLength(1))
    expect(opened.flash()?.mode).toBe('info')
  })

  test('[SV1] a 不要 that is not saved says so in the question, which can be answered again', async () => {
    const opened = await openSelect()
    const sheet = await ask(opened)
    refuseNextSave(opened.db)
    await opened.user.click(sheet.getByRole('button', { name: '不要' }))
    expect((await sheet.findByRole('alert')).textContent).toMatch(/端末に保存できませんでした.*空き容量/)
    expect(sheet.getByRole('button', { name: '要' }).getAttribute('aria-busy')).toBeNull()
    await opened.user.click(sheet.getByRole('button', { name: '不要' }))
    await waitFor(async () => expect((await opened.saved('4'))?.changes).toHaveLength(1))
    await waitFor(() => expect(opened.screen.queryByRole('alertdialog')).toBeNull())
  })

  test('閉じる is neither: nothing is registered', async () => {
    const opened = await openSelect()
    const sheet = await ask(opened)
    await opened.user.click(sheet.getByRole('button', { name: '閉じる' }))
    await waitFor(() => expect(opened.screen.queryByRole('alertdialog')).toBeNull())
    expect(await opened.saved('4')).toBeUndefined()
  })

  test('a registered one opens as it is, whether the CRM has it or not', async () => {
    const { press, href } = await openSelect({ measures: [confirmed('1')] })
    await press(/^地下ピット/)
    await waitFor(() => expect(href()).toBe('/safetyMeasure/s-1'))
  })

  test('saved here and waiting: opens under its key', async () => {
    const record = saved('4')
    const progress = [ledgerOf(record, { state: 'waiting' })]
    const { press, href } = await openSelect({ measures: [record], progress })
    await press(/^酸欠/)
    await waitFor(() => expect(href()).toBe(`/safetyMeasure/1_${DAY}_4`))
  })

  test.each([
    ['refused', /^酸欠.*失敗.*未登録/],
    ['expired', /^酸欠.*期限切れ.*未登録/],
  ] as const)('[ST1][EX2] one that is %s is 未登録, and is asked for again', async (state, name) => {
    const record = saved('4', '2')
    const opened = await openSelect({ measures: [record], progress: [ledgerOf(record, { state })] })
    expect(await opened.screen.findByRole('button', { name })).toBeTruthy()
    const sheet = await ask(opened)
    await opened.user.click(sheet.getByRole('button', { name: '不要' }))
    await waitFor(async () => expect((await opened.saved('4'))?.changes).toHaveLength(2))
  })
})

describe('[spec 2, 8] addresses', () => {
  test.each([
    ['no day', {}, { workingDate: undefined }],
    ['an empty day', {}, { workingDate: '' }],
    ['no day that there is', {}, { workingDate: '2026-02-30' }],
    ['no kind of day', {}, { workingDateType: undefined }],
  ])('%s: not-found', async (_, options, over) => {
    const { href } = await openSelect(options, over)
    await waitFor(() => expect(href()).toBe('/not-found'))
  })

  test('of a request that has no kind of day it is empty, and the screen opens', async () => {
    const { screen } = await openSelect({}, { workingDateType: '' })
    expect(await screen.findByRole('button', { name: /^地下ピット/ })).toBeTruthy()
  })

  test('[PL5] a request that is not on the device is asked for', async () => {
    const { db } = await openSelect({ requests: [] })
    const asked = async () => (await db.interests.find().exec()).map(({ requestId }) => requestId)
    await waitFor(async () => expect(await asked()).toEqual(['1']))
  })

  test('[spec 8] the CRM does not know it either: not-found', async () => {
    const { db, href } = await openSelect({ requests: [] })
    await waitFor(async () => expect(await db.interests.find().exec()).toHaveLength(1))
    const [interest] = await db.interests.find().exec()
    await interest?.incrementalPatch({ state: 'missing', answeredAt: '2026-11-20T03:00:01.000Z' })
    await waitFor(() => expect(href()).toBe('/not-found'))
  })

  test('[PL5] offline it says that it is not there', async () => {
    const { screen } = await openSelect({ requests: [], online: false })
    expect(await screen.findByRole('heading', { name: '端末に保存されていません' })).toBeTruthy()
  })
})
