/** The banners under the app bar (spec 4): at most two, newest first; they go after 10 s, a timeout stays. */
import { FLASH_DISMISS_MS } from '#schemas/limits.ts'

export type FlashMode = 'danger' | 'info' | 'warning' | 'success' | 'email' | 'timeout'

export interface Flash {
  id: number
  mode: FlashMode
  text: string
}

export interface FlashStore {
  show(mode: FlashMode, text: string): void
  dismiss(id: number): void
  clear(): void
  subscribe(listener: () => void): () => void
  get(): readonly Flash[]
}

const MOST_AT_ONCE = 2

/** A timeout is not pushed out by what comes after it. */
function newest(flashes: readonly Flash[]): readonly Flash[] {
  const passing = flashes.filter(({ mode }) => mode !== 'timeout')
  const tooMany = passing.slice(MOST_AT_ONCE - (flashes.length - passing.length))
  return flashes.filter((flash) => !tooMany.includes(flash))
}

export function createFlashStore(): FlashStore {
  let flashes: readonly Flash[] = []
  let nextId = 1
  const listeners = new Set<() => void>()
  const set = (next: readonly Flash[]) => {
    flashes = next
    for (const listener of listeners) listener()
  }
  const dismiss = (id: number) => set(flashes.filter((flash) => flash.id !== id))
  return {
    show(mode, text) {
      const flash = { id: nextId++, mode, text }
      const others = flashes.filter((other) => other.mode !== mode || other.text !== text)
      set(newest([flash, ...others]))
      if (mode !== 'timeout') setTimeout(() => dismiss(flash.id), FLASH_DISMISS_MS)
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
