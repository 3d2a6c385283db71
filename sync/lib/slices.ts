/**
 * Work that yields now and then: short work runs at once, long work in slices between which the screen
 * renders.
 */
import { yieldToScreen } from './yield-to-screen.ts'

export type Sliced<T> = Generator<void, T, void>

/** Runs all of it without a break, for short work and tests. */
export function atOnce<T>(work: Sliced<T>): T {
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
  }
}

/** Runs it in slices. */
export async function inSlices<T>(work: Sliced<T>): Promise<T> {
  const pause = yieldToScreen()
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
    const paused = pause()
    if (paused) await paused
  }
}
