/**
 * The banners below the app bar (spec 4), as a store. They disappear after 10 s, except timeouts and those
 * with `stays`.
 */
import type { FlashAbout, FlashMode } from '#lib/flash-kinds.ts'
import { FLASH_DISMISS_MS } from '#schemas/limits.ts'
import {
  isStaying,
  NO_FLASHES,
  shownAs,
  without,
  withPut,
  withRemoved,
  withShown,
  type Banner,
  type Flash,
  type Flashes,
} from './flashes.ts'

export interface FlashStore {
  show(mode: FlashMode, text: string, about?: FlashAbout): void
  /** Shows a banner under a key, or updates the one that is still shown under it. */
  put(key: string, banner: Banner): void
  /** Removes the banner of a key, if it is still shown. */
  remove(key: string): void
  has(key: string): boolean
  /** The banner of a key; undefined if it is no longer shown. */
  at(key: string): Flash | undefined
  /** Returns a function that is true until a banner is removed under this key. */
  watchRemoval(key: string): () => boolean
  dismiss(id: number): void
  clear(): void
  subscribe(listener: () => void): () => void
  get(): readonly Flash[]
}

/** Key of the banner about locked data (封印中). */
export const LOCKED_DATA_FLASH = 'aside'

/** Creates the store, without banners. */
export function createFlashStore(): FlashStore {
  let flashes = NO_FLASHES
  const listeners = new Set<() => void>()
  const timers = new Map<number, ReturnType<typeof setTimeout>>()
  const set = (next: Flashes) => {
    const before = flashes.shown
    flashes = next
    if (next.shown === before) return
    const removed = before.filter((flash) => !next.shown.includes(flash))
    const added = next.shown.filter((flash) => !before.includes(flash))
    for (const { id } of removed) {
      clearTimeout(timers.get(id))
      timers.delete(id)
    }
    for (const flash of added) if (!isStaying(flash)) timers.set(flash.id, dismissLater(flash))
    for (const { onGone } of removed) onGone?.()
    for (const listener of listeners) listener()
  }
  const dismiss = (id: number) => set(without(flashes, id))
  const dismissLater = ({ id }: Flash) => setTimeout(() => dismiss(id), FLASH_DISMISS_MS)
  return {
    show: (mode, text, about) => set(withShown(flashes, { mode, text, about })),
    put: (key, banner) => set(withPut(flashes, key, banner)),
    remove: (key) => set(withRemoved(flashes, key)),
    has: (key) => shownAs(flashes, key) !== undefined,
    at: (key) => shownAs(flashes, key),
    watchRemoval(key) {
      const before = flashes.removals.get(key)
      return () => flashes.removals.get(key) === before
    },
    dismiss,
    clear: () => set({ ...flashes, shown: [] }),
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    get: () => flashes.shown,
  }
}
