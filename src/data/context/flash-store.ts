/**
 * The app's banners (spec 4), as a store. A banner disappears after 10 s, except timeouts and
 * those with `stays`.
 */
import type { FlashAbout, FlashMode } from '#lib/flash-kinds.ts'
import { FLASH_DISMISS_MS } from '#schemas/limits.ts'
import { createValueStore, type ValueStore } from '#lib/value-store.ts'

/** Banners that have a key. */
export interface KeyedBanners {
  /** Shows a banner under a key, or updates the banner that is still shown under that key. */
  put(key: string, banner: Banner): void
  /** Removes the banner of a key, if it is still shown. */
  remove(key: string): void
  has(key: string): boolean
}

export interface FlashStore extends KeyedBanners, ValueStore<readonly Flash[]> {
  show(mode: FlashMode, text: string, about?: FlashAbout): void
  at(key: string): Flash | undefined
  /** Returns a function that is true until a banner is removed under this key. */
  watchRemoval(key: string): () => boolean
  dismiss(id: number): void
  clear(): void
}

/** Key of the banner about locked data (封印中). */
export const LOCKED_DATA_FLASH = 'aside'

export function createFlashStore(): FlashStore {
  let flashes = NO_FLASHES
  const shown = createValueStore<readonly Flash[]>(flashes.shown)
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
    for (const { onRemoved } of removed) onRemoved?.()
    // `onRemoved` may have changed the banners again.
    shown.set(flashes.shown)
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
    subscribe: shown.subscribe,
    get: () => flashes.shown,
  }
}

export interface Banner {
  mode: FlashMode
  about?: FlashAbout | undefined
  /** A bold line above the text. */
  title?: string
  /** The text; line breaks are displayed. */
  text: string
  link?: { path: string; text: string }
  act?: { text: string; run: () => void }
  /** True if the banner stays until it is removed or closed. */
  stays?: boolean
  /** True if the banner is about another record than an open form: it is hidden until the form is left. */
  yields?: boolean
  /** Called when the banner disappears for any reason: timeout, closed, displaced or replaced. */
  onRemoved?: () => void
}

interface Flash extends Banner {
  id: number
}

/**
 * The banners as an immutable value: newest first, at most two temporary banners. Unchanged banners are the same
 * objects after each step.
 */
interface Flashes {
  /** In display order. */
  shown: readonly Flash[]
  /** Id of the last banner under each key. */
  ids: ReadonlyMap<string, number>
  /** How often a banner was removed under each key. */
  removals: ReadonlyMap<string, number>
  nextId: number
}

export const NO_FLASHES: Flashes = { shown: [], ids: new Map(), removals: new Map(), nextId: 1 }

const MOST_AT_ONCE = 2

/** True if the banner does not disappear after 10 s. */
const isStaying = ({ mode, stays }: Banner) => mode === 'timeout' || stays === true

/** Limits the banners. Permanent banners are never displaced, and at least one temporary banner is shown. */
function newest(shown: readonly Flash[]): readonly Flash[] {
  const temporary = shown.filter((flash) => !isStaying(flash))
  const room = Math.max(1, MOST_AT_ONCE - (shown.length - temporary.length))
  const displaced = temporary.slice(room)
  return shown.filter((flash) => !displaced.includes(flash))
}

const withNew = (flashes: Flashes, banner: Banner, others: readonly Flash[]): Flashes => ({
  ...flashes,
  shown: newest([{ ...banner, id: flashes.nextId }, ...others]),
  nextId: flashes.nextId + 1,
})

/** Adds a banner, and removes an equal banner. */
export const withShown = (flashes: Flashes, banner: Pick<Banner, 'mode' | 'text' | 'about'>): Flashes =>
  withNew(
    flashes,
    banner,
    flashes.shown.filter(({ mode, text }) => mode !== banner.mode || text !== banner.text),
  )

/** The banner of a key; undefined if it is no longer shown. */
export const shownAs = ({ shown, ids }: Flashes, key: string): Flash | undefined =>
  shown.find(({ id }) => id === ids.get(key))

/** Adds a banner under a key, or updates the banner that is still shown under that key. */
export function withPut(flashes: Flashes, key: string, banner: Banner): Flashes {
  const before = shownAs(flashes, key)
  if (!before)
    return {
      ...withNew(flashes, banner, flashes.shown),
      ids: new Map(flashes.ids).set(key, flashes.nextId),
    }
  const after = { ...banner, id: before.id }
  return { ...flashes, shown: newest(flashes.shown.map((flash) => (flash === before ? after : flash))) }
}

export const without = (flashes: Flashes, id: number): Flashes => ({
  ...flashes,
  shown: flashes.shown.filter((flash) => flash.id !== id),
})

/** Removes the banner of a key, and counts the removal. */
export function withRemoved(flashes: Flashes, key: string): Flashes {
  const removals = new Map(flashes.removals).set(key, (flashes.removals.get(key) ?? 0) + 1)
  const shown = shownAs(flashes, key)
  return { ...(shown ? without(flashes, shown.id) : flashes), removals }
}
