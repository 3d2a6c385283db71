/** Work that yields now and then: done at once where it is short, else in slices between which the screen gets its frame. */
import { yieldToScreen } from './yield-to-screen.ts'

export type Sliced<T> = Generator<void, T, void>

/** For what is short, and for tests. */
export function atOnce<T>(work: Sliced<T>): T {
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
  }
}

export async function inSlices<T>(work: Sliced<T>): Promise<T> {
  const pause = yieldToScreen()
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
    const paused = pause()
    if (paused) await paused
  }
}
