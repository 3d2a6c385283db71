/** Work over thousands of documents in pieces: in between, the screen gets its frame. */

/** Half a frame. */
const SLICE_MS = 8

/** Asked now and then during a long piece of work: waits for the next task where this one has gone on for long. */
export function yieldToScreen(): () => Promise<void> | undefined {
  let begun = performance.now()
  return () => {
    if (performance.now() - begun < SLICE_MS) return undefined
    return whenIdle().then(() => {
      begun = performance.now()
    })
  }
}

/** How long the screen may keep the rest waiting. */
const IDLE_MOST_MS = 200

/** Waits until the screen needs nothing: what is done for later does not stand between a touch and its answer. */
export const whenIdle = () =>
  new Promise<void>((resolve) => {
    // Safari has none
    if ('requestIdleCallback' in globalThis) requestIdleCallback(() => resolve(), { timeout: IDLE_MOST_MS })
    else setTimeout(resolve, 0)
  })
