/**
 * Splits long work, as on thousands of documents, into slices, so that the screen renders in between. The work awaits
 * `yieldToScreen`, or it is a generator that yields (`Sliced`).
 */

/** Longest slice of work: half a frame. */
const SLICE_MS = 8

/** Returns a function to call repeatedly during long work; after each slice it returns a promise to await. */
export function yieldToScreen(): () => Promise<void> | undefined {
  let begun = performance.now()
  return () => {
    if (performance.now() - begun < SLICE_MS) return undefined
    return whenIdle().then(() => {
      begun = performance.now()
    })
  }
}

/** Longest wait for an idle screen. */
const IDLE_MAX_MS = 200

/** Resolves when the screen is idle, so that background work does not delay the response to a touch. */
export const whenIdle = () =>
  new Promise<void>((resolve) => {
    // Safari has no requestIdleCallback.
    if ('requestIdleCallback' in globalThis) requestIdleCallback(() => resolve(), { timeout: IDLE_MAX_MS })
    else setTimeout(resolve, 0)
  })

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
