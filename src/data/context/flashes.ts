/**
 * The banners under the app bar as a value (spec 4): newest first, at most two that pass. A banner that is put under a key
 * changes the one of this key where that is still there; each step gives new banners for those that changed, and the same
 * for the others.
 */
import type { FlashAbout, FlashMode } from '#lib/flash-kinds.ts'

export interface Banner {
  mode: FlashMode
  about?: FlashAbout | undefined
  /** A bold line above the text. */
  title?: string
  /** Lines one below another. */
  text: string
  /** Where its button leads. */
  link?: { path: string; text: string }
  /** What its button does. */
  act?: { text: string; run: () => void }
  /** Until it is taken away, or closed by hand. */
  stays?: boolean
  /** It is about another record: not shown over a form, and shown when the form is left. */
  yields?: boolean
  /** Told once it is gone, however: its time was over, it was closed, pushed out or replaced. */
  onGone?: () => void
}

export interface Flash extends Banner {
  id: number
}

export interface Flashes {
  /** As they stand on the screen. */
  shown: readonly Flash[]
  /** Of the banner that was last put under a key. */
  ids: ReadonlyMap<string, number>
  /** How often a banner was removed under a key. */
  removals: ReadonlyMap<string, number>
  nextId: number
}

export const NO_FLASHES: Flashes = { shown: [], ids: new Map(), removals: new Map(), nextId: 1 }

const MOST_AT_ONCE = 2

/** Its time is never over. */
export const isStaying = ({ mode, stays }: Banner) => mode === 'timeout' || stays === true

/** What stays is not pushed out by what comes after it, and leaves room for one that passes. */
function newest(shown: readonly Flash[]): readonly Flash[] {
  const passing = shown.filter((flash) => !isStaying(flash))
  const room = Math.max(1, MOST_AT_ONCE - (shown.length - passing.length))
  const tooMany = passing.slice(room)
  return shown.filter((flash) => !tooMany.includes(flash))
}

const withNew = (flashes: Flashes, banner: Banner, others: readonly Flash[]): Flashes => ({
  ...flashes,
  shown: newest([{ ...banner, id: flashes.nextId }, ...others]),
  nextId: flashes.nextId + 1,
})

/** The same one is not there twice. */
export const withShown = (flashes: Flashes, banner: Pick<Banner, 'mode' | 'text' | 'about'>): Flashes =>
  withNew(
    flashes,
    banner,
    flashes.shown.filter(({ mode, text }) => mode !== banner.mode || text !== banner.text),
  )

/** @returns undefined where it has gone */
export const shownAs = ({ shown, ids }: Flashes, key: string): Flash | undefined =>
  shown.find(({ id }) => id === ids.get(key))

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
  const there = shownAs(flashes, key)
  return { ...(there ? without(flashes, there.id) : flashes), removals }
}
