import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createFlashStore } from '#data/context/flash-store.ts'
import type { FlashAbout, FlashMode } from '#lib/flash-kinds.ts'
import { FLASH_DISMISS_MS } from '#schemas/limits.ts'
import { FlashBanner } from '#ui/feedback/flash.tsx'
import { iconsIn } from '../../support/icons.ts'
import { renderFeature } from '../../support/render-feature.tsx'

const PASSING = ['danger', 'info', 'warning', 'success', 'email'] as const

describe('[spec 4] a banner', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  test.each(PASSING)('%s goes by itself after 10 seconds', (mode) => {
    const flash = createFlashStore()
    flash.show(mode, '保存')
    vi.advanceTimersByTime(FLASH_DISMISS_MS - 1)
    expect(flash.get()).toHaveLength(1)
    vi.advanceTimersByTime(1)
    expect(flash.get()).toEqual([])
  })

  test('timeout stays until it is dismissed', () => {
    const flash = createFlashStore()
    flash.show('timeout', '切れました')
    vi.advanceTimersByTime(10 * FLASH_DISMISS_MS)
    const [stays] = flash.get()
    expect(stays?.mode).toBe('timeout')
    flash.dismiss(stays?.id ?? 0)
    expect(flash.get()).toEqual([])
  })

  test('at most two, the newest first; the same one is not there twice', () => {
    const flash = createFlashStore()
    for (const text of ['一', '二', '三', '三']) flash.show('info', text)
    expect(flash.get().map(({ text }) => text)).toEqual(['三', '二'])
  })

  test('timeout is not pushed out by what comes after it', () => {
    const flash = createFlashStore()
    flash.show('timeout', '切れました')
    for (const text of ['一', '二', '三']) flash.show('danger', text)
    expect(flash.get().map(({ text }) => text)).toEqual(['三', '切れました'])
  })
})

test.each<[FlashMode, 'alert' | 'status']>([
  ['danger', 'alert'],
  ['timeout', 'alert'],
  ['info', 'status'],
  ['warning', 'status'],
  ['success', 'status'],
  ['email', 'status'],
])('[screens] the banner %s is read out as %s', async (mode, role) => {
  const { screen } = await renderFeature(<FlashBanner mode={mode} text="保存しました" />, { path: '/outbox' })
  expect(screen.getByRole(role).textContent).toContain('保存しました')
})

test.each<[FlashAbout | undefined, string]>([
  [undefined, 'triangle-alert'],
  ['offline', 'cloud-off'],
  ['sealed', 'lock'],
  ['passkey', 'key-round'],
  ['wait', 'clock'],
])(
  '[screens] a warning about %s has the icon %s: the crossed cloud says offline, and nothing else',
  async (about, icon) => {
    const banner = <FlashBanner mode="warning" about={about} text="保存しました" />
    const { screen } = await renderFeature(banner, { path: '/outbox' })
    expect(iconsIn(screen.getByRole('status'))).toEqual([icon])
  },
)
