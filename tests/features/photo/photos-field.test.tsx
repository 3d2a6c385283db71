/** The photos of a form, with the real database: taken and saved. */
import { waitFor } from '@testing-library/react'
import { describe, expect, test, vi } from 'vitest'
import { ascii, exifSegment, jpegFile, pngFile } from '../../support/image-files.ts'
import { testPhoto } from '../../support/render-feature.tsx'
import { JUNK, file, NOW, MAX, heldJobs, openForm, INFO_TYPE, INFO_PIXELS, INFO_SIZE } from './open-form.tsx'

describe('[spec 5] what is taken', () => {
  test('several at once, each with its facts', async () => {
    const services = {
      photo: testPhoto({ place: async () => '35.649100,139.808300' }),
    }
    const { screen, add, draft: kept, bytes } = await openForm({ services })
    await add(file('a.jpg'), file('b.png', pngFile()))
    await waitFor(() => expect(screen.getAllByText('位置情報 35.6491, 139.8083')).toHaveLength(2))
    expect(screen.getAllByText('待機')).toHaveLength(2)
    expect(screen.getAllByText('撮影日時 11/20 12:00')).toHaveLength(2)
    const photos = (await kept())?.photos ?? []
    expect(photos.map(({ name }) => name)).toEqual(['20261120120000000_a.jpg', '20261120120000000_b.png'])
    expect((await bytes.get(photos[0]?.key ?? ''))?.byteLength).toBe(68)
  })

  test.each([
    ['no photo by its content', 'a.jpg', JUNK, INFO_TYPE],
    ['no photo by its name', 'a.heic', jpegFile(), INFO_TYPE],
    ['an empty file', 'a.png', new Uint8Array(), INFO_TYPE],
    ['one byte too big', 'a.jpg', jpegFile({ bytes: MAX + 1 }), INFO_SIZE],
    ['too big and no photo', 'a.jpg', new Uint8Array(MAX + 1), INFO_TYPE],
    ['more pixels than are decoded', 'a.png', pngFile(20_000, 20_000), INFO_PIXELS],
    [
      'a page that begins as a photo',
      'a.jpg',
      Uint8Array.from([255, 216, 255, ...ascii('<html>')]),
      INFO_TYPE,
    ],
  ])('%s is not: info', async (_, name, content, text) => {
    const { add, services, draft: kept } = await openForm()
    await add(file(name, content))
    await waitFor(() =>
      expect(services.flash.get().map(({ mode, text: said }) => [mode, said])).toEqual([['info', text]]),
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
    '[0044] when and where it was taken is known from %s',
    async (_, content, modified, at, from, place, placeFrom) => {
      const photo = testPhoto({ place: async () => '35.100000,139.100000' })
      const { screen, add, draft: kept, bytes, kill } = await openForm({ services: { photo } })
      await add(file('a.jpg', content, modified))
      const card = async () => (await screen.findByRole('button', { name: /a\.jpgを削除/ })).closest('li')
      await waitFor(async () => {
        const text = (await card())?.textContent ?? ''
        expect(text).toContain(`撮影日時 11/20 ${at}${from}`)
        expect(text).toContain(`位置情報 ${place}${placeFrom}`)
      })
      const [taken] = (await kept())?.photos ?? []
      expect(taken).toMatchObject({ takenAt: `2026-11-20T${at}:00+09:00` })
      expect(taken?.name).toMatch(new RegExp(`^20261120${at.replace(':', '')}00000_a`))
      expect(new TextDecoder('latin1').decode(await bytes.get(taken?.key ?? ''))).not.toContain('OHNISHI')
      // it is still known after the page was killed
      const again = await openForm(kill())
      await waitFor(() => expect(again.screen.getAllByText(from).length).toBeGreaterThan(0))
    },
  )

  test('at the limit it is taken', async () => {
    const { screen, add } = await openForm()
    await add(file('a.jpg', jpegFile({ bytes: MAX })))
    expect(await screen.findByText('待機')).toBeDefined()
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
        text: 'ファイルの保存に失敗しました。',
      }),
    )
    expect(screen.queryByText('待機')).toBeNull()
  })
})

describe('the save', () => {
  test('makes record and photos, and the draft goes; a position that is still awaited blocks nothing', async () => {
    let found: (place: string) => void = () => undefined
    const place = () => new Promise<string>((resolve) => (found = resolve))
    const opened = await openForm({ services: { photo: testPhoto({ place }) } })
    const { screen, user, add, submit, db, draft: kept } = opened
    await user.type(screen.getByLabelText('メモ'), '段差あり')
    await add(file('a.jpg'))
    await screen.findByText('待機')
    await submit()
    const note = await waitFor(async () => {
      const docs = await db.noteLocationAreas.find().exec()
      expect(docs).toHaveLength(1)
      return docs[0]?.toMutableJSON()
    })
    await waitFor(async () => expect(await kept()).toBeNull())
    const [photo, ...more] = await db.photos.find().exec()
    expect(more).toEqual([])
    expect(photo?.toMutableJSON()).toMatchObject({
      recordKey: note?.key,
      unsent: 'yes',
      placeInfo: '',
      size: 68,
    })
    found('35.1,139.1')
    await waitFor(async () => expect((await db.photos.findOne().exec())?.placeInfo).toBe('35.1,139.1'))
  })

  test('a photo that is still being read has its card at once, and is waited for', async () => {
    const { jobs, release } = heldJobs()
    const { screen, user, add, submit, db, router } = await openForm({
      services: { photo: testPhoto({ jobs }) },
    })
    await user.type(screen.getByLabelText('メモ'), '段差あり')
    await add(file('a.jpg'))
    expect(await screen.findByText('読み込み中')).toBeDefined()
    expect(screen.getByText('a.jpg', { selector: '.vh' })).toBeDefined()
    await submit()
    expect(await screen.findByText('読み込み中')).toBeDefined()
    expect(await db.noteLocationAreas.find().exec()).toEqual([])
    release()
    await waitFor(async () => expect(await db.photos.find().exec()).toHaveLength(1))
    expect(screen.queryByText('読み込み中')).toBeNull()
    expect(router.state.location.pathname).toBe('/outbox')
  })

  test('one that was not taken while the save waited: it says so, and the form stays unsaved', async () => {
    const { jobs, release } = heldJobs()
    const opened = await openForm({ services: { photo: testPhoto({ jobs }) } })
    const { screen, user, add, submit, db, services } = opened
    await user.type(screen.getByLabelText('メモ'), '段差あり')
    await add(file('a.jpg', Uint8Array.from([255, 216, 255, 0, 1])))
    await submit()
    release()
    await waitFor(() => expect(services.flash.get()[0]?.text).toBe(INFO_TYPE))
    await waitFor(() => expect(screen.queryByText('読み込み中')).toBeNull())
    expect(await db.noteLocationAreas.find().exec()).toEqual([])
    await submit()
    await waitFor(async () => expect(await db.noteLocationAreas.find().exec()).toHaveLength(1))
  })

  test('the form is not left unasked while a photo is being read', async () => {
    const { jobs } = heldJobs()
    const { screen, add, router } = await openForm({ services: { photo: testPhoto({ jobs }) } })
    await add(file('a.jpg'))
    await screen.findByText('読み込み中')
    void router.navigate({ to: '/settings' })
    expect(await screen.findByRole('button', { name: 'はい' })).toBeDefined()
  })

  test('of a record that is there: deletions and new photos take effect with it, not before', async () => {
    const first = await openForm()
    await first.user.type(first.screen.getByLabelText('メモ'), '段差あり')
    await first.add(file('a.jpg'))
    await first.screen.findByText('待機')
    await first.submit()
    await waitFor(async () => expect(await first.draft()).toBeNull())
    const recordKey = (await first.db.noteLocationAreas.findOne().exec(true)).key
    const second = await openForm({ ...first.kill(), recordKey })
    const { screen, user, add, submit, db } = second
    await user.click(await screen.findByRole('button', { name: '20261120120000000_a.jpgを削除' }))
    await waitFor(() => expect(screen.queryByText(/撮影日時/)).toBeNull())
    await add(file('b.jpg'))
    await screen.findByText('待機')
    const wanted = async () =>
      (await db.photos.find().exec()).map((doc) => `${doc.name.slice(18)} ${doc.wanted}`).toSorted()
    expect(await wanted()).toEqual(['a.jpg kept'])
    await user.type(screen.getByLabelText('メモ'), '直った')
    await submit()
    await waitFor(async () => expect(await wanted()).toEqual(['a.jpg deleted', 'b.jpg kept']))
  })
})
