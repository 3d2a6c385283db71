/** Divides long work into slices between which the screen can render: it awaits `yieldToScreen`, or yields (`Sliced`). */

/** Longest time of a slice: half a frame. */
const SLICE_MS = 8
const IDLE_MAX_MS = 200

/** Returns a function to call in each loop of long work. At a slice's end it returns a promise to await. */
export function yieldToScreen(): () => Promise<void> | undefined {
  let begun = performance.now()
  return () => {
    if (performance.now() - begun < SLICE_MS) return undefined
    return whenIdle().then(() => {
      begun = performance.now()
    })
  }
}

/** Resolves when the screen is idle, so that background work does not delay the response to a touch. */
export const whenIdle = () =>
  new Promise<void>((resolve) => {
    if ('requestIdleCallback' in globalThis) requestIdleCallback(() => resolve(), { timeout: IDLE_MAX_MS })
    else setTimeout(resolve, 0)
  })

export type Sliced<T> = Generator<void, T, void>

/** Runs the work without pauses. */
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
