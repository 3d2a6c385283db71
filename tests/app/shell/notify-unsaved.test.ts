/** What is said of a save that failed on the device: how much room can be made, and by what. */
import { describe, expect, test } from 'vitest'
import { notifyUnsaved } from '#app/shell/notify-unsaved.ts'
import { createFlashStore } from '#data/context/flash-store.ts'
import {
  PHOTO_UNSAVED,
  photoTooLateBanner,
  photoUnsavedBanner,
  putUnsaved,
  showStorageFull,
  unsavedBanner,
} from '#messages/unsaved.ts'
import { i18n } from '../../support/i18n.ts'

const MB = 1024 * 1024

describe('[SV1b] a full device is said, with what makes room', () => {
  test('photos that were sent may go: how much that is, and the way there', () => {
    const banner = unsavedBanner(i18n, { isFull: true, inputIn: 'form', sentPhotos: 12.4 * MB })
    expect(banner.text).toContain('送信済の写真を端末から消すと12.4MB空きます（写真はCRMに残ります）。')
    expect(banner.text).toContain('入力した内容はこの画面に残っています。')
    expect(banner.link).toEqual({ path: '/settings', text: '設定で空きを増やす' })
  })

  test.each([0, 99_999])('%d bytes of photos are not worth the way', (sentPhotos) => {
    const banner = unsavedBanner(i18n, { isFull: true, inputIn: 'form', sentPhotos })
    expect(banner.text).toContain('使わないアプリや写真を端末から消してください。')
    expect(banner.text).not.toContain('送信済の写真')
    expect(banner.link).toBeUndefined()
  })

  test('whatever else went wrong is not called full', () => {
    const banner = unsavedBanner(i18n, { isFull: false, inputIn: 'no', sentPhotos: 50 * MB })
    expect(banner.text).toBe(
      '直前の操作は端末に残っていません。もう一度操作してください。続くときは、ほかのタブを閉じてください。',
    )
    expect(banner.link).toBeUndefined()
  })
})

describe('[SV1b] what nobody caught', () => {
  const full = new DOMException('', 'QuotaExceededError')

  test.each<[string, () => Promise<number>, boolean]>([
    ['photos to clear', async () => 5 * MB, true],
    ['bytes that cannot be read either', async () => Promise.reject(full), false],
  ])('on a full device: %s', async (_, cachedBytes, hasLink) => {
    const flash = createFlashStore()
    await notifyUnsaved(full, { flash, i18n, bytes: { cachedBytes }, storage: undefined, isNews: () => true })
    expect(flash.get()).toMatchObject([{ mode: 'danger', title: '端末に保存できませんでした', stays: true }])
    expect(flash.get()[0]?.link !== undefined).toBe(hasLink)
  })

  test('what a later save has overtaken while it was looked into is not said any more', async () => {
    const flash = createFlashStore()
    const isNews = flash.watchRemoval('unsaved')
    const bytes = { cachedBytes: async () => (flash.remove('unsaved'), 0) }
    await notifyUnsaved(full, { flash, i18n, bytes, storage: undefined, isNews })
    expect(flash.get()).toEqual([])
  })

  test("a form's own words are not replaced", async () => {
    const flash = createFlashStore()
    flash.put('unsaved', unsavedBanner(i18n, { isFull: true, inputIn: 'form', sentPhotos: 0 }))
    const before = flash.get()
    await notifyUnsaved(full, { flash, i18n, bytes: undefined, storage: undefined, isNews: () => true })
    expect(flash.get()).toEqual(before)
  })

  test('with nobody signed in', async () => {
    const flash = createFlashStore()
    await notifyUnsaved(full, { flash, i18n, bytes: undefined, storage: undefined, isNews: () => true })
    expect(flash.get()[0]?.text).toContain('空き容量が足りません')
  })
})

describe('[ST4][SV1] a full device is one story, and one banner', () => {
  const full = new DOMException('', 'QuotaExceededError')
  const READ = /最新のデータを保存できません/
  const texts = (flash: ReturnType<typeof createFlashStore>) =>
    flash.get().map(({ title, text }) => title ?? text)

  test('what is read finds no room: said until there is some', () => {
    const flash = createFlashStore()
    showStorageFull(true, flash, i18n)
    showStorageFull(true, flash, i18n)
    expect(flash.get()).toMatchObject([{ mode: 'danger', text: expect.stringMatching(READ), stays: true }])
    showStorageFull(false, flash, i18n)
    expect(flash.get()).toEqual([])
  })

  test.each([true, false])('beside a save that failed, which says more (read first: %s)', async (first) => {
    const flash = createFlashStore()
    if (first) showStorageFull(true, flash, i18n)
    await notifyUnsaved(full, { flash, i18n, bytes: undefined, storage: undefined, isNews: () => true })
    if (!first) showStorageFull(true, flash, i18n)
    expect(texts(flash)).toEqual(['端末に保存できませんでした'])
    showStorageFull(false, flash, i18n)
    expect(texts(flash)).toEqual(['端末に保存できませんでした'])
  })

  test.each([true, false])(
    'beside what was lost for another cause it is said as well (read first: %s)',
    async (first) => {
      const flash = createFlashStore()
      const lost = { flash, i18n, bytes: undefined, storage: undefined, isNews: () => true }
      if (first) showStorageFull(true, flash, i18n)
      await notifyUnsaved(new Error('no answer'), lost)
      putUnsaved(flash, PHOTO_UNSAVED, photoTooLateBanner(i18n))
      if (!first) showStorageFull(true, flash, i18n)
      expect(texts(flash)).toContainEqual(expect.stringMatching(READ))
    },
  )

  test.each([true, false])('beside a photo that was not kept (read first: %s)', (first) => {
    const flash = createFlashStore()
    if (first) showStorageFull(true, flash, i18n)
    putUnsaved(flash, PHOTO_UNSAVED, photoUnsavedBanner(i18n, 0))
    if (!first) showStorageFull(true, flash, i18n)
    expect(texts(flash)).toEqual(['写真を端末に保存できませんでした'])
  })
})
