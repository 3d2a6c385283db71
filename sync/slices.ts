/** Work over thousands of documents in pieces: in between, the screen gets its frame. */

/** Half a frame. */
const SLICE_MS = 8

/** Asked now and then during a long piece of work: waits for the next task where this one has gone on for long. */
export function slices(): () => Promise<void> | undefined {
  let begun = performance.now()
  return () => {
    if (performance.now() - begun < SLICE_MS) return undefined
    return new Promise((resolve) =>
      setTimeout(() => {
        begun = performance.now()
        resolve()
      }, 0),
    )
  }
}
