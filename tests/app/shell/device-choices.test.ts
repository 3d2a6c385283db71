/** What is chosen in 設定 is the device's: each tab follows what another one has chosen. */
import { beforeEach, expect, test, vi } from 'vitest'
import { createPhotoSettings } from '#app/config/photo-settings.ts'
import { createThemeStore } from '#app/shell/theme.ts'

beforeEach(() => {
  localStorage.clear()
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: () => undefined }))
})

/** As another tab writes it. @param value null: taken away */
function written(key: string, value: string | null): void {
  if (value === null) localStorage.removeItem(key)
  else localStorage.setItem(key, value)
  window.dispatchEvent(Object.assign(new Event('storage'), { key }))
}

test('画面の明るさ of another tab is this one’s, too', () => {
  const theme = createThemeStore()
  const told = vi.fn<() => void>()
  theme.subscribe(told)
  written('genba:theme', 'outdoor')
  expect(theme.get()).toBe('outdoor')
  expect(document.documentElement.dataset['theme']).toBe('outdoor')
  expect(told).toHaveBeenCalledOnce()
  written('genba:other', 'dark')
  expect(told).toHaveBeenCalledOnce()
  // all of it was cleared
  localStorage.clear()
  window.dispatchEvent(Object.assign(new Event('storage'), { key: null }))
  expect(theme.get()).toBe('system')
})

test('写真を元のサイズで送信 of another tab is this one’s, too: photos taken here are sent so', () => {
  const { original } = createPhotoSettings(() => '10')
  expect(original.get()).toBe(false)
  written('genba:photo-original', 'yes')
  expect(original.get()).toBe(true)
  written('genba:photo-original', null)
  expect(original.get()).toBe(false)
})

test('a choice that the device does not keep counts until the page goes, and the failure is nobody’s to catch', () => {
  const theme = createThemeStore()
  const full = new DOMException('no room', 'QuotaExceededError')
  vi.stubGlobal('localStorage', {
    getItem: () => null,
    setItem: () => {
      throw full
    },
  })
  expect(() => theme.set('dark')).toThrow(full)
  expect(theme.get()).toBe('dark')
  vi.unstubAllGlobals()
})
