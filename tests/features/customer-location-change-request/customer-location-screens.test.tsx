import { waitFor } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { LOCATION, storeLocation } from '../../support/change-records.ts'
import { openChange } from './open-change.tsx'

const REGISTERED = 'すでに登録されているか、未反映の変更依頼があるため、登録できません。'

/** Marks that turn the direction of a text are not saved. */
const withoutMarks = (text: string) => text.replaceAll(/[\u200F\u202A-\u202E]/g, '')

describe('[screens /customerLocationChangeRequest] 入館・駐車場情報変更依頼登録', () => {
  test('saves what was typed, says so, and goes to the request', async () => {
    const { screen, user, fill, save, saved, href, flash } = await openChange('add')
    await user.selectOptions(await screen.findByLabelText('駐車場区分'), '近隣駐車場')
    await fill('駐車方法', 'コインパーキング')
    await fill('入館方法', '裏口から入館')
    await save()
    await waitFor(() => expect(href()).toBe('/request/1'))
    expect(await saved()).toMatchObject({
      kind: 'create',
      offline: false,
      fields: { parkingType: '2', parkingMethod: 'コインパーキング', inMethod: '裏口から入館' },
    })
    expect(flash()).toMatchObject({ mode: 'info', text: '保存しました。送信中です' })
  })

  const TODAY = { parkingType: '2', parkingMethod: '北側の機械式', inMethod: '防災センターで受付' }

  test('[decisions/forms] opens with what is registered today, says so, and is saved with what was changed', async () => {
    const { screen, fill, save, saved } = await openChange('add', { request: TODAY })
    const values = () =>
      ['駐車場区分', '駐車方法', '入館方法'].map(
        (label) => screen.getByLabelText<HTMLInputElement>(label).value,
      )
    await screen.findByText('現在の登録内容を入れてあります。変更するところを直してください。')
    expect(values()).toEqual(Object.values(TODAY))
    await fill('入館方法', '裏口')
    await save()
    await waitFor(async () => expect((await saved())?.fields).toEqual({ ...TODAY, inMethod: '裏口' }))
  })

  test('[decisions/forms] unchanged it is not saved, and says why; also where it was typed back', async () => {
    const { screen, fill, save, saved, href } = await openChange('add', { request: TODAY })
    await screen.findByLabelText('入館方法')
    await save()
    expect((await screen.findByRole('alert')).textContent).toBe('変更したところがありません')
    await fill('入館方法', '裏口')
    expect(screen.queryByText('変更したところがありません')).toBeNull()
    await fill('入館方法', TODAY.inMethod)
    await save()
    expect((await screen.findByRole('alert')).textContent).toBe('変更したところがありません')
    expect(await saved()).toBeUndefined()
    expect(href()).toBe('/customerLocationChangeRequest/add/1')
  })

  test('[decisions/forms] a request that has nothing opens empty, and is not said to have something', async () => {
    const { screen } = await openChange('add')
    await screen.findByLabelText('入館方法')
    expect(screen.queryByText(/現在の登録内容/)).toBeNull()
  })

  test('what is optional is null where nothing was chosen', async () => {
    const { fill, save, saved, href } = await openChange('add')
    await fill('入館方法', '裏口')
    await save()
    await waitFor(() => expect(href()).toBe('/request/1'))
    expect((await saved())?.fields).toEqual({ parkingType: null, parkingMethod: null, inMethod: '裏口' })
  })

  test('[spec 4] the signal goes while the form is open: it is saved on the device, and says so', async () => {
    const { screen, fill, save, saved, signal, flash } = await openChange('add')
    await fill('入館方法', '裏口')
    signal.set(false)
    expect(await screen.findByText('電波がないため、端末に保存して後で送信します')).toBeTruthy()
    await save()
    await waitFor(async () => expect(await saved()).toMatchObject({ kind: 'create', offline: true }))
    await waitFor(() => expect(flash()?.mode).toBe('warning'))
    expect(flash()?.text).toBe('電波がないため、端末に保存しました。電波が戻ると自動で送信します。')
  })

  const emoji = '🏢'
  test.each<[string, string, string, string | null]>([
    ['inMethod at its limit', '入館方法', 'あ'.repeat(500), null],
    ['inMethod one over', '入館方法', 'あ'.repeat(501), '入館方法は500文字以内で入力してください'],
    ['inMethod empty', '入館方法', '', '入館方法は必須です'],
    ['inMethod whitespace', '入館方法', ' 　', '入館方法は必須です'],
    ['inMethod full-width', '入館方法', 'ＡＢＣ１２３', null],
    ['inMethod of surrogate pairs at the limit', '入館方法', emoji.repeat(250), null],
    [
      'inMethod of surrogate pairs over',
      '入館方法',
      emoji.repeat(251),
      '入館方法は500文字以内で入力してください',
    ],
    ['inMethod of 10,000', '入館方法', 'a'.repeat(10_000), '入館方法は500文字以内で入力してください'],
    ['inMethod markup', '入館方法', '<script>alert(1)</script>', null],
    ['inMethod right-to-left marks', '入館方法', '\u202Eabc\u200F', null],
    ['parkingMethod at its limit', '駐車方法', 'あ'.repeat(500), null],
    ['parkingMethod one over', '駐車方法', 'あ'.repeat(501), '駐車方法は500文字以内で入力してください'],
    ['parkingMethod of 10,000', '駐車方法', 'a'.repeat(10_000), '駐車方法は500文字以内で入力してください'],
    ['parkingMethod markup', '駐車方法', '<script>', null],
  ])('[spec 5] %s', async (_, label, text, error) => {
    const { screen, fill, save, saved, href } = await openChange('add')
    await fill('入館方法', '裏口')
    await fill(label, text)
    await save()
    if (error === null) {
      await waitFor(() => expect(href()).toBe('/request/1'))
      expect(Object.values((await saved())?.fields ?? {})).toContain(withoutMarks(text))
    } else {
      expect(await screen.findByText(error)).toBeTruthy()
      expect(screen.getByLabelText(label).getAttribute('aria-invalid')).toBe('true')
      expect(await saved()).toBeUndefined()
    }
  })

  test.each<[string, Parameters<typeof openChange>[1]]>([
    ['registered', { request: { customerLocationChangeStatus: '2', customerLocationChangeRequestId: 'c1' } }],
    ['NG', { request: { customerLocationChangeStatus: '3' } }],
    ['made here and on its way', { fill: (db) => storeLocation(db, { saved: LOCATION }) }],
    [
      'made here, after the request was read',
      {
        request: { readStamp: '' },
        fill: (db) => storeLocation(db, { saved: LOCATION, progress: { state: 'sending' } }),
      },
    ],
  ])('[ec00030] %s: says so and goes back', async (_, options) => {
    const { screen, href, flash } = await openChange('add', options)
    await waitFor(() => expect(href()).toBe('/request/1'))
    expect(flash()).toMatchObject({ mode: 'danger', text: REGISTERED })
    expect(screen.queryByLabelText('入館方法')).toBeNull()
  })

  test('[ec00030] registered meanwhile elsewhere: the save is refused here, and nothing is queued', async () => {
    const { fill, save, saved, db, href, flash, screen } = await openChange('add')
    await fill('入館方法', '裏口')
    const request = await db.requests.findOne().exec(true)
    await request.incrementalPatch({ customerLocationChangeStatus: '2' })
    await waitFor(async () =>
      expect((await db.requests.findOne().exec(true)).customerLocationChangeStatus).toBe('2'),
    )
    await screen.findByLabelText('入館方法')
    await save()
    await waitFor(() => expect(href()).toBe('/request/1'))
    expect(flash()).toMatchObject({ mode: 'danger', text: REGISTERED })
    expect(await saved()).toBeUndefined()
  })

  test('what the CRM refused opens again with its content, and is made anew (内容を開く)', async () => {
    const { screen, save, saved, href } = await openChange('add', {
      fill: (db) => storeLocation(db, { saved: LOCATION, progress: { state: 'refused', status: 422 } }),
    })
    const field = await screen.findByLabelText<HTMLTextAreaElement>('入館方法')
    expect(field.value).toBe(LOCATION.inMethod)
    await save()
    await waitFor(() => expect(href()).toBe('/request/1'))
    expect(await saved()).toMatchObject({ kind: 'create', fields: LOCATION })
  })

  test('a request that is not on the device: offline it says so', async () => {
    const { screen } = await openChange('add', { request: null, online: false })
    expect(await screen.findByRole('heading', { name: '端末に保存されていません' })).toBeTruthy()
  })
})

describe('[screens /customerLocationChangeRequest] 入館・駐車場情報変更依頼編集', () => {
  test('starts with what is registered, and saves an edit', async () => {
    const { screen, fill, save, saved, href } = await openChange('edit', {
      fill: (db) => storeLocation(db, { server: LOCATION }),
    })
    expect((await screen.findByLabelText<HTMLSelectElement>('駐車場区分')).value).toBe('1')
    expect(screen.getByLabelText<HTMLTextAreaElement>('駐車方法').value).toBe(LOCATION.parkingMethod)
    await fill('入館方法', '正面入口')
    await save()
    await waitFor(() => expect(href()).toBe('/request/1'))
    expect(await saved()).toMatchObject({ kind: 'edit', fields: { ...LOCATION, inMethod: '正面入口' } })
  })

  test('[ec00008] taken over by the CRM: says so and goes back', async () => {
    const { href, flash } = await openChange('edit', {
      fill: (db) => storeLocation(db, { server: LOCATION, editStatus: 'NG' }),
    })
    await waitFor(() => expect(href()).toBe('/request/1'))
    expect(flash()).toMatchObject({
      mode: 'danger',
      text: 'この入館・駐車場情報変更依頼は編集できません。',
    })
  })

  test('[spec 2] saving offline goes to forbidden, nothing is queued, and what was typed stays kept', async () => {
    const { screen, fill, save, saved, signal, href, db, services } = await openChange('edit', {
      fill: (db) => storeLocation(db, { server: LOCATION }),
    })
    await fill('入館方法', '正面入口')
    signal.set(false)
    expect(await screen.findByText('電波がないため、編集を保存できません')).toBeTruthy()
    await save()
    await waitFor(() => expect(href()).toBe('/forbidden'))
    expect(services.flash.get()).toMatchObject([
      { text: '入力した内容は送信状況の「入力途中」に残っています。', link: { path: '/outbox' } },
    ])
    expect(await saved()).toBeUndefined()
    const kept = () => db.drafts.findOne('customerLocationChangeRequest/edit/1').exec()
    await waitFor(async () => expect((await kept())?.values ?? '').toContain('正面入口'))
  })

  test('an edit that was refused opens with what was saved, not with what is registered', async () => {
    const { screen } = await openChange('edit', {
      fill: (db) =>
        storeLocation(db, {
          server: LOCATION,
          saved: { ...LOCATION, inMethod: '正面入口' },
          progress: { state: 'refused', status: 400 },
        }),
    })
    expect((await screen.findByLabelText<HTMLTextAreaElement>('入館方法')).value).toBe('正面入口')
  })
})

describe('[screens /customerLocationChangeRequest] 入館・駐車場情報変更依頼詳細', () => {
  test('all fields, and 編集', async () => {
    const { screen } = await openChange('view', { fill: (db) => storeLocation(db, { server: LOCATION }) })
    for (const text of ['現場駐車場', '搬入口B横の2番', '防災センターで受付後、鍵を受け取る'])
      expect(await screen.findByText(text)).toBeTruthy()
    expect(screen.getByRole('link', { name: '編集' }).getAttribute('href')).toBe(
      '/customerLocationChangeRequest/c1/edit',
    )
  })

  test('[ec00008] no 編集 where the CRM has taken it over', async () => {
    const { screen } = await openChange('view', {
      fill: (db) => storeLocation(db, { server: LOCATION, editStatus: 'NG' }),
    })
    expect(await screen.findByText('編集できません')).toBeTruthy()
    expect(screen.queryByRole('link', { name: '編集' })).toBeNull()
  })

  test('[spec 1] offline it opens, 編集 is disabled, and it says why', async () => {
    const { screen, signal } = await openChange('view', {
      online: false,
      fill: (db) => storeLocation(db, { server: LOCATION }),
    })
    expect((await screen.findAllByText('オフライン中は登録・編集できません')).length).toBeGreaterThan(0)
    expect(screen.getByRole('link', { name: '編集' }).getAttribute('href')).toBeNull()
    signal.set(true)
    await waitFor(() =>
      expect(screen.getByRole('link', { name: '編集' }).getAttribute('href')).not.toBeNull(),
    )
  })

  test('[ST1] a refused edit is not shown as if the CRM had it', async () => {
    const { screen } = await openChange('view', {
      fill: (db) =>
        storeLocation(db, {
          server: LOCATION,
          saved: { ...LOCATION, inMethod: '正面入口' },
          progress: { state: 'refused', status: 400 },
        }),
    })
    expect(await screen.findByText('防災センターで受付後、鍵を受け取る')).toBeTruthy()
    expect(screen.queryByText('正面入口')).toBeNull()
    expect(screen.getByText('失敗')).toBeTruthy()
  })

  test('one that the CRM refused to make is not there', async () => {
    const { screen } = await openChange('view', {
      online: false,
      fill: (db) => storeLocation(db, { saved: LOCATION, progress: { state: 'refused' } }),
    })
    expect(await screen.findByRole('heading', { name: '端末に保存されていません' })).toBeTruthy()
  })
})
