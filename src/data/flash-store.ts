/** The banners under the app bar (spec 4): newest first; they go after 10 s, but a timeout and what `stays`. */
import { FLASH_DISMISS_MS } from '#schemas/limits.ts'

export type FlashMode = 'danger' | 'info' | 'warning' | 'success' | 'email' | 'timeout'

export interface Banner {
  mode: FlashMode
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
  /** Told once it is gone, however: its time was over, it was closed, pushed out or replaced. */
  onGone?: () => void
}

export interface Flash extends Banner {
  id: number
}

export interface FlashStore {
  show(mode: FlashMode, text: string): void
  /** The banner of a story: it changes the one of this key where that is still there. */
  put(key: string, banner: Banner): void
  /** Nothing happens where it has gone. */
  remove(key: string): void
  has(key: string): boolean
  /** @returns whether what is told now would still be news: nothing was removed under this key since */
  watchRemoval(key: string): () => boolean
  dismiss(id: number): void
  clear(): void
  subscribe(listener: () => void): () => void
  get(): readonly Flash[]
}

const MOST_AT_ONCE = 2

const isStaying = ({ mode, stays }: Banner) => mode === 'timeout' || stays === true

/** What stays is not pushed out by what comes after it, and leaves room for one that passes. */
function newest(flashes: readonly Flash[]): readonly Flash[] {
  const passing = flashes.filter((flash) => !isStaying(flash))
  const room = Math.max(1, MOST_AT_ONCE - (flashes.length - passing.length))
  const tooMany = passing.slice(room)
  return flashes.filter((flash) => !tooMany.includes(flash))
}

export function createFlashStore(): FlashStore {
  let flashes: readonly Flash[] = []
  let nextId = 1
  const listeners = new Set<() => void>()
  const timers = new Map<number, ReturnType<typeof setTimeout>>()
  const ids = new Map<string, number>()
  const removals = new Map<string, number>()
  const set = (next: readonly Flash[]) => {
    const gone = flashes.filter((flash) => !next.includes(flash))
    flashes = next
    for (const { onGone } of gone) onGone?.()
    for (const listener of listeners) listener()
  }
  const dismiss = (id: number) => set(flashes.filter((flash) => flash.id !== id))
  const passAway = (flash: Flash) => {
    clearTimeout(timers.get(flash.id))
    if (!isStaying(flash))
      timers.set(
        flash.id,
        setTimeout(() => dismiss(flash.id), FLASH_DISMISS_MS),
      )
  }
  const add = (banner: Banner, others: readonly Flash[]) => {
    const flash = { ...banner, id: nextId++ }
    set(newest([flash, ...others]))
    passAway(flash)
    return flash.id
  }
  const shownAs = (key: string) => flashes.find(({ id }) => id === ids.get(key))
  return {
    show(mode, text) {
      add(
        { mode, text },
        flashes.filter((other) => other.mode !== mode || other.text !== text),
      )
    },
    put(key, banner) {
      const before = shownAs(key)
      if (!before) return void ids.set(key, add(banner, flashes))
      const after = { ...banner, id: before.id }
      set(newest(flashes.map((flash) => (flash === before ? after : flash))))
      passAway(after)
    },
    remove(key) {
      removals.set(key, (removals.get(key) ?? 0) + 1)
      const flash = shownAs(key)
      if (flash) dismiss(flash.id)
    },
    has: (key) => shownAs(key) !== undefined,
    watchRemoval(key) {
      const before = removals.get(key)
      return () => removals.get(key) === before
    },
    dismiss,
    clear: () => set([]),
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    get: () => flashes,
  }
}
