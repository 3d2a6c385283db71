/** A sheet of 緊急報告 and 安全対策, on the real database: stored at once, and a picture among the photos of the form. */
import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { cleanup, waitFor } from '@testing-library/react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { draftOf, storeValues } from '#data/drafts/drafts.ts'
import { gasSheet } from '#features/sheet/sheets.ts'
import { sheetValuesIn } from '#features/sheet/sheet-spec.ts'
import { i18n } from '../../support/i18n.ts'
import { jpegFile } from '../../support/image-files.ts'
import { confirmed, DAY } from '../../support/safety-records.ts'
import { speak } from '../../support/speak.ts'
import { requestOn } from '../../support/visit-records.ts'
import { openAdd, openEdit } from '../safety-measure/open-safety.tsx'

const MADE = jpegFile({ bytes: 300 })
const KEY = `sheet/gas/1_${DAY}`
const FORM = `safetyMeasure/add/1_${DAY}_4`

/** Texts on the last picture. */
const drawn: string[] = []
/** happy-dom draws nothing: a context that takes every call. */
const context = new Proxy(
  {},
  {
    get: (_, name) =>
      name === 'measureText'
        ? () => ({ width: 10 })
        : name === 'getImageData'
          ? () => ({ data: [0, 0, 0, 255] })
          : name === 'fillText'
            ? (text: string) => drawn.push(text)
            : () => undefined,
    set: () => true,
  },
)

beforeEach(() => {
  drawn.length = 0
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(context as never)
  vi.spyOn(HTMLCanvasElement.prototype, 'toBlob').mockImplementation((done) =>
    done(new Blob([MADE], { type: 'image/jpeg' })),
  )
  return () => void vi.restoreAllMocks()
})

async function openSheet(options: Parameters<typeof openAdd>[1] = {}) {
  const opened = await openAdd('4', options)
  const { screen, user, db } = opened
  const open = async () => {
    await user.click(await screen.findByRole('button', { name: /^酸素・硫化水素濃度測定記録/ }))
    return screen.findByRole('dialog', { name: '酸素・硫化水素濃度測定記録' })
  }
  const at = (label: string, n = 0) =>
    screen.getAllByLabelText<HTMLInputElement>(label)[n] as HTMLInputElement
  return {
    ...opened,
    open,
    at,
    dialog: await open(),
    type: async (label: string, text: string, n = 0) => {
      await user.clear(at(label, n))
      await user.type(at(label, n), text)
    },
    make: () => user.click(screen.getByRole('button', { name: '写真に追加' })),
    stored: async () => sheetValuesIn((await draftOf(db, KEY))?.values ?? ''),
    names: async () => ((await draftOf(db, FORM))?.photos ?? []).map(({ name }) => name),
  }
}

type Opened = Awaited<ReturnType<typeof openSheet>>

async function fillIn({ type, user, screen }: Pick<Opened, 'type' | 'user' | 'screen'>, oxygen = '20.9') {
  await type('酸素（%）', oxygen)
  await type('硫化水素（ppm）', '0')
  await user.click(screen.getByLabelText('換気中'))
  await type('測定者', '大西 修')
}

describe('[issue 54] 酸素・硫化水素濃度測定記録', () => {
  test('is a picture among the photos and sets the tick; made again, it replaces the picture', async () => {
    const opened = await openSheet()
    const { screen, user, open, make, names, stored, type, at } = opened
    await fillIn(opened)
    await user.click(screen.getByRole('button', { name: '測定点を追加' }))
    expect(at('測定場所', 1).value).toBe('中部')
    await type('酸素（%）', '２０．８', 1)
    expect(at('酸素（%）', 1).value).toBe('20.8')
    await type('硫化水素（ppm）', '1', 1)
    await make()
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await waitFor(async () =>
      expect(await names()).toEqual([expect.stringMatching(/^\d{17}_酸素・硫化水素濃度測定記録\.jpg$/)]),
    )
    const tick = await screen.findByRole<HTMLInputElement>('checkbox', { name: /測定して記録した$/ })
    await waitFor(() => expect(tick.checked).toBe(true))
    await screen.findByText('写真に追加済')
    expect((await stored())?.rows.map((row) => row['at']?.slice(0, 16))).toEqual([
      '2026-11-20T12:00',
      '2026-11-20T12:00',
    ])

    await open()
    await type('講じた措置', '換気を続けた')
    await waitFor(() => expect(tick.checked).toBe(false))
    await make()
    await waitFor(() => expect(tick.checked).toBe(true))
    expect(await names()).toHaveLength(1)
  })

  test('is in Japanese whatever the interface is in, and so are the texts and options that it stores', async () => {
    await speak('vi')
    const say = (text: MessageDescriptor) => i18n._(text)
    const { screen, user, db } = await openAdd('4')
    await user.click(await screen.findByRole('button', { name: new RegExp(`^${say(gasSheet.heading)}`) }))
    const [oxygen, sulfide, measurer] = [msg`酸素（%）`, msg`硫化水素（ppm）`, msg`測定者`].map((label) =>
      screen.getByLabelText<HTMLInputElement>(say(label)),
    )
    await user.type(oxygen as HTMLInputElement, '20.9')
    await user.type(sulfide as HTMLInputElement, '0')
    await user.type(measurer as HTMLInputElement, 'Nguyễn Văn A')
    await user.click(screen.getByLabelText(say(msg`換気中`)))
    await user.click(screen.getByRole('button', { name: say(msg`写真に追加`) }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    const stored = sheetValuesIn((await draftOf(db, KEY))?.values ?? '')
    expect(stored?.fields).toMatchObject({ method: '酸素・硫化水素濃度計', condition: '換気中' })
    expect(stored?.rows[0]).toMatchObject({ place: '上部' })
    await user.click(screen.getByRole('button', { name: say(msg`チェックリストを写真に追加`) }))
    await waitFor(() => expect(drawn.join('')).toContain('酸欠の対策'))
    const vietnamese = drawn.filter((text) =>
      /[ăâđêôơưạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ]/iu.test(text),
    )
    expect(vietnamese.filter((text) => !text.includes('Nguyễn'))).toEqual([])
  })

  test('[SV1] a killed page loses nothing that was typed', async () => {
    const { type, stored, db, bytes } = await openSheet()
    await type('測定場所', '汚水槽の底')
    await type('酸素（%）', '20')
    await waitFor(async () =>
      expect((await stored())?.rows[0]).toMatchObject({ oxygen: '20', place: '汚水槽の底' }),
    )
    window.dispatchEvent(new Event('pagehide'))
    cleanup()
    const again = await openSheet({ again: { db, bytes: bytes ?? null } })
    await waitFor(() => expect(again.at('測定場所').value).toBe('汚水槽の底'))
    expect(again.at('酸素（%）').value).toBe('20')
  })

  test.each([
    ['17.9', '0', '酸素が18%未満'],
    ['20.9', '10.1', '硫化水素が10ppmを超える'],
  ])('oxygen %s, hydrogen sulphide %s: a hard stop that leads to 緊急報告', async (oxygen, sulfide, why) => {
    const opened = await openSheet()
    const { screen, type, user, router, names, stored } = opened
    await fillIn(opened)
    await type('酸素（%）', oxygen)
    await type('硫化水素（ppm）', sulfide)
    expect((await screen.findByText(new RegExp(why))).textContent).toContain('全員で退避してください。')
    expect(screen.queryByRole('button', { name: '写真に追加' })).toBeNull()
    await user.click(screen.getByRole('link', { name: '緊急報告を登録' }))
    await waitFor(() => expect(router.state.location.pathname).toBe('/emergencyReport/add/1'))
    expect(await names()).toEqual([])
    await waitFor(async () => expect((await stored())?.rows[0]).toMatchObject({ oxygen, sulfide }))
  })

  test('what is missing or no number has an error, and no picture is made', async () => {
    const { screen, type, make, names, dialog } = await openSheet()
    await make()
    for (const label of ['酸素（%）', '硫化水素（ppm）', '測定条件'])
      expect(dialog.textContent).toContain(`${label}は必須です`)
    await type('酸素（%）', '101')
    expect(dialog.textContent).toContain('酸素（%）は0から100までの数値で入力してください')
    await type('測定場所', 'あ'.repeat(121))
    expect(dialog.textContent).toContain('測定場所は120文字以内で入力してください')
    expect(await names()).toEqual([])
    expect(screen.getByRole('dialog')).toBe(dialog)
  })

  test('[SV1] a full device and a browser that draws nothing: the reason, what was typed stays, the next press works', async () => {
    const opened = await openSheet()
    const { make, names, dialog, db, bytes } = opened
    await fillIn(opened)
    expect(db).toBeDefined()
    vi.spyOn(bytes as NonNullable<typeof bytes>, 'put').mockImplementationOnce(() =>
      Promise.reject(new DOMException('', 'QuotaExceededError')),
    )
    await make()
    await waitFor(() => expect(dialog.textContent).toContain('端末の空き容量が足りません。'))
    vi.mocked(HTMLCanvasElement.prototype.toBlob).mockImplementationOnce((done) => done(null))
    await make()
    await waitFor(() => expect(dialog.textContent).toContain('写真を作れませんでした。'))
    expect(await names()).toEqual([])
    await make()
    await waitFor(async () => expect(await names()).toHaveLength(1))
  })

  test('Enter in a field does not save the form behind', async () => {
    const { screen, user, at } = await openSheet()
    await user.type(at('測定場所'), '{Enter}')
    await user.click(screen.getByRole('button', { name: '閉じる' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(screen.queryByText('安全対策写真は必須です')).toBeNull()
  })
})

describe('[issue 54] KY活動表', () => {
  test('begins with the last one of the same place, if the user wants it', async () => {
    const place = { locationAreaId: 'a1' }
    const requests = [
      requestOn('1', DAY, place),
      requestOn('2', '2026-11-19', place),
      requestOn('3', '2026-11-19', { locationAreaId: 'a2' }),
    ]
    const { screen, user, db } = await openAdd('3', { requests })
    const sheetOf = (members: string) => ({
      fields: { leader: '大西 修', members },
      rows: [{ danger: '墜落', measure: 'フックを掛ける' }],
      pictures: ['p1'],
    })
    await storeValues(db, 'sheet/ky/2_2026-11-19', sheetOf('大西、石井'))
    await storeValues(db, 'sheet/ky/3_2026-11-19', sheetOf('別の現場'))
    await user.click(await screen.findByRole('button', { name: /^KY活動表/ }))
    const start = await screen.findByRole('button', { name: '前回の内容から始める' })
    await user.click(start)
    expect(screen.getByLabelText<HTMLTextAreaElement>('参加者').value).toBe('大西、石井')
    expect(screen.getByLabelText<HTMLTextAreaElement>('危険のポイント').value).toBe('墜落')
    expect(screen.queryByRole('button', { name: '前回の内容から始める' })).toBeNull()
    const stored = async () => sheetValuesIn((await draftOf(db, `sheet/ky/1_${DAY}`))?.values ?? '')
    await waitFor(async () =>
      expect(await stored()).toMatchObject({ ...sheetOf('大西、石井'), pictures: [] }),
    )
    expect(screen.queryByRole('button', { name: /^酸素・硫化水素/ })).toBeNull()
    await user.click(screen.getByRole('button', { name: '写真に追加' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await screen.findByRole('button', { name: /_KY活動表\.jpgを削除/ })
  })
})

describe('[issue 54] チェックリスト', () => {
  const names = async ({ db }: Awaited<ReturnType<typeof openAdd>>, form: string) =>
    ((await draftOf(db, form))?.photos ?? []).map(({ name }) => name)

  test('the ticks as they are become a picture among the photos; made again, it replaces the picture', async () => {
    const opened = await openAdd('3')
    const { screen, user, press } = opened
    const [first, second] = await screen.findAllByRole('checkbox')
    await user.click(first as HTMLElement)
    await press('チェックリストを写真に追加')
    await screen.findByText('12:00の内容を写真に追加しました。')
    const items = screen.getAllByRole('checkbox').map((box) => `・${box.closest('label')?.textContent}`)
    const ticked = drawn.slice(drawn.indexOf('確認済') + 1, drawn.indexOf('残り'))
    expect(ticked.join('')).toBe(items[0])
    expect(drawn.join('')).toContain(items.slice(1, -3).join(''))
    expect(drawn).toEqual(expect.arrayContaining(['チェックリスト', '高所', '2026/11/20 12:00', '作成者']))

    await user.click(second as HTMLElement)
    drawn.length = 0
    await press('チェックリストを写真に追加')
    await waitFor(() => expect(drawn.join('')).toContain(`確認済${items.slice(0, 2).join('')}残り`))
    await waitFor(async () =>
      expect(await names(opened, `safetyMeasure/add/1_${DAY}_3`)).toEqual([
        expect.stringMatching(/^\d{17}_チェックリスト\.jpg$/),
      ]),
    )
  })

  test('[SV1] of a registered measure all are ticked; a browser that draws nothing adds nothing', async () => {
    const opened = await openEdit('s-4', { measures: [confirmed('4')] })
    const { screen, press } = opened
    await screen.findByRole('button', { name: '保存' })
    vi.mocked(HTMLCanvasElement.prototype.toBlob).mockImplementationOnce((done) => done(null))
    await press('チェックリストを写真に追加')
    await screen.findByText(/写真を作れませんでした。/)
    const form = `safetyMeasure/edit/1_${DAY}_4`
    expect(await names(opened, form)).toEqual([])
    await press('チェックリストを写真に追加')
    await waitFor(async () => expect(await names(opened, form)).toHaveLength(1))
    expect(drawn).not.toContain('残り')
  })
})
