/** Work over thousands of documents in pieces: in between, the screen gets its frame. */

/** Half a frame. */
const SLICE_MS = 8

/** Asked now and then during a long piece of work: waits for the next task where this one has gone on for long. */
export function slices(): () => Promise<void> | undefined {
  let begun = performance.now()
  return () => {
    if (performance.now() - begun < SLICE_MS) return undefined
    return nextTask().then(() => {
      begun = performance.now()
    })
  }
}

/** For those who were told of the same thing: each its own task, else all of them are one. */
export const nextTask = () => new Promise<void>((resolve) => setTimeout(resolve, 0))
