/** 黒板・書き込み on a photo of a form: the photo stays, marks are stored at once, a second picture is made of both. */
import { waitFor } from '@testing-library/react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { blankProgress } from '#schemas/changes/change-queue.ts'
import type { PhotoRecord } from '#schemas/resources/photo.ts'
import { draft$ } from '#data/drafts/drafts.ts'
import { jpegFile } from '../../support/image-files.ts'
import { openTestDatabase, testPhoto } from '../../support/render-feature.tsx'
import { file, openForm } from './open-photos.tsx'

const MADE = jpegFile({ bytes: 300 })

/** What the browser has drawn: the opacity of each pixel. */
let opacity = 255

/** happy-dom draws nothing: a context that takes every call. */
function contextOf(this: HTMLCanvasElement) {
  const known = {
    canvas: this,
    measureText: () => ({ width: 10 }),
    getImageData: () => ({ data: [0, 0, 0, opacity] }),
  }
  const get = (_: object, name: string) => (name in known ? Reflect.get(known, name) : () => undefined)
  return new Proxy({}, { get, set: () => true }) as never
}

beforeEach(() => {
  opacity = 255
  vi.stubGlobal('createImageBitmap', async () => ({ width: 1600, height: 1200, close: () => undefined }))
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockImplementation(contextOf)
  vi.spyOn(HTMLCanvasElement.prototype, 'toBlob').mockImplementation((done) =>
    done(new Blob([MADE], { type: 'image/jpeg' })),
  )
  return () => {
    vi.unstubAllGlobals()
    vi.restoreAllMocks()
  }
})

/** A photo of the note that was saved here and waits for its upload. */
const waiting: PhotoRecord = {
  ...blankProgress('2026-11-20T12:00:00+09:00'),
  key: 'p1',
  resource: 'noteLocationAreas',
  recordKey: 'n1',
  requestId: 'r1',
  workingDate: '',
  name: '20261120091204118_pit.jpg',
  placeInfo: '',
  createDate: '2026-11-20T09:12:04+09:00',
  size: 68,
  type: 'image/jpeg',
  wanted: 'kept',
  fileSeq: '',
  folderId: '',
  storeName: '',
  bytesAsked: 'no',
  stamp: '1100-0000-test',
  savedAt: '2026-11-20T12:00:00+09:00',
  userId: 'u6',
  offline: true,
  unsent: 'yes',
}

const full = () => Promise.reject(new DOMException('', 'QuotaExceededError'))

async function openMarks(parts: Parameters<typeof openForm>[0] = {}, picked = 'IMG_0042.jpg') {
  const opened = await openForm(parts)
  const { screen, user, add, draft } = opened
  const open = async () => {
    const cards = await screen.findAllByRole('button', { name: /に黒板・書き込み$/ })
    await user.click(cards[0] as HTMLElement)
    const dialog = await screen.findByRole('dialog', { name: '黒板・書き込み' })
    await waitFor(() => expect(dialog.textContent).not.toContain('読み込み中'))
    return dialog
  }
  if (!parts.db) await add(file(picked))
  return {
    ...opened,
    open,
    dialog: await open(),
    /** By keys, as a finger would. */
    async mark() {
      screen.getByRole('application').focus()
      await user.keyboard('{Enter}')
    },
    make: () => user.click(screen.getByRole('button', { name: '書き込んだ写真を追加' })),
    names: async () => ((await draft())?.photos ?? []).map(({ name }) => name),
    count: (n: number) => screen.findByText(new RegExp(`^書き込み ${n}件。`)),
  }
}

describe('[decisions/camera] 黒板・書き込み', () => {
  test('makes a second picture beside the photo, which stays; made again, it replaces the second', async () => {
    const { screen, user, mark, make, names, count, open, bytes, draft } = await openMarks(
      {},
      'a'.repeat(140) + '.jpg',
    )
    const [photo] = (await draft())?.photos ?? []
    const before = await bytes.get(photo?.key ?? '')
    await count(0)
    await mark()
    await count(1)
    await make()
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await waitFor(async () => expect(await names()).toHaveLength(2))
    const [original, marked] = (await draft())?.photos ?? []
    expect(original).toEqual(photo)
    expect(await bytes.get(original?.key ?? '')).toEqual(before)
    expect(marked).toMatchObject({ takenAt: photo?.takenAt, type: 'image/jpeg', size: MADE.byteLength })
    expect(marked?.name).toMatch(/^20261120120000000_a+_marked\.jpg$/)
    expect(marked?.name.length).toBeLessThanOrEqual(120)
    expect(screen.getAllByRole('button', { name: /を削除$/ })).toHaveLength(2)
    // A picture with marks has no marks of its own.
    await waitFor(() => expect(screen.getAllByRole('button', { name: /に黒板・書き込み$/ })).toHaveLength(1))

    await open()
    await count(1)
    await mark()
    await count(2)
    await user.click(screen.getByRole('button', { name: '元に戻す' }))
    await count(1)
    await make()
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await waitFor(async () => expect((await draft())?.photos[1]?.key).not.toBe(marked?.key))
    expect(await names()).toHaveLength(2)
    expect(await bytes.get(marked?.key ?? '')).toBeUndefined()
  })

  test('[SV1] a killed page loses neither a mark nor what was typed on the board', async () => {
    const { screen, user, mark, count, bytes, draft, kill } = await openMarks()
    await mark()
    await count(1)
    await user.click(screen.getByRole('switch', { name: '黒板' }))
    await user.click(screen.getByLabelText('作業前'))
    await user.type(screen.getByLabelText('備考'), '交換前')
    const [photo] = (await draft())?.photos ?? []
    await waitFor(async () =>
      expect((await bytes.origin(photo?.key ?? ''))?.marks?.board?.texts.note).toBe('交換前'),
    )
    const again = await openMarks(kill())
    await again.count(1)
    expect(again.screen.getByLabelText<HTMLInputElement>('備考').value).toBe('交換前')
    expect(again.screen.getByLabelText<HTMLInputElement>('作業前').checked).toBe(true)
    expect(again.screen.getByLabelText<HTMLInputElement>('日付').value).toBe('2026/11/20')
  })

  test('[SV1] a hidden board preserves its texts', async () => {
    const { screen, user } = await openMarks()
    const board = screen.getByRole('switch', { name: '黒板' })
    await user.click(board)
    await user.type(screen.getByLabelText('備考'), '交換前')
    await user.click(board)
    expect(screen.queryByLabelText('備考')).toBeNull()
    await user.click(board)
    expect(screen.getByLabelText<HTMLInputElement>('備考').value).toBe('交換前')
  })

  test('[SV1] a full device: the reason, the marks stay on the screen, and the next press works', async () => {
    const { mark, make, count, names, bytes, dialog, screen } = await openMarks()
    const setOrigin = vi.spyOn(bytes, 'setOrigin').mockImplementationOnce(full)
    await mark()
    await waitFor(() => expect(dialog.textContent).toContain('端末の空き容量が足りません。'))
    expect(setOrigin).toHaveBeenCalledOnce()
    await mark()
    await count(2)
    vi.spyOn(bytes, 'put').mockImplementationOnce(full)
    await make()
    await waitFor(() => expect(dialog.textContent).toContain('端末の空き容量が足りません。'))
    expect(await names()).toHaveLength(1)
    await make()
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await waitFor(async () => expect(await names()).toHaveLength(2))
  })

  test('a browser that makes no picture: it says so, and the marks stay', async () => {
    const { mark, make, names, dialog, count } = await openMarks()
    await mark()
    await count(1)
    vi.mocked(HTMLCanvasElement.prototype.toBlob).mockImplementationOnce((done) => done(null))
    await make()
    await waitFor(() => expect(dialog.textContent).toContain('書き込んだ写真を作れませんでした。'))
    expect(await names()).toHaveLength(1)
    opacity = 0
    await make()
    expect(HTMLCanvasElement.prototype.toBlob).toHaveBeenCalledOnce()
    expect(await names()).toHaveLength(1)
    opacity = 255
    await make()
    await waitFor(async () => expect(await names()).toHaveLength(2))
  })

  test('a photo that cannot be drawn: it says so, and nothing can be added', async () => {
    const { jobs } = testPhoto()
    const undrawn = async () => ({ ...(await jobs()), thumb: async () => undefined })
    const { dialog, make, names } = await openMarks({ services: { photo: testPhoto({ jobs: undrawn }) } })
    await waitFor(() => expect(dialog.textContent).toContain('この写真は表示できません'))
    await make()
    expect(await names()).toHaveLength(1)
  })

  test('a picture above the limit of photos is not added: it says so, and the marks stay', async () => {
    const { mark, make, names, dialog, count } = await openMarks({
      // 209 bytes: less than what is made.
      services: { photo: testPhoto({ maxMb: 0.0002 }) },
    })
    await mark()
    await count(1)
    await make()
    await waitFor(() => expect(dialog.textContent).toContain('上限の0.0002MBを超えたため'))
    expect(await names()).toHaveLength(1)
    await mark()
    await count(2)
  })

  test('a sent photo cannot be drawn on, by its card or by the address; one that is sent meanwhile stays open', async () => {
    const db = await openTestDatabase()
    const opened = await openForm({ db, recordKey: 'n1' })
    const origin = { taken: 'exif', place: 'device' } as const
    await opened.bytes.put('p1', jpegFile({ bytes: 68 }).buffer, { thumb: undefined, origin })
    await db.photos.insert(waiting)
    await opened.screen.findByRole('button', { name: /に黒板・書き込み$/ })
    const reopened = () => openForm({ ...opened.kill(), recordKey: 'n1', href: '/outbox?marks=p1' })
    const { screen, user } = await reopened()
    await screen.findByText(/^書き込み 0件。/)
    await (
      await db.photos.findOne('p1').exec()
    )?.incrementalPatch({ unsent: 'no', fileSeq: 'f1', storeName: waiting.name })
    await screen.findByText('送信済')
    expect(screen.queryByRole('button', { name: /に黒板・書き込み$/ })).toBeNull()
    screen.getByRole('application').focus()
    await user.keyboard('{Enter}')
    await screen.findByText(/^書き込み 1件。/)
    const last = await reopened()
    await last.screen.findByText('送信済')
    expect(last.screen.queryByRole('dialog')).toBeNull()
    expect(last.screen.queryByRole('button', { name: /に黒板・書き込み$/ })).toBeNull()
  })

  test('[SV2] made again, a saved picture that waits is replaced in one write: a killed page never leaves both', async () => {
    const db = await openTestDatabase()
    const opened = await openForm({ db, recordKey: 'n1' })
    const origin = { taken: 'exif', place: 'device' } as const
    const [photo, marked] = [jpegFile({ bytes: 68 }).buffer, jpegFile({ bytes: 70 }).buffer]
    await opened.bytes.put('p1', photo, { thumb: undefined, origin })
    await opened.bytes.put('p2', marked, { thumb: undefined, origin: { ...origin, markedOf: 'p1' } })
    await db.photos.bulkInsert([waiting, { ...waiting, key: 'p2', name: '20261120091204118_pit_marked.jpg' }])
    const { mark, make, count, draft } = await openMarks({ ...opened.kill(), recordKey: 'n1' })
    const states: string[] = []
    const watching = draft$(db, 'note/r1').subscribe(({ photos, unwanted }) =>
      states.push(`${photos.length} new, not ${unwanted.join()}`),
    )
    await mark()
    await count(1)
    await make()
    await waitFor(async () => expect((await draft())?.photos).toHaveLength(1))
    await waitFor(() => expect(states.at(-1)).toBe('1 new, not p2'))
    watching.unsubscribe()
    expect(states).not.toContain('1 new, not ')
  })

  test('a text that is too long has an error and is not cut, and no picture is made with it', async () => {
    const { screen, user, make, names, dialog } = await openMarks()
    await user.click(screen.getByRole('switch', { name: '黒板' }))
    const note = screen.getByLabelText<HTMLInputElement>('備考')
    await user.click(note)
    await user.paste('あ'.repeat(61))
    expect(dialog.textContent).toContain('備考は60文字以内で入力してください')
    expect(note.value).toHaveLength(61)
    await make()
    expect(await names()).toHaveLength(1)
    await user.type(note, '{Backspace}')
    await make()
    await waitFor(async () => expect(await names()).toHaveLength(2))
  })

  test('a text is drawn where it is pressed, once it is typed', async () => {
    const { screen, user, mark, count } = await openMarks()
    await user.click(screen.getByLabelText('文字'))
    await mark()
    await count(0)
    await user.type(screen.getByLabelText('書き込む文字'), '漏れ')
    await mark()
    expect(await count(1)).toBeDefined()
  })
})
