/** The app's banners (spec 4), newest first, at most two temporary ones, which disappear after 10 s. */
import type { FlashAbout, FlashMode, TextBanner } from '#lib/flash-kinds.ts'
import { FLASH_DISMISS_MS } from '#schemas/limits.ts'
import { createValueStore } from '#lib/value-store.ts'

/** Key of the banner about locked data (封印中). */
export const LOCKED_DATA_FLASH = 'locked-data'

export interface Banner extends TextBanner {
  about?: FlashAbout | undefined
  act?: { text: string; run: () => void }
  /** True if the banner is hidden on screens with a form, because the banner would cover the fields. */
  yields?: boolean
  /** Called when the banner disappears: timed out, closed, displaced or replaced. */
  onRemoved?: () => void
}

type Flash = Banner & { id: number; key?: string }

export type FlashStore = ReturnType<typeof createFlashStore>

export function createFlashStore() {
  const shown = createValueStore<readonly Flash[]>([])
  const timers = new Map<number, ReturnType<typeof setTimeout>>()
  const removals = new Map<string, number>()
  let lastId = 0
  const at = (key: string) => shown.get().find((flash) => flash.key === key)
  const set = (flashes: readonly Flash[]) => {
    const [before, next] = [shown.get(), newest(flashes)]
    const removed = before.filter((flash) => !next.includes(flash))
    for (const { id } of removed) clearTimeout(timers.get(id))
    for (const flash of next)
      if (!before.includes(flash) && !isStaying(flash))
        timers.set(
          flash.id,
          setTimeout(() => dismiss(flash.id), FLASH_DISMISS_MS),
        )
    shown.set(next)
    for (const { onRemoved } of removed) onRemoved?.()
  }
  const dismiss = (id: number) => set(shown.get().filter((flash) => flash.id !== id))
  const withNew = (banner: Banner, key?: string): Flash => ({
    ...banner,
    id: (lastId += 1),
    ...(key !== undefined && { key }),
  })
  return {
    get: shown.get,
    subscribe: shown.subscribe,
    /** Shows a banner. An equal banner is removed. */
    show(mode: FlashMode, text: string, about?: FlashAbout) {
      const others = shown.get().filter((flash) => flash.mode !== mode || flash.text !== text)
      set([withNew({ mode, text, about }), ...others])
    },
    /** Shows a banner under a key. If a banner with this key is shown, it is updated in place. */
    put(key: string, banner: Banner) {
      const before = at(key)
      if (!before) return set([withNew(banner, key), ...shown.get()])
      const after = { ...banner, id: before.id, key }
      set(shown.get().map((flash) => (flash === before ? after : flash)))
    },
    remove(key: string) {
      removals.set(key, (removals.get(key) ?? 0) + 1)
      const flash = at(key)
      if (flash) dismiss(flash.id)
    },
    at,
    has: (key: string) => at(key) !== undefined,
    /** Returns a function that returns true until `remove` is called with this key, even if no banner is shown. */
    watchRemoval(key: string) {
      const before = removals.get(key)
      return () => removals.get(key) === before
    },
    dismiss,
    clear: () => set([]),
  }
}

const MOST_AT_ONCE = 2

const isStaying = ({ mode, stays }: Banner) => mode === 'timeout' || stays === true

/** Drops the oldest temporary banners if there are too many. At least one of them stays, and all permanent banners. */
function newest(shown: readonly Flash[]): readonly Flash[] {
  const temporary = shown.filter((flash) => !isStaying(flash))
  const room = Math.max(1, MOST_AT_ONCE - (shown.length - temporary.length))
  const displaced = temporary.slice(room)
  return shown.filter((flash) => !displaced.includes(flash))
}
