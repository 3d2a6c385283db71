import { act, cleanup, waitFor, within } from '@testing-library/react'
import { filter, firstValueFrom } from 'rxjs'
import { describe, expect, test, vi } from 'vitest'
import { safetyMeasure$ } from '#data/resources/safety-measures.ts'
import { photosRequestKey } from '#data/photos/photos.ts'
import { openAdd, openEdit } from './open-safety.tsx'
import { confirmed, DAY, ledgerOf, saved } from '../../support/safety-records.ts'
import { acceptChange, storeView, viewsIn } from '../../support/stored-views.ts'

const lists = (screen: Awaited<ReturnType<typeof openAdd>>['screen']) =>
  screen
    .getAllByRole('region')
    .filter((region) => within(region).queryAllByRole('checkbox').length > 0)
    .map((region) => [
      within(region).getByRole('heading').textContent,
      within(region).getAllByRole('checkbox').length,
    ])

describe('[screens /safetyMeasure/add] 安全対策登録', () => {
  test.each([
    ['1', [['第三者対策', 13], ['作業者対策', 7], ['共通の対策', 3]]], // prettier-ignore
    ['2', [['立駐機の対策', 9], ['共通の対策', 3]]], // prettier-ignore
    ['3', [['高所の対策', 7], ['共通の対策', 3]]], // prettier-ignore
    ['4', [['酸欠の対策', 6], ['共通の対策', 3]]], // prettier-ignore
    ['5', [['巻き込まれの対策', 6], ['共通の対策', 3]]], // prettier-ignore
  ])('[spec 3] the lists of type %s, nothing ticked', async (type, expected) => {
    const { screen } = await openAdd(type)
    await screen.findByRole('heading', { name: '共通の対策' })
    expect(lists(screen)).toEqual(expected)
    expect(screen.queryAllByRole('checkbox', { checked: true })).toHaveLength(0)
    expect(screen.getByRole('group', { name: /^安全対策写真/ })).toBeTruthy()
  })

  test('the progress is told while one ticks', async () => {
    const { screen, user } = await openAdd('4')
    expect(await screen.findByText('残り 9項目')).toBeTruthy()
    const list = within(screen.getByRole('region', { name: '酸欠の対策' }))
    const [first] = list.getAllByRole('checkbox')
    if (first) await user.click(first)
    expect(screen.getByText('残り 8項目')).toBeTruthy()
    expect(list.getByText('1')).toBeTruthy()
  })

  test('[spec 5, ec00001] nothing ticked: each list and the photo say so, the first open item is focused', async () => {
    const { screen, press, saved: stored } = await openAdd('1')
    await press('保存')
    for (const label of ['第三者対策', '作業者対策', '共通の対策'])
      expect(await screen.findByText(`${label}をすべて確認してください`)).toBeTruthy()
    expect(await screen.findByText('安全対策写真は必須です')).toBeTruthy()
    const [first] = screen.getAllByRole('checkbox')
    await waitFor(() => expect(document.activeElement).toBe(first))
    expect(first?.getAttribute('aria-invalid')).toBe('true')
    expect(await stored('1')).toBeUndefined()
  })

  test('[spec 5][SV1] a photo that is being deleted counts no more, also while the device has not written that yet', async () => {
    const { screen, db, press, tickAll, addPhoto, services, saved: stored } = await openAdd('1')
    await tickAll()
    await addPhoto()
    const storage = db.drafts.whole.storageInstance
    const write = storage.bulkWrite.bind(storage)
    let letGo = (): void => undefined
    const over = new Promise<void>((resolve) => (letGo = resolve))
    vi.spyOn(storage, 'bulkWrite').mockImplementation((...args) => over.then(() => write(...args)))
    await press(/pit\.jpgを削除/)
    await press('保存')
    expect(await screen.findByText('安全対策写真は必須です')).toBeTruthy()
    await act(async () => letGo())
    const drafts = async () => (await db.drafts.find().exec()).map(({ photos }) => photos.length)
    await waitFor(async () => expect(new Set(await drafts())).toEqual(new Set([0])))
    expect(await stored('1')).toBeUndefined()
    // had back, it counts again
    const undo = () => services.flash.get().find((banner) => banner.act?.text === '元に戻す')?.act
    await waitFor(() => expect(undo()).toBeDefined())
    await act(async () => undo()?.run())
    await screen.findByRole('button', { name: /pit\.jpgを削除/ })
    await press('保存')
    await waitFor(async () => expect(await stored('1')).toBeDefined())
  })

  test('[spec 5] one item short: only its list says so, and the message goes with the tick', async () => {
    const { screen, user, press, tickAll, addPhoto } = await openAdd('1')
    await tickAll()
    await addPhoto()
    const last = screen.getByRole('checkbox', { name: '一人でピットに入らないことを全員で確認した' })
    await user.click(last)
    await press('保存')
    expect(await screen.findByText('作業者対策をすべて確認してください')).toBeTruthy()
    expect(screen.queryByText('第三者対策をすべて確認してください')).toBeNull()
    expect(screen.queryByText('安全対策写真は必須です')).toBeNull()
    await user.click(last)
    await waitFor(() => expect(screen.queryByText('作業者対策をすべて確認してください')).toBeNull())
  })

  test('[spec 5, ec00001] all ticked and no photo: not saved; with a photo the message goes', async () => {
    const { screen, press, tickAll, addPhoto, saved: stored } = await openAdd('5')
    await tickAll()
    await press('保存')
    expect(await screen.findByText('安全対策写真は必須です')).toBeTruthy()
    expect(await stored('5')).toBeUndefined()
    await addPhoto()
    await waitFor(() => expect(screen.queryByText('安全対策写真は必須です')).toBeNull())
  })

  test.each([
    [true, 'info', '保存しました。送信中です'],
    [false, 'warning', '電波がないため、端末に保存しました。電波が戻ると自動で送信します。'],
  ])('[SV1] saved with its photo on the device (online %s)', async (online, mode, text) => {
    const { press, tickAll, addPhoto, saved: stored, photos, flash, href } = await openAdd('5', { online })
    await tickAll()
    await addPhoto()
    await press('保存')
    await waitFor(() => expect(href()).toBe(`/safetyMeasure/select/1?workingDateType=1&workingDate=${DAY}`))
    expect(flash()).toMatchObject({ mode, text })
    expect((await stored('5'))?.changes).toMatchObject([{ kind: 'create', fields: { needFlag: '1' } }])
    expect(await photos()).toMatchObject([
      { resource: 'safetyMeasures', recordKey: `1_${DAY}_5`, wanted: 'kept', unsent: 'yes' },
    ])
  })

  test('[spec 4] offline it says what will happen', async () => {
    const { screen } = await openAdd('4', { online: false })
    expect(await screen.findByText('電波がないため、端末に保存して後で送信します')).toBeTruthy()
  })

  test('[decisions/drafts] what was ticked and photographed is there after the page was killed', async () => {
    const first = await openAdd('4')
    await first.screen.findByText('残り 9項目')
    const [box] = first.screen.getAllByRole('checkbox')
    if (box) await first.user.click(box)
    await first.addPhoto()
    const stored = async () => (await first.db.drafts.find().exec()).map(({ values }) => values).join()
    await waitFor(async () => expect(await stored()).toContain('true'))
    cleanup()
    const again = await openAdd('4', { again: first })
    expect(await again.screen.findByText('入力途中の内容を復元しました。')).toBeTruthy()
    expect(again.screen.getByText('残り 8項目')).toBeTruthy()
    expect(await again.screen.findByRole('button', { name: /pit\.jpgを削除/ })).toBeTruthy()
  })

  test('[ec00007] leaving what was ticked asks', async () => {
    const { screen, user } = await openAdd('4')
    await screen.findByText('残り 9項目')
    const [box] = screen.getAllByRole('checkbox')
    if (box) await user.click(box)
    await user.click(screen.getByRole('link', { name: '戻る' }))
    expect(
      await screen.findByRole('alertdialog', {
        name: '編集中の内容は保存されていません。破棄してもよろしいですか？',
      }),
    ).toBeTruthy()
  })

  test.each([
    ['confirmed', confirmed('4'), '/safetyMeasure/s-4'],
    ['waiting', saved('4'), `/safetyMeasure/1_${DAY}_4`],
  ])('[ec00027] one that is %s is shown instead', async (_, record, target) => {
    const { href, flash } = await openAdd('4', { measures: [record] })
    await waitFor(() => expect(href()).toBe(target))
    expect(flash()).toMatchObject({ mode: 'danger', text: 'すでに登録されています。' })
  })

  test('[ec00027] registered while one ticked: nothing is made twice', async () => {
    const { db, press, tickAll, addPhoto, saved: stored, flash } = await openAdd('5')
    await tickAll()
    await addPhoto()
    await storeView(db, 'safetyMeasures', confirmed('5'))
    await press('保存')
    await waitFor(() => expect(flash()?.text).toBe('すでに登録されています。'))
    expect((await stored('5'))?.changes).toEqual([])
  })

  test.each([
    ['要, a record', confirmed('5'), null, 'photo'],
    ['不要, a record', confirmed('5', '2'), null, 'draft'],
    ['不要 of this device', saved('5', '2'), null, 'draft'],
    [
      '不要, as the details say',
      null,
      { id: 's9', needFlag: '2', safetyType: '5', workingDate: DAY },
      'draft',
    ],
  ])(
    '[ec00027] %s meanwhile: a photo is added to what takes one, else it stays kept',
    async (_, record, said, where) => {
      const { db, press, tickAll, addPhoto, photos, flash, href } = await openAdd('5')
      await tickAll()
      await addPhoto()
      if (record) await storeView(db, 'safetyMeasures', record)
      const detail = { goods: [], devices: [], underPitSurvey: [], safety: said ? [said] : [] }
      if (said)
        await act(async () => void (await db.requests.findOne().exec(true)).incrementalPatch({ detail }))
      await press('保存')
      await waitFor(() => expect(flash()).toMatchObject({ mode: 'danger', text: 'すでに登録されています。' }))
      await waitFor(() => expect(href()).not.toContain('/add'))
      const kept = (await db.drafts.find().exec()).flatMap((draft) => draft.photos)
      expect({ photo: (await photos()).length, draft: kept.length }).toEqual({
        photo: 0,
        draft: 0,
        [where]: 1,
      })
      expect((await viewsIn(db, 'safetyMeasures')).flatMap(({ changes }) => changes)).toMatchObject(
        record?.changes ?? [],
      )
    },
  )

  test.each(['refused', 'expired'] as const)(
    '[SV2] one that is %s opens ticked and is registered anew',
    async (state) => {
      const record = saved('4')
      const progress = [ledgerOf(record, { state, ...(state === 'refused' && { reasons: ['ec00027'] }) })]
      const { screen, press, addPhoto, saved: stored } = await openAdd('4', { measures: [record], progress })
      expect(await screen.findByText('すべて確認済')).toBeTruthy()
      await addPhoto()
      await press('保存')
      await waitFor(async () => expect((await stored('4'))?.changes).toHaveLength(2))
    },
  )

  test.each([
    ['a type there is not', '6', DAY],
    ['a day that is none', '4', '2026-13-01'],
  ])('[spec 8] %s: not-found', async (_, type, workingDate) => {
    const { href } = await openAdd(type, {}, { workingDate })
    await waitFor(() => expect(href()).toBe('/not-found'))
  })
})

describe('[screens /safetyMeasure/{id}/edit] 安全対策編集', () => {
  test('[ec00027] a colleague’s 不要 took the place of what waits: the photo stays kept, and it is said', async () => {
    const record = saved('4')
    const { db, press, addPhoto, photos, flash, href } = await openEdit(record.key, { measures: [record] })
    await addPhoto()
    await act(async () => {
      await acceptChange(db, 'c-4', confirmed('4', '2').server)
      await firstValueFrom(safetyMeasure$(db, record.key).pipe(filter((measure) => measure?.need === '2')))
    })
    await press('保存')
    await waitFor(() => expect(flash()?.text).toBe('すでに登録されています。'))
    await waitFor(() => expect(href()).toBe('/safetyMeasure/s-4'))
    expect(await photos()).toEqual([])
    expect((await db.drafts.find().exec()).flatMap((draft) => draft.photos)).toHaveLength(1)
  })

  test('opens ticked; a photo is added without another change of the record', async () => {
    const {
      screen,
      press,
      addPhoto,
      saved: stored,
      photos,
      href,
    } = await openEdit('s-4', {
      measures: [confirmed('4')],
    })
    expect(await screen.findByRole('heading', { name: '安全対策編集' })).toBeTruthy()
    expect(screen.queryAllByRole('checkbox', { checked: false })).toHaveLength(0)
    await addPhoto()
    await press('保存')
    await waitFor(() => expect(href()).toContain('/safetyMeasure/select/1'))
    expect(await photos()).toMatchObject([{ recordKey: `1_${DAY}_4`, requestId: '1', unsent: 'yes' }])
    expect((await stored('4'))?.changes).toEqual([])
  })

  test('[spec 5] without its last photo it is not saved', async () => {
    const { screen, press, db } = await openEdit('s-4', { measures: [confirmed('4')] })
    const asked = db.interests.findOne(photosRequestKey('safetyMeasures', `1_${DAY}_4`))
    await waitFor(async () => expect(await asked.exec()).not.toBeNull())
    await (await asked.exec(true)).incrementalPatch({ state: 'answered' })
    await waitFor(() => expect(screen.queryByText('登録済みの写真を読み込み中')).toBeNull())
    await press('保存')
    expect(await screen.findByText('安全対策写真は必須です')).toBeTruthy()
  })

  test('[spec 4] 不要 leads to not-found', async () => {
    const { href } = await openEdit('s-4', { measures: [confirmed('4', '2')] })
    await waitFor(() => expect(href()).toBe('/not-found'))
  })

  test.each(['refused', 'expired'] as const)('one that is %s is registered anew', async (state) => {
    const record = saved('4')
    const progress = [ledgerOf(record, { state })]
    const { href } = await openEdit(record.key, { measures: [record], progress })
    await waitFor(() => expect(href()).toMatch(/^\/safetyMeasure\/add\?.*safetyType=4/))
  })

  test('one that is not on the device says so', async () => {
    const { screen } = await openEdit('nowhere', { online: false })
    expect(await screen.findByRole('heading', { name: '端末に保存されていません' })).toBeTruthy()
  })
})
