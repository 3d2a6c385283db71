/** The banners under the app bar (spec 4), told to who listens; they go after 10 s, but a timeout and what `stays`. */
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
  /** The banner of a story: it changes the one of this key where that is still there. */
  put(key: string, banner: Banner): void
  /** Nothing happens where it has gone. */
  remove(key: string): void
  has(key: string): boolean
  /** The banner of this key; undefined where it has gone. */
  at(key: string): Flash | undefined
  /** @returns whether what is told now would still be news: nothing was removed under this key since */
  watchRemoval(key: string): () => boolean
  dismiss(id: number): void
  clear(): void
  subscribe(listener: () => void): () => void
  get(): readonly Flash[]
}

/** The key of the banner that says what is 封印中. */
export const LOCKED_DATA_FLASH = 'aside'

export function createFlashStore(): FlashStore {
  let flashes = NO_FLASHES
  const listeners = new Set<() => void>()
  const timers = new Map<number, ReturnType<typeof setTimeout>>()
  const set = (next: Flashes) => {
    const before = flashes.shown
    flashes = next
    if (next.shown === before) return
    const gone = before.filter((flash) => !next.shown.includes(flash))
    const come = next.shown.filter((flash) => !before.includes(flash))
    for (const { id } of gone) {
      clearTimeout(timers.get(id))
      timers.delete(id)
    }
    for (const flash of come) if (!isStaying(flash)) timers.set(flash.id, passAway(flash))
    for (const { onGone } of gone) onGone?.()
    for (const listener of listeners) listener()
  }
  const dismiss = (id: number) => set(without(flashes, id))
  const passAway = ({ id }: Flash) => setTimeout(() => dismiss(id), FLASH_DISMISS_MS)
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
