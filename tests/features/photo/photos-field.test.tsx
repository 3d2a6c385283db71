/** The photos of a form and its draft, with the real database: taken, killed, opened again. */
import { cleanup, waitFor } from '@testing-library/react'
import { describe, expect, test, vi } from 'vitest'
import { PHOTO_READ_MAX_MB } from '#schemas/limits.ts'
import { ascii, exifSegment, jpegFile, pngFile } from '../../support/image-files.ts'
import { renderFeature, testPhoto } from '../../support/render-feature.tsx'
import { file, INFO_TYPE, NoteForm, NOW, openForm } from './open-photos.tsx'

const JUNK = new Uint8Array(68).fill(1)
const MAX = 10 * 1024 * 1024
const INFO_BROKEN = 'ファイルが壊れています。別の写真を選択してください。'
const INFO_MORE = '写真は1億1000万画素以下にしてください。'
const INFO_PIXELS = '写真は5000万画素以下にしてください。'
const INFO_SIZE = 'ファイルサイズは10MB以下にしてください。'
const RESTORED = '入力途中の内容を復元しました。'

describe('[spec 5] what is taken', () => {
  test('several at once, each with its facts', async () => {
    const services = {
      photo: testPhoto({ place: async () => '35.649100,139.808300' }),
    }
    const { screen, add, draft: kept, bytes } = await openForm({ services })
    await add(file('a.jpg'), file('b.png', pngFile()))
    await waitFor(() => expect(screen.getAllByText('位置情報 35.6491, 139.8083')).toHaveLength(2))
    expect(screen.getAllByText('入力途中')).toHaveLength(2)
    expect(screen.getAllByText('撮影日時 11/20 12:00')).toHaveLength(2)
    const photos = (await kept())?.photos ?? []
    expect(photos.map(({ name }) => name)).toEqual(['20261120120000000_a.jpg', '20261120120000000_b.png'])
    expect((await bytes.get(photos[0]?.key ?? ''))?.byteLength).toBe(68)
  })

  test('a file of more than 10 MB that is drawn smaller is taken: what is sent counts', async () => {
    const { screen, add, draft: kept } = await openForm()
    await add(file('a.jpg', jpegFile({ width: 8_000, height: 6_000, bytes: 2 * MAX })))
    await waitFor(async () => expect((await kept())?.photos).toHaveLength(1))
    expect((await kept())?.photos[0]?.size).toBeLessThan(MAX)
    expect(screen.queryByText(INFO_SIZE)).toBeNull()
  })

  test('a file of more than can be read is not read, whatever would be sent of it', async () => {
    const { services, add } = await openForm()
    const slice = vi.spyOn(File.prototype, 'arrayBuffer')
    const large = file('a.jpg', jpegFile({ width: 8_000, height: 6_000 }))
    Object.defineProperty(large, 'size', { value: PHOTO_READ_MAX_MB * 1024 * 1024 + 1 })
    await add(large)
    const told = () => services.flash.get().map(({ text }) => text)
    await waitFor(() => expect(told()).toEqual(['「a.jpg」：ファイルサイズは40MB以下にしてください。']))
    expect(slice).not.toHaveBeenCalled()
    slice.mockRestore()
  })

  const HEIC = Uint8Array.from([0, 0, 0, 24, ...ascii('ftypheic'), 0, 0, 0, 0, ...ascii('mif1heic')])
  test.each([
    ['no photo by its content', 'a.jpg', JUNK, INFO_TYPE],
    ['an iPhone’s own format by the name of another', 'a.jpg', HEIC, INFO_TYPE],
    ['a file of three letters', 'a', new Uint8Array(ascii('abc')), INFO_TYPE],
    ['an empty file', 'a.png', new Uint8Array(), INFO_BROKEN],
    ['the first byte of a JPEG', 'a.jpg', Uint8Array.of(0xff), INFO_BROKEN],
    ['a JPEG that ends before its pixels', 'a.jpg', jpegFile().slice(0, 12), INFO_BROKEN],
    ['a PNG that ends before its pixels', 'a.png', pngFile().slice(0, 20), INFO_BROKEN],
    ['one byte too big', 'a.jpg', jpegFile({ bytes: MAX + 1 }), INFO_SIZE],
    ['too big and no photo', 'a.jpg', new Uint8Array(MAX + 1), INFO_TYPE],
    ['a PNG of more pixels than are decoded', 'a.png', pngFile(20_000, 20_000), INFO_PIXELS],
    [
      'a JPEG of more pixels than are decoded',
      'a.jpg',
      jpegFile({ width: 20_000, height: 20_000 }),
      INFO_MORE,
    ],
    [
      'a page that begins as a photo',
      'a.jpg',
      Uint8Array.from([255, 216, 255, ...ascii('<html>')]),
      INFO_BROKEN,
    ],
  ])('%s is not: info', async (_, name, content, text) => {
    const { add, services, draft: kept } = await openForm()
    await add(file(name, content))
    await waitFor(() =>
      expect(services.flash.get().map(({ mode, text: said }) => [mode, said])).toEqual([
        ['info', `「${name}」：${text}`],
      ]),
    )
    expect((await kept())?.photos ?? []).toEqual([])
  })

  const exif = exifSegment({ dateTime: '2026:11:20 10:15:00', place: [35.65, 139.81], owner: 'OHNISHI' })
  test.each([
    [
      'its EXIF',
      jpegFile({ segments: [exif] }),
      NOW,
      '10:15',
      '写真の記録',
      '35.6500, 139.8100',
      '写真の記録',
    ],
    [
      'its file',
      jpegFile(),
      NOW - 3_600_000,
      '11:00',
      'ファイルの日時',
      '35.1000, 139.1000',
      'この端末の位置',
    ],
    ['the clock', jpegFile(), 0, '12:00', 'この端末の時計', '35.1000, 139.1000', 'この端末の位置'],
  ])(
    '[decisions/photos] when and where it was taken is known from %s',
    async (_, content, modified, at, from, place, placeFrom) => {
      const photo = testPhoto({ place: async () => '35.100000,139.100000' })
      const { screen, add, draft: kept, bytes, kill } = await openForm({ services: { photo } })
      await add(file('a.jpg', content, modified))
      const card = async () => (await screen.findByRole('button', { name: /a\.jpgを削除/ })).closest('li')
      await waitFor(async () => {
        const text = (await card())?.textContent ?? ''
        expect(text).toContain(`撮影日時 11/20 ${at}（${from}）`)
        expect(text).toContain(`位置情報 ${place}（${placeFrom}）`)
      })
      const [taken] = (await kept())?.photos ?? []
      expect(taken).toMatchObject({ takenAt: `2026-11-20T${at}:00+09:00` })
      const millis = from === 'この端末の時計' ? '000' : String.raw`\d{3}`
      expect(taken?.name).toMatch(new RegExp(`^20261120${at.replace(':', '')}00${millis}_a`))
      expect(new TextDecoder('latin1').decode(await bytes.get(taken?.key ?? ''))).not.toContain('OHNISHI')
      // it is still known after the page was killed
      const again = await openForm(kill())
      await waitFor(() => expect(again.screen.getAllByText(`（${from}）`).length).toBeGreaterThan(0))
    },
  )

  test('[decisions/photos] its card has the small picture of its camera while it is read, and then its own', async () => {
    let release: () => void = () => undefined
    const told = new Promise<void>((resolve) => (release = resolve))
    const { jobs } = testPhoto()
    const slow = async () => {
      const own = await jobs()
      const prepare: typeof own.prepare = (...call) => told.then(() => own.prepare(...call))
      return { ...own, prepare }
    }
    const { screen, add } = await openForm({ services: { photo: testPhoto({ jobs: slow }) } })
    const thumbnail = exifSegment({ thumbnail: jpegFile({ width: 160, height: 120 }) })
    await add(file('a.jpg', jpegFile({ segments: [thumbnail] })))
    const busy = () => screen.getByText('読み込み中').closest('li')
    await waitFor(() => expect(busy()?.querySelector('img')?.src).toMatch(/^blob:/))
    release()
    expect(await screen.findByText('入力途中')).toBeDefined()
    expect(screen.queryByText('読み込み中')).toBeNull()
  })

  test('[decisions/photos] what reads photos is started when 写真を追加 is pressed, while the camera opens', async () => {
    const { jobs } = testPhoto()
    const warm = vi.fn<() => Promise<void>>(async () => undefined)
    const watched = testPhoto({ jobs: async () => ({ ...(await jobs()), warm }) })
    const { screen, user } = await openForm({ services: { photo: watched } })
    expect(warm).not.toHaveBeenCalled()
    await user.click(screen.getByLabelText('写真を追加'))
    await waitFor(() => expect(warm).toHaveBeenCalledTimes(1))
  })

  test('at the limit it is taken', async () => {
    const { screen, add } = await openForm()
    await add(file('a.jpg', jpegFile({ bytes: MAX })))
    expect(await screen.findByText('入力途中')).toBeDefined()
  })

  test('a labelled name is kept; the same name twice gets a suffix', async () => {
    const { add, draft: kept } = await openForm()
    await add(file('35.6581_139.7017_20261119080000000.jpg'), file('a.jpg'), file('a.jpg'))
    await waitFor(async () => expect((await kept())?.photos).toHaveLength(3))
    expect((await kept())?.photos.map(({ name }) => name)).toEqual([
      '35.6581_139.7017_20261119080000000.jpg',
      '20261120120000000_a.jpg',
      '20261120120000000_a_2.jpg',
    ])
  })

  test('a full disk says ec00017, and the form stays', async () => {
    const { screen, add, bytes, services } = await openForm()
    vi.spyOn(bytes, 'put').mockRejectedValue(new Error('QuotaExceededError'))
    await add(file('a.jpg'))
    await waitFor(() =>
      expect(services.flash.get()[0]).toMatchObject({
        mode: 'danger',
        text: '「a.jpg」：ファイルの保存に失敗しました。',
      }),
    )
    expect(screen.queryByText('入力途中')).toBeNull()
  })
})

describe('[draft] a page that is killed', () => {
  async function killed() {
    const first = await openForm()
    await first.user.type(first.screen.getByLabelText('メモ'), '<b>段差</b>😀')
    await first.add(file('a.jpg'))
    await first.screen.findByText('入力途中')
    const device = first.kill()
    await waitFor(async () => expect((await first.draft())?.values).toContain('段差'))
    return { first, device }
  }

  test('opens with what was typed and taken, and says so', async () => {
    const { device } = await killed()
    const { screen, submit, db, draft: kept } = await openForm(device)
    expect(await screen.findByText(RESTORED)).toBeDefined()
    expect(screen.getByLabelText<HTMLInputElement>('メモ').value).toBe('<b>段差</b>😀')
    expect(await screen.findByText('入力途中')).toBeDefined()
    await submit()
    await waitFor(async () => expect(await kept()).toBeNull())
    expect(await db.photos.find().exec()).toHaveLength(1)
  })

  test('[hands 2] the fields are in sight once it is known whether the notice stands above them', async () => {
    const { device } = await killed()
    const seen: string[] = []
    const look = () => {
      const field = document.querySelector('input[name="note"]') ?? document.querySelector('form input')
      if (!field) return
      const isSeen = field.closest('[data-waits]') === null
      const state = `${isSeen ? 'seen' : 'waits'}${document.body.textContent.includes(RESTORED) ? ', notice' : ''}`
      if (seen.at(-1) !== state) seen.push(state)
    }
    const watch = new MutationObserver(look)
    watch.observe(document.body, { childList: true, subtree: true, attributes: true })
    const { screen } = await openForm(device)
    await screen.findByText(RESTORED)
    await waitFor(() => expect(seen.at(-1)).toBe('seen, notice'))
    watch.disconnect()
    expect(seen).not.toContain('seen')
  })

  test('starts fresh when asked: text, photos and their bytes go', async () => {
    const { device } = await killed()
    const { screen, user, draft: kept, bytes } = await openForm(device)
    const key = (await kept())?.photos[0]?.key ?? ''
    await user.click(await screen.findByRole('button', { name: '最初から入力する' }))
    await waitFor(() => expect(screen.queryByText(RESTORED)).toBeNull())
    expect(screen.getByLabelText<HTMLInputElement>('メモ').value).toBe('')
    await waitFor(() => expect(screen.queryByText('入力途中')).toBeNull())
    expect(await kept()).toBeNull()
    // as long as it can be had back, and not after the form
    expect(await bytes.get(key)).toBeDefined()
    cleanup()
    await waitFor(async () => expect(await bytes.get(key)).toBeUndefined())
  })

  test('[hands 3] 元に戻す brings back what was typed and taken; the notice keeps its place', async () => {
    const { device } = await killed()
    const { screen, user, draft: kept, submit, db } = await openForm(device)
    await user.click(await screen.findByRole('button', { name: '最初から入力する' }))
    expect(await screen.findByText('入力途中の内容を削除しました。')).toBeDefined()
    await waitFor(() => expect(screen.queryByText('入力途中')).toBeNull())
    await user.click(screen.getByRole('button', { name: '元に戻す' }))
    expect(await screen.findByText(RESTORED)).toBeDefined()
    expect(screen.getByLabelText<HTMLInputElement>('メモ').value).toBe('<b>段差</b>😀')
    expect(await screen.findByText('入力途中')).toBeDefined()
    await submit()
    await waitFor(async () => expect(await kept()).toBeNull())
    expect(await db.photos.find().exec()).toHaveLength(1)
  })

  test('left with はい (ec00007) nothing is kept; also with photos only', async () => {
    const { screen, user, add, router, draft: kept } = await openForm()
    await add(file('a.jpg'))
    await screen.findByText('入力途中')
    void router.navigate({ to: '/settings' })
    await user.click(await screen.findByRole('button', { name: 'はい' }))
    await waitFor(async () => expect(await kept()).toBeNull())
  })

  test('another form opens empty', async () => {
    const { device } = await killed()
    const { screen } = await renderFeature(<NoteForm of="r2" />, { path: '/outbox', ...device })
    expect(screen.getByLabelText<HTMLInputElement>('メモ').value).toBe('')
    expect(screen.queryByText(RESTORED)).toBeNull()
  })
})
