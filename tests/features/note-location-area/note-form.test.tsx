import { act, cleanup, waitFor, within } from '@testing-library/react'
import { viewOf } from '#data/changes/record-views.ts'
import { describe, expect, test, vi } from 'vitest'
import { blankFacts } from '#schemas/changes/change-queue.ts'
import { NoteAddScreen } from '#features/note-location-area/note-form-screens.tsx'
import { renderFeature } from '../../support/render-feature.tsx'
import { file } from '../photo/open-photos.tsx'
import { DAY, note, openAdd, openEdit, theirs, unsentNote } from './open-notes.tsx'
import { storeFacts, viewsIn } from '../../support/stored-views.ts'

const REQUIRED = 'メモは必須です'
const TOO_LONG = 'メモは1000文字以内で入力してください'

/** Marks that turn the direction of a text are not saved. */
const withoutMarks = (text: string) => text.replaceAll(/[\u200F\u202A-\u202E]/g, '')

describe('[spec 5] メモ', () => {
  test.each([
    ['empty', '', REQUIRED],
    ['spaces', '   ', REQUIRED],
    ['full-width spaces and line breaks', '　\n　', REQUIRED],
    ['[C10] what nobody sees', '\u200B', REQUIRED],
    ['[C10] what nobody sees, on several lines', '\u2060\n\u00AD\uFEFF', REQUIRED],
    ['at the limit', 'あ'.repeat(1000), null],
    ['one over', 'あ'.repeat(1001), TOO_LONG],
    ['10,000 characters', 'あ'.repeat(10_000), TOO_LONG],
    ['full-width letters', 'ＡＢＣ１２３', null],
    ['emoji count as two', '🚧'.repeat(500), null],
    ['one emoji over', '🚧'.repeat(500) + '。', TOO_LONG],
    ['a joined emoji', '👨‍👩‍👧‍👦', null],
    ['a script', '<script>alert(1)</script>', null],
    ['right-to-left marks', '\u202Eמספר\u202C 12', null],
    ['several lines', '一行目\n二行目', null],
  ])('%s', async (_, text, error) => {
    const { screen, fill, save, saved, field } = await openAdd()
    await fill(text)
    await save()
    if (error === null) {
      await waitFor(async () => expect((await saved())[0]?.fields).toEqual({ note: withoutMarks(text) }))
      return
    }
    expect(await screen.findByText(error)).toBeTruthy()
    expect((await field()).getAttribute('aria-invalid')).toBe('true')
    expect(await saved()).toEqual([])
  })
})

describe('[screens] 現場メモ登録', () => {
  test('[SV1] saved: on the device, says so, and back', async () => {
    const { screen, fill, save, saved, flash, href, db } = await openAdd()
    expect(await screen.findByText('0 / 1000文字')).toBeTruthy()
    expect(screen.getByRole('button', { name: '依頼詳細を見る' })).toBeTruthy()
    await fill('搬入口Bへ')
    await save()
    await waitFor(() => expect(href()).toBe('/request/1'))
    expect(flash()).toMatchObject({ mode: 'info', text: '保存しました。送信中です' })
    const [change] = await saved()
    expect(change).toMatchObject({ kind: 'create', offline: false })
    const doc = await viewOf(db, 'noteLocationAreas', change?.id ?? '')
    expect(doc).toMatchObject({ requestId: '1', locationAreaId: 'a1', noteType: '1' })
  })

  test('[spec 1] the signal goes while the form is open: it is saved into the queue', async () => {
    const { screen, fill, save, saved, flash, setOnline } = await openAdd()
    await fill('圏外から')
    setOnline(false)
    expect(await screen.findByText('電波がないため、端末に保存して後で送信します')).toBeTruthy()
    await save()
    await waitFor(() => expect(flash()?.mode).toBe('warning'))
    expect(flash()?.text).toBe('電波がないため、端末に保存しました。電波が戻ると自動で送信します。')
    expect((await saved())[0]?.offline).toBe(true)
  })

  test('[ec00007] leaving what was typed asks', async () => {
    const { screen, user, fill, href, saved } = await openAdd()
    await fill('途中')
    await user.click(screen.getByRole('button', { name: '戻る' }))
    const ask = within(await screen.findByRole('alertdialog'))
    expect(ask.getByText('編集中の内容は保存されていません。破棄してもよろしいですか？')).toBeTruthy()
    await user.click(ask.getByRole('button', { name: 'はい' }))
    await waitFor(() => expect(href()).toBe('/request/1'))
    expect(await saved()).toEqual([])
  })

  test('[spec 2] 登録不可: what cannot be registered is not typed first', async () => {
    const { href, flash } = await openAdd({ request: { noteLocationAreaStatus: '3' } })
    await waitFor(() => expect(href()).toBe('/request/1'))
    expect(flash()).toMatchObject({ mode: 'danger', text: 'この依頼では現場メモを登録できません。' })
  })

  test('[spec 2][draft] 登録不可 meanwhile: it is not saved, and what was typed stays', async () => {
    const { fill, save, saved, href, flash, db } = await openAdd()
    await fill('段差あり')
    const request = await db.requests.findOne(`1_${DAY}`).exec(true)
    await act(async () => void (await request.incrementalPatch({ noteLocationAreaStatus: '3' })))
    await save()
    await waitFor(() => expect(href()).toBe('/request/1'))
    expect(flash()?.text).toBe('この依頼では現場メモを登録できません。')
    expect(await saved()).toEqual([])
    const draft = async () => (await db.drafts.findOne('noteLocationArea/add/1').exec())?.values ?? ''
    await waitFor(async () => expect(await draft()).toContain('段差あり'))
  })

  test('a request that is not on the device, and no signal', async () => {
    const { screen } = await openAdd({ hasRequest: false, online: false })
    expect(await screen.findByRole('heading', { name: '端末に保存されていません' })).toBeTruthy()
  })
})

describe('[SV2c] a save that failed half-way: the note is on the device, its photo is not yet one of it', () => {
  async function half() {
    const opened = await openAdd()
    const { screen, user, fill, save, saved, services, db } = opened
    await fill('搬入口Aへ')
    await user.upload(screen.getByLabelText<HTMLInputElement>('写真を追加'), file('a.jpg'))
    await screen.findByText('入力途中')
    const kept = async () => (await db.drafts.findOne('noteLocationArea/add/1').exec())?.values
    await waitFor(async () => expect(await kept()).toContain('搬入口Aへ'))
    const full = new DOMException('no room', 'QuotaExceededError')
    vi.spyOn(db.photos, 'bulkInsert').mockRejectedValueOnce(full)
    await save()
    await waitFor(() => expect(services.flash.get()[0]?.title).toBe('端末に保存できませんでした'))
    expect(await saved()).toMatchObject([{ kind: 'create', fields: { note: '搬入口Aへ' } }])
    const isWhole = async () => {
      const [made, ...others] = await viewsIn(db, 'noteLocationAreas')
      expect(others).toEqual([])
      const photos = await db.photos.find().exec()
      expect(photos.map(({ recordKey }) => recordKey)).toEqual([made?.key])
    }
    return { ...opened, isWhole }
  }

  test('corrected and saved again, it is changed: what was corrected is not lost', async () => {
    const { fill, save, saved, isWhole } = await half()
    await fill('搬入口Bへ')
    await save()
    await waitFor(async () =>
      expect(await saved()).toMatchObject([
        { kind: 'create', fields: { note: '搬入口Aへ' } },
        { kind: 'edit', fields: { note: '搬入口Bへ' } },
      ]),
    )
    await waitFor(isWhole)
  })

  test('the form was left, to make room, and is opened anew: it goes on with that note, and makes no other', async () => {
    const { db, bytes, services, href, isWhole } = await half()
    expect(href()).toBe('/noteLocationArea/add/1')
    cleanup()
    const { screen, user } = await renderFeature(<NoteAddScreen requestId="1" />, {
      path: '/noteLocationArea/add/$requestId',
      href: '/noteLocationArea/add/1',
      db,
      bytes,
      services,
    })
    expect(await screen.findByText('入力途中の内容を復元しました。')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: '保存' }))
    await waitFor(async () => expect(await db.photos.find().exec()).toHaveLength(1))
    await isWhole()
  })
})

describe('[screens] 現場メモ編集', () => {
  test('opens with the note, and saves an edit of it', async () => {
    const { fill, save, saved, field } = await openEdit('n1', { notes: [note('n1')] })
    expect((await field()).value).toBe('メモ n1')
    await fill('直しました')
    await save()
    await waitFor(async () =>
      expect(await saved()).toMatchObject([{ kind: 'edit', fields: { note: '直しました' } }]),
    )
  })

  test.each([
    ['somebody else’s', note('n1', theirs)],
    ['one of type 2', note('n1', {}, { noteType: '2' })],
  ])('[ec00008] %s cannot be edited', async (_, record) => {
    const { flash, href } = await openEdit('n1', { notes: [record] })
    await waitFor(() => expect(href()).toBe('/request/1'))
    expect(flash()).toMatchObject({ mode: 'danger', text: 'この現場メモは編集できません。' })
  })

  test('[SV2] a refused note opens with what was typed; corrected, it is made again', async () => {
    const record = unsentNote('長すぎた')
    const [change] = record.changes
    if (!change) throw new Error('no change')
    const { db, fill, save, saved, field } = await openEdit('change-1', { notes: [record] })
    const entry = blankFacts({ record: { resource: 'noteLocationAreas', ...record }, change })
    await storeFacts(db, { ...entry, state: 'refused', reasons: ['no'] })
    expect((await field()).value).toBe('長すぎた')
    await fill('短い')
    await save()
    await waitFor(async () =>
      expect(await saved()).toMatchObject([{ kind: 'create' }, { kind: 'create', fields: { note: '短い' } }]),
    )
  })

  test('a note that is not on the device', async () => {
    const { screen } = await openEdit('x', { online: false })
    expect(await screen.findByRole('heading', { name: '端末に保存されていません' })).toBeTruthy()
  })
})
