/** The photos of a form when it is saved, left, or one of them deleted. */
import { act, waitFor } from '@testing-library/react'
import { describe, expect, test, vi } from 'vitest'
import type { Services } from '#data/context/app-context.tsx'
import { signal, type Signal } from '#lib/value-store.ts'
import { atRest } from '../../support/at-rest.ts'
import { testPhoto } from '../../support/render-feature.tsx'
import { file, heldJobs, openForm } from './open-photos.tsx'
import { viewIn, viewsIn } from '../../support/stored-views.ts'

/** Each photo is read when the test names it. */
function heldByName() {
  const photo = testPhoto()
  const held = new Map<string, Signal>()
  const gate = (name: string) => {
    const known = held.get(name) ?? signal()
    held.set(name, known)
    return known
  }
  const jobs = async () => {
    const all = await photo.jobs()
    const prepare: typeof all.prepare = async (picked, options) => {
      await gate(String(Reflect.get(picked, 'name'))).done
      return all.prepare(picked, options)
    }
    return { ...all, prepare }
  }
  return { photo: { ...photo, jobs }, release: (name: string) => gate(name).resolve() }
}

describe('the save', () => {
  test('makes record and photos, and the draft goes; a position that is still awaited blocks nothing', async () => {
    let found: (place: string) => void = () => undefined
    const place = () => new Promise<string>((resolve) => (found = resolve))
    const opened = await openForm({ services: { photo: testPhoto({ place }) } })
    const { screen, user, add, submit, db, draft: kept } = opened
    await user.type(screen.getByLabelText('メモ'), '段差あり')
    await add(file('a.jpg'))
    await screen.findByText('入力途中')
    await submit()
    const note = await waitFor(async () => {
      const docs = await viewsIn(db, 'noteLocationAreas')
      expect(docs).toHaveLength(1)
      return docs[0]
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

  test('a photo that is still being read has its card at once, and is waited for; so is one that is added meanwhile', async () => {
    const { photo, release } = heldByName()
    const { screen, user, add, submit, db, router } = await openForm({ services: { photo } })
    await user.type(screen.getByLabelText('メモ'), '段差あり')
    await add(file('a.jpg'))
    expect(await screen.findByText('読み込み中')).toBeDefined()
    expect(screen.getByText('a.jpg', { selector: '.vh' })).toBeDefined()
    await submit()
    expect(await screen.findByText('読み込み中')).toBeDefined()
    await add(file('b.jpg'))
    release('a.jpg')
    expect(await screen.findByText('入力途中')).toBeDefined()
    await act(() => atRest())
    expect(await viewsIn(db, 'noteLocationAreas')).toEqual([])
    release('b.jpg')
    await waitFor(async () => expect(await db.photos.find().exec()).toHaveLength(2))
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
    await waitFor(() => expect(services.flash.get()[0]?.text).toMatch(/^「a\.jpg」：ファイルが壊れています/))
    await waitFor(() => expect(screen.queryByText('読み込み中')).toBeNull())
    expect(await viewsIn(db, 'noteLocationAreas')).toEqual([])
    await submit()
    await waitFor(async () => expect(await viewsIn(db, 'noteLocationAreas')).toHaveLength(1))
    // The save ends with its draft.
    await waitFor(async () => expect(await db.drafts.find().exec()).toEqual([]))
  })

  describe('a file that never comes (a cloud drive that hangs)', () => {
    /** It answers at the second asking. */
    function hanging(name: string) {
      const slow = file(name)
      const whole = slow.slice.bind(slow)
      let asked = 0
      vi.spyOn(slow, 'slice').mockImplementation((...range) => {
        const part = whole(...range)
        asked += 1
        if (asked === 1) part.arrayBuffer = () => new Promise<never>(() => undefined)
        return part
      })
      return slow
    }
    const open = () => openForm({ services: { photo: testPhoto({ readMs: 100 }) } })
    const TITLE = '写真を読み込めませんでした'

    test('[SV1c] is given up and named, those beside it are taken, and the form can be saved without it', async () => {
      const { screen, user, add, submit, db, services, router } = await open()
      await user.type(screen.getByLabelText('メモ'), '段差あり')
      await add(hanging('drive.jpg'), file('a.jpg'))
      await submit()
      await waitFor(() => expect(services.flash.get()).toMatchObject([{ title: TITLE, stays: true }]))
      expect(services.flash.get()[0]?.text).toContain('「drive.jpg」')
      await waitFor(() => expect(screen.queryByText('読み込み中')).toBeNull())
      expect(screen.getAllByText('入力途中')).toHaveLength(1)
      // not without it unasked
      expect(await viewsIn(db, 'noteLocationAreas')).toEqual([])
      await submit()
      await waitFor(async () => expect(await db.photos.find().exec()).toHaveLength(1))
      await waitFor(() => expect(router.state.location.pathname).toBe('/outbox'))
    })

    test('[SV1c] several are one banner; もう一度読み込む takes them', async () => {
      const { screen, add, services } = await open()
      await add(hanging('one.jpg'), hanging('two.jpg'))
      await waitFor(() => expect(services.flash.get()[0]?.text).toContain('「one.jpg」「two.jpg」'))
      expect(services.flash.get()).toHaveLength(1)
      services.flash.get()[0]?.act?.run()
      await waitFor(() => expect(screen.getAllByText('入力途中')).toHaveLength(2))
      expect(services.flash.get()).toEqual([])
    })

    test('closed by hand it is wanted no more: the next one is told alone', async () => {
      const { add, services } = await open()
      await add(hanging('one.jpg'))
      await waitFor(() => expect(services.flash.get()).toHaveLength(1))
      services.flash.dismiss(services.flash.get()[0]?.id ?? 0)
      await add(hanging('two.jpg'))
      await waitFor(() => expect(services.flash.get()[0]?.text).toMatch(/^「two\.jpg」を/))
    })
  })

  test('the form is not left unasked while a photo is being read', async () => {
    const { jobs } = heldJobs()
    const { screen, add, router } = await openForm({ services: { photo: testPhoto({ jobs }) } })
    await add(file('a.jpg'))
    await screen.findByText('読み込み中')
    void router.navigate({ to: '/settings' })
    expect(await screen.findByRole('button', { name: 'はい' })).toBeDefined()
  })

  test('[draft] given up while a photo is being read: it does not come back in a draft of its own', async () => {
    const { jobs, release } = heldJobs()
    const {
      screen,
      user,
      add,
      router,
      services,
      draft: kept,
      bytes,
    } = await openForm({
      services: { photo: testPhoto({ jobs }) },
    })
    // its turn comes after the other's: once it is said that it failed, the other is through
    const broken = file('b.jpg')
    vi.spyOn(broken, 'slice').mockImplementation(() => {
      throw new Error('gone')
    })
    await add(file('a.jpg'), broken)
    await waitFor(() => expect(screen.getAllByText('読み込み中')).toHaveLength(2))
    void router.navigate({ to: '/settings' })
    await user.click(await screen.findByRole('button', { name: 'はい' }))
    await waitFor(() => expect(router.state.location.pathname).toBe('/settings'))
    release()
    await waitFor(() => expect(services.flash.get()[0]?.mode).toBe('danger'))
    expect(await bytes.keys(Infinity)).toEqual([])
    expect(await kept()).toBeNull()
  })

  test('of a record that is there: deletions and new photos take effect with it, not before', async () => {
    const first = await openForm()
    await first.user.type(first.screen.getByLabelText('メモ'), '段差あり')
    await first.add(file('a.jpg'))
    await first.screen.findByText('入力途中')
    await first.submit()
    await waitFor(async () => expect(await first.draft()).toBeNull())
    const recordKey = (await viewIn(first.db, 'noteLocationAreas')).key
    const second = await openForm({ ...first.kill(), recordKey })
    const { screen, user, add, submit, db } = second
    await user.click(await screen.findByRole('button', { name: '20261120120000000_a.jpgを削除' }))
    await waitFor(() => expect(screen.queryByText(/撮影日時/)).toBeNull())
    await add(file('b.jpg'))
    await screen.findByText('入力途中')
    const wanted = async () =>
      (await db.photos.find().exec()).map((doc) => `${doc.name.slice(18)} ${doc.wanted}`).toSorted()
    expect(await wanted()).toEqual(['a.jpg kept'])
    await user.type(screen.getByLabelText('メモ'), '直った')
    await submit()
    await waitFor(async () => expect(await wanted()).toEqual(['a.jpg deleted', 'b.jpg kept']))
  })
})

describe('[hands 3] 削除 of a photo', () => {
  const actOf = ({ get }: Services['flash']) => get().find(({ act }) => act)?.act

  test('acts at once; 元に戻す brings it back with its bytes, in its place', async () => {
    const { screen, user, add, draft: kept, bytes, services } = await openForm()
    await add(file('a.jpg'), file('b.jpg'))
    await waitFor(() => expect(screen.getAllByText('入力途中')).toHaveLength(2))
    const before = (await kept())?.photos
    const [first] = before ?? []
    await user.click(screen.getByRole('button', { name: `${first?.name}を削除` }))
    await waitFor(() => expect(screen.getAllByText('入力途中')).toHaveLength(1))
    expect(screen.queryByRole('alertdialog')).toBeNull()
    await waitFor(() => expect(actOf(services.flash)?.text).toBe('元に戻す'))
    actOf(services.flash)?.run()
    await waitFor(async () => expect((await kept())?.photos).toEqual(before))
    expect(await bytes.get(first?.key ?? '')).toBeDefined()
    expect(services.flash.get()).toEqual([])
  })

  test('its bytes go when the banner does, and it cannot be had back after the save', async () => {
    const { screen, user, add, draft: kept, bytes, services, submit } = await openForm()
    await add(file('a.jpg'))
    await screen.findByText('入力途中')
    const key = (await kept())?.photos[0]?.key ?? ''
    await user.click(screen.getByRole('button', { name: /を削除$/ }))
    await waitFor(() => expect(actOf(services.flash)).toBeDefined())
    const late = actOf(services.flash)
    expect(await bytes.get(key)).toBeDefined()
    await user.type(screen.getByLabelText('メモ'), '段差あり')
    await submit()
    await waitFor(async () => expect(await bytes.get(key)).toBeUndefined())
    expect(actOf(services.flash)).toBeUndefined()
    late?.run()
    await waitFor(async () => expect(await kept()).toBeNull())
  })

  test('of a record that is there: it is not to be deleted after all', async () => {
    const first = await openForm()
    await first.user.type(first.screen.getByLabelText('メモ'), '段差あり')
    await first.add(file('a.jpg'))
    await first.screen.findByText('入力途中')
    await first.submit()
    await waitFor(async () => expect(await first.draft()).toBeNull())
    const recordKey = (await viewIn(first.db, 'noteLocationAreas')).key
    const { screen, user, draft: kept, services } = await openForm({ ...first.kill(), recordKey })
    await user.click(await screen.findByRole('button', { name: /を削除$/ }))
    await waitFor(() => expect(actOf(services.flash)).toBeDefined())
    expect((await kept())?.unwanted).toHaveLength(1)
    actOf(services.flash)?.run()
    await waitFor(async () => expect((await kept())?.unwanted).toEqual([]))
  })
})
