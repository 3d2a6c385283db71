import { expect, test } from 'vitest'
import { notifyLockedData } from '#app/shell/user-notifications.ts'
import { createFlashStore } from '#data/context/flash-store.ts'
import { i18n } from '../../support/i18n.ts'
import { testValue } from '../../support/render-feature.tsx'

function scene(count: number) {
  const [flash, lockedData] = [createFlashStore(), testValue(count)]
  const stop = notifyLockedData({ lockedData, flash, i18n })
  return { lockedData, stop, titles: () => flash.get().map(({ title }) => title), flash }
}

test('[SV3] what is 封印中 is said where its user does not look for it, until it is opened', () => {
  const { lockedData, titles, flash } = scene(2)
  expect(titles()).toEqual(['封印中の内容が2件あります'])
  expect(flash.get()[0]?.about).toBe('sealed')
  lockedData.set(0)
  expect(titles()).toEqual([])
})

test('[SV3] once another tab has opened some of it, the rest is said; who has put it away is not told again', () => {
  const { lockedData, titles, flash } = scene(3)
  lockedData.set(1)
  expect(titles()).toEqual(['封印中の内容が1件あります'])
  flash.clear()
  lockedData.set(2)
  expect(titles()).toEqual([])
})

test('where nothing is, nothing is said; it goes with the data of its user', () => {
  expect(scene(0).titles()).toEqual([])
  const { stop, titles } = scene(1)
  stop()
  expect(titles()).toEqual([])
})
