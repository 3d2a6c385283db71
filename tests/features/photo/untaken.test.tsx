/** Photos that were picked and not taken: named, with the reason, those beside them taken. */
import { waitFor } from '@testing-library/react'
import { describe, expect, test, vi } from 'vitest'
import { Unreadable } from '#lib/image/read-in-time.ts'
import { signal } from '#lib/value-store.ts'
import { ascii, jpegFile, pngFile } from '../../support/image-files.ts'
import { testPhoto } from '../../support/render-feature.tsx'
import { file, INFO_TYPE, openForm } from './open-photos.tsx'
import { viewsIn } from '../../support/stored-views.ts'

const INFO_BROKEN = 'ファイルが壊れています。別の写真を選択してください。'
const HEIC = Uint8Array.from([0, 0, 0, 24, ...ascii('ftypheic'), 0, 0, 0, 0, ...ascii('mif1heic')])

test('[C18] files that are not taken among good ones are named, with the reason of each; the good ones are taken', async () => {
  const { screen, add, services } = await openForm()
  const broken = jpegFile().slice(0, 12)
  await add(
    file('a.jpg'),
    file('b.jpg', HEIC),
    file('c.jpg', broken),
    file('d', HEIC),
    file('e.png', pngFile()),
  )
  await waitFor(() => expect(screen.getAllByText('入力途中')).toHaveLength(2))
  expect(services.flash.get().map(({ text }) => text)).toEqual([
    `「b.jpg」「d」：${INFO_TYPE}\n「c.jpg」：${INFO_BROKEN}`,
  ])
  await add(...Array.from({ length: 7 }, (_, n) => file(`${n}.jpg`, HEIC)))
  await waitFor(() =>
    expect(services.flash.get()[0]?.text).toContain('「b.jpg」「d」「0.jpg」「1.jpg」「2.jpg」ほか4枚：'),
  )
})

test.each([
  ['a JPEG without an extension', '1000012345', jpegFile(), '1000012345.jpg'],
  ['a JPEG by the name of a PNG', 'a.png', jpegFile(), 'a.jpg'],
  ['a PNG by the name of a JPEG', 'a.jpg', pngFile(), 'a.png'],
  ['a JPEG by the name of a HEIC', 'a.heic', jpegFile(), 'a.heic.jpg'],
])('%s is taken by its content', async (_, name, content, stored) => {
  const { screen, add, draft: kept } = await openForm()
  await add(file(name, content))
  await screen.findByText('入力途中')
  expect((await kept())?.photos.map((photo) => photo.name)).toEqual([`20261120120000000_${stored}`])
})

describe('[C13] a file that cannot be read (its gallery has changed it)', () => {
  /** It can be read at the so-manieth asking. No asking is answered before `answers`. */
  function changed(name: string, at: number, answers: Promise<void> = Promise.resolve()) {
    const picked = file(name)
    const whole = picked.slice.bind(picked)
    let asked = 0
    vi.spyOn(picked, 'slice').mockImplementation((...range) => {
      const part = whole(...range)
      const read = part.arrayBuffer.bind(part)
      part.arrayBuffer = async () => {
        asked += 1
        await answers
        if (asked < at) throw new DOMException('changed', 'NotReadableError')
        return read()
      }
      return part
    })
    return picked
  }

  test('is read once more by itself', async () => {
    const { screen, add, services } = await openForm()
    await add(changed('a.jpg', 2))
    expect(await screen.findByText('入力途中')).toBeDefined()
    expect(services.flash.get()).toEqual([])
  })

  test('is named, those beside it are taken, and もう一度選ぶ opens the picker', async () => {
    const { screen, user, add, submit, db, services } = await openForm()
    await user.type(screen.getByLabelText('メモ'), '段差あり')
    const { resolve: saves, done: saved } = signal()
    await add(changed('one.jpg', 9, saved), file('a.jpg'), changed('two.jpg', 9, saved))
    await submit()
    saves()
    await waitFor(() => expect(services.flash.get()[0]?.text).toContain('「one.jpg」「two.jpg」'))
    expect(services.flash.get()).toMatchObject([
      { mode: 'danger', stays: true, act: { text: 'もう一度選ぶ' } },
    ])
    await waitFor(() => expect(screen.getAllByText('入力途中')).toHaveLength(1))
    // not without them unasked
    expect(await viewsIn(db, 'noteLocationAreas')).toEqual([])
    const opened = vi.fn<() => void>()
    screen.getByLabelText('写真を追加').addEventListener('click', opened)
    services.flash.get()[0]?.act?.run()
    expect(opened).toHaveBeenCalledTimes(1)
    await add(file('one.jpg'))
    await waitFor(() => expect(screen.getAllByText('入力途中')).toHaveLength(2))
    expect(services.flash.get()).toEqual([])
  })

  test('also where the worker cannot read it', async () => {
    const { jobs } = testPhoto()
    const unreadable = async () => ({
      ...(await jobs()),
      prepare: () => Promise.reject(new Unreadable('photo: not readable')),
    })
    const { add, services } = await openForm({ services: { photo: testPhoto({ jobs: unreadable }) } })
    await add(file('a.jpg'))
    await waitFor(() => expect(services.flash.get()[0]?.text).toContain('「a.jpg」'))
    expect(services.flash.get()[0]?.act?.text).toBe('もう一度選ぶ')
  })
})

describe('[SV1] a photo that the device does not keep', () => {
  async function failing(error: Error, sent: number) {
    const bytes = vi.fn<() => Promise<void>>(async () => Promise.reject(error))
    const opened = await openForm()
    const put = opened.bytes.put.bind(opened.bytes)
    await put('sent', new ArrayBuffer(sent), { cached: true })
    vi.spyOn(opened.bytes, 'put').mockImplementationOnce(bytes)
    await opened.add(file('a.jpg'))
    const banner = () => opened.services.flash.get()[0]
    await waitFor(() => expect(banner()?.mode).toBe('danger'))
    return { ...opened, banner }
  }

  test('on a full device: that it is full, what makes room and where; a photo that is taken then ends it', async () => {
    const full = new DOMException('', 'QuotaExceededError')
    const { banner, services, add, screen } = await failing(full, 2_000_000)
    expect(banner()).toMatchObject({ title: '写真を端末に保存できませんでした', stays: true })
    expect(banner()?.text).toContain('端末の空き容量が足りません。')
    expect(banner()?.text).toContain('送信済の写真を端末から消すと1.9MB空きます')
    expect(banner()?.text).toContain('もう一度写真を追加してください。')
    expect(banner()?.link?.path).toBe('/settings')
    expect(screen.queryByText('読み込み中')).toBeNull()
    expect(services.errorLog.note).not.toHaveBeenCalled()
    await add(file('a.jpg'))
    expect(await screen.findByText('入力途中')).toBeDefined()
    await waitFor(() => expect(services.flash.get()).toEqual([]))
  })

  test('one of several that does not fit is still said when the next one does; picked again it is taken', async () => {
    const { add, bytes, services, screen } = await openForm()
    vi.spyOn(bytes, 'put').mockRejectedValueOnce(new DOMException('', 'QuotaExceededError'))
    await add(file('large.jpg'), file('small.jpg'))
    expect(await screen.findByText('入力途中')).toBeDefined()
    await waitFor(() => expect(screen.queryByText('読み込み中')).toBeNull())
    expect(services.flash.get()).toMatchObject([{ title: '写真を端末に保存できませんでした', stays: true }])
    await add(file('large.jpg'))
    await waitFor(() => expect(services.flash.get()).toEqual([]))
  })

  test('one whose position alone finds no room is kept: nobody is told otherwise', async () => {
    const photo = testPhoto({ place: async () => '35.1,139.1' })
    const { add, db, screen, services } = await openForm({ services: { photo } })
    const full = new DOMException('', 'QuotaExceededError')
    vi.spyOn(db.photos, 'findOne').mockImplementation(() => {
      throw full
    })
    await add(file('a.jpg'))
    expect(await screen.findByText('入力途中')).toBeDefined()
    await waitFor(() => expect(services.errorLog.note).toHaveBeenCalledWith(full))
  })

  test('for a reason nobody knows: it is said, and noted for the error log', async () => {
    const { banner, services } = await failing(new Error('broken'), 0)
    expect(banner()?.text).toMatch(/^「.+」：ファイルの保存に失敗しました。$/)
    expect(services.errorLog.note).toHaveBeenCalledOnce()
  })
})
