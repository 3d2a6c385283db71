import { waitFor } from '@testing-library/react'
import { describe, expect, test, vi } from 'vitest'
import { file } from '../photo/open-photos.tsx'
import { content, DAY, openAdd, openEdit, refused, reportHere, reportIn } from './open-emergency.tsx'
import { beforeEachSave } from '../../support/disk-writes.ts'

type Opened = Awaited<ReturnType<typeof openAdd>>

const FIELDS = ['緊急内容', 'リスク', '対応日', 'TTS担当者への連絡', '緊急内容詳細']

/** Everything but the details. */
async function choose({ screen, user }: Opened) {
  await user.click(await screen.findByRole('checkbox', { name: '機器面' }))
  await user.click(screen.getByRole('checkbox', { name: '冠水・水没' }))
  await user.click(screen.getByRole('checkbox', { name: '断水' }))
  await user.click(screen.getByRole('radio', { name: '翌日' }))
  await user.click(screen.getByRole('radio', { name: '未連絡' }))
}

async function details({ screen, user }: Opened, text: string) {
  const field = screen.getByLabelText('緊急内容詳細')
  await user.clear(field)
  await user.click(field)
  await user.paste(text)
}

/** Marks that turn the direction of a text are not saved. */
const withoutMarks = (text: string) => text.replaceAll(/[\u200F\u202A-\u202E]/g, '')

describe('[spec 5] 緊急報告登録', () => {
  test('every field is required, each says so under itself', async () => {
    const { screen, submit, records } = await openAdd()
    await screen.findByRole('button', { name: '保存' })
    await submit()
    for (const field of FIELDS) expect(await screen.findByText(`${field}は必須です`)).toBeDefined()
    expect(screen.getByRole('alert').textContent).toBe('確認が必要な項目が5件あります')
    expect(await records()).toEqual([])
  })

  const TOO_LONG = '緊急内容詳細は300文字以内で入力してください'
  test.each([
    ['at the limit', 'あ'.repeat(300), null],
    ['one over', 'あ'.repeat(301), TOO_LONG],
    ['150 emoji, two characters each', '😀'.repeat(150), null],
    ['151 emoji', '😀'.repeat(151), TOO_LONG],
    ['10,000 characters', 'a'.repeat(10_000), TOO_LONG],
    ['blanks only, full-width too', ' 　\n', '緊急内容詳細は必須です'],
    ['a script', '<script>alert(1)</script>', null],
    ['right-to-left marks', '\u202Eabc\u200F', null],
    ['full-width digits', '２号機', null],
  ])('details %s', async (_, text, message) => {
    const opened = await openAdd()
    await choose(opened)
    await details(opened, text)
    await opened.submit()
    if (message) {
      expect(await opened.screen.findByText(message)).toBeDefined()
      expect(await opened.records()).toEqual([])
      return
    }
    await waitFor(async () => expect(await opened.records()).toHaveLength(1))
    const [record] = await opened.records()
    expect(record?.changes[0]?.fields.emergencyContentsDetails).toBe(withoutMarks(text))
  })

  test('a save makes one report of the visit, says so, and leads to the list', async () => {
    const opened = await openAdd()
    await choose(opened)
    await details(opened, '満水です')
    await opened.submit()
    await waitFor(() => expect(opened.href()).toBe(`/emergencyReport/1?workingDate=${DAY}`))
    const [record, ...more] = await opened.records()
    expect(more).toEqual([])
    expect(record).toMatchObject({ requestId: '1', workingDate: DAY, unsent: 'yes' })
    expect(record?.changes).toMatchObject([
      {
        id: record?.key,
        kind: 'create',
        fields: {
          emergencyContents: ['2'],
          risk: ['3', '6'],
          correspondenceDate: '2',
          ttsStaffContact: '1',
          emergencyContentsDetails: '満水です',
          workingStartTime: `${DAY}T09:00:00+09:00`,
        },
      },
    ])
    expect(opened.services.flash.get()).toMatchObject([{ mode: 'info', text: '保存しました。送信中です' }])
  })

  test('[spec 1] offline it is queued, and says so', async () => {
    const opened = await openAdd({ online: false })
    await choose(opened)
    await details(opened, '満水です')
    expect(opened.screen.getByText('電波がないため、端末に保存して後で送信します')).toBeDefined()
    await opened.submit()
    await waitFor(async () => expect((await opened.records())[0]?.changes[0]?.offline).toBe(true))
    await waitFor(() => expect(opened.services.flash.get()).toMatchObject([{ mode: 'warning' }]))
  })

  test.each([
    [new DOMException('no room', 'QuotaExceededError'), /空き容量が足りません/],
    [
      Object.assign(new Error('AbortError'), { inner: new DOMException('', 'QuotaExceededError') }),
      /空き容量/,
    ],
    [new Error('the database is closed'), /もう一度保存してください/],
  ])('[SV1b] a save that fails on the device is said, and the form stays: %s', async (error, words) => {
    const opened = await openAdd()
    await choose(opened)
    await details(opened, '満水です')
    beforeEachSave(opened.db, () => Promise.reject(error))
    const href = opened.href()
    await opened.submit()
    await waitFor(() =>
      expect(opened.services.flash.get()).toMatchObject([
        { mode: 'danger', title: '端末に保存できませんでした', stays: true },
      ]),
    )
    expect(opened.services.flash.get()[0]?.text).toMatch(words)
    expect(opened.href()).toBe(href)
    expect(opened.screen.getByDisplayValue('満水です')).toBeDefined()
    vi.restoreAllMocks()
    await opened.submit()
    await waitFor(() =>
      expect(opened.services.flash.get()).toMatchObject([{ text: '保存しました。送信中です' }]),
    )
  })

  test('a request that is not on the device, opened offline', async () => {
    const { screen } = await openAdd({ online: false, empty: true })
    expect(await screen.findByRole('heading', { name: '端末に保存されていません' })).toBeDefined()
  })
})

describe('緊急報告編集', () => {
  test('opens with what the CRM has; a save is an edit of it', async () => {
    const opened = await openEdit('e1', { reports: [reportIn('e1')] })
    const { screen, submit, records } = opened
    expect((await screen.findByRole<HTMLInputElement>('checkbox', { name: '機器面' })).checked).toBe(true)
    expect(screen.getByRole<HTMLInputElement>('checkbox', { name: '断水' }).checked).toBe(true)
    expect(screen.getByRole<HTMLInputElement>('radio', { name: '連絡済' }).checked).toBe(true)
    await details(opened, '排水を終えました。')
    await submit()
    await waitFor(async () =>
      expect((await records())[0]?.changes).toMatchObject([
        { kind: 'edit', fields: { ...content, emergencyContentsDetails: '排水を終えました。' } },
      ]),
    )
    expect(await records()).toHaveLength(1)
  })

  test('[SV2] a save of photos alone sends no edit of a text that nobody touched', async () => {
    const opened = await openEdit('e1', { reports: [reportIn('e1')] })
    const add = await opened.screen.findByLabelText<HTMLInputElement>('写真を追加')
    await opened.user.upload(add, file('a.jpg'))
    await opened.screen.findByText('入力途中')
    await opened.submit()
    await waitFor(() => expect(opened.href()).toBe(`/emergencyReport/1?workingDate=${DAY}`))
    expect((await opened.records())[0]?.changes).toEqual([])
    expect((await opened.db.photos.find().exec()).map(({ recordKey }) => recordKey)).toEqual(['e1'])
    expect(opened.services.flash.get()).toMatchObject([{ text: '保存しました。送信中です' }])
  })

  test('opens with what was saved here and has not gone (内容を開く); a refused one is made again', async () => {
    const report = reportHere('e1', { emergencyContentsDetails: '誤り' })
    const progress = [refused(report, report.changes[0])]
    const opened = await openEdit('e1', { reports: [report], progress })
    expect((await opened.screen.findByLabelText<HTMLTextAreaElement>('緊急内容詳細')).value).toBe('誤り')
    await details(opened, '直した')
    await opened.submit()
    await waitFor(async () =>
      expect((await opened.records())[0]?.changes.map(({ kind }) => kind)).toEqual(['create', 'create']),
    )
    expect(await opened.records()).toHaveLength(1)
  })

  test('[ec00008] one that the CRM has taken over is not edited', async () => {
    const { href, services } = await openEdit('e1', { reports: [reportIn('e1', { editStatus: 'NG' })] })
    await waitFor(() => expect(href()).toBe(`/emergencyReport/1?workingDate=${DAY}`))
    expect(services.flash.get()).toMatchObject([{ mode: 'danger', text: 'この緊急報告は編集できません。' }])
  })

  test('one that is not on the device says so', async () => {
    const { screen } = await openEdit('nobody', { online: false })
    expect(await screen.findByRole('heading', { name: '端末に保存されていません' })).toBeDefined()
  })
})
