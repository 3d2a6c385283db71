/**
 * Long work as a generator that yields often: it runs in slices, and the screen renders between them.
 */
import { yieldToScreen } from './yield-to-screen.ts'

export type Sliced<T> = Generator<void, T, void>

/** Runs the work without pauses, for short work and tests. */
export function atOnce<T>(work: Sliced<T>): T {
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
  }
}

/** Runs the work in slices of a few milliseconds. */
export async function inSlices<T>(work: Sliced<T>): Promise<T> {
  const pause = yieldToScreen()
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
    const paused = pause()
    if (paused) await paused
  }
}
