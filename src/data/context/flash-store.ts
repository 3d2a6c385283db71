/**
 * The app's banners (spec 4). A banner disappears after 10 s, except banners about timeouts and banners with `stays`.
 */
import type { FlashAbout, FlashMode } from '#lib/flash-kinds.ts'
import { FLASH_DISMISS_MS } from '#schemas/limits.ts'
import { createValueStore, type ValueStore } from '#lib/value-store.ts'

export interface KeyedBanners {
  /** Shows a banner under a key. If a banner with this key is shown, it is updated in place. */
  put(key: string, banner: Banner): void
  remove(key: string): void
  has(key: string): boolean
  at(key: string): Flash | undefined
}

export interface FlashStore extends KeyedBanners, ValueStore<readonly Flash[]> {
  show(mode: FlashMode, text: string, about?: FlashAbout): void
  /** Returns a function that returns true until `remove` is called with this key. */
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
    // The state is read after `onRemoved`, which may have changed the banners.
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
  title?: string
  /** Line breaks in the text are displayed. */
  text: string
  link?: { path: string; text: string }
  act?: { text: string; run: () => void }
  stays?: boolean
  /** True if the text says that the device has no space. */
  isAboutSpace?: boolean
  /** True if the banner is hidden on screens with a form, because the banner would cover the fields. */
  yields?: boolean
  /** Called when the banner disappears: timed out, closed, displaced or replaced. */
  onRemoved?: () => void
}

interface Flash extends Banner {
  id: number
}

/**
 * The banners as an immutable value: newest first, at most two temporary ones. An unchanged banner stays the same
 * object.
 */
interface Flashes {
  shown: readonly Flash[]
  /** Id of the last banner under each key. */
  ids: ReadonlyMap<string, number>
  /** Number of calls of `remove` with each key, for `watchRemoval`. Calls count even if no banner is shown. */
  removals: ReadonlyMap<string, number>
  nextId: number
}

export const NO_FLASHES: Flashes = { shown: [], ids: new Map(), removals: new Map(), nextId: 1 }

const MOST_AT_ONCE = 2

const isStaying = ({ mode, stays }: Banner) => mode === 'timeout' || stays === true

/**
 * Drops the oldest temporary banners if there are too many. At least one temporary banner stays; permanent banners all
 * stay.
 */
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

/** Adds a banner. An equal banner is removed first. */
export const withShown = (flashes: Flashes, banner: Pick<Banner, 'mode' | 'text' | 'about'>): Flashes =>
  withNew(
    flashes,
    banner,
    flashes.shown.filter(({ mode, text }) => mode !== banner.mode || text !== banner.text),
  )

/** Returns the banner with this key; undefined if it is not shown. */
export const shownAs = ({ shown, ids }: Flashes, key: string): Flash | undefined =>
  shown.find(({ id }) => id === ids.get(key))

/** Adds a banner under a key, or updates the shown banner with this key. */
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

export function withRemoved(flashes: Flashes, key: string): Flashes {
  const removals = new Map(flashes.removals).set(key, (flashes.removals.get(key) ?? 0) + 1)
  const shown = shownAs(flashes, key)
  return { ...(shown ? without(flashes, shown.id) : flashes), removals }
}
