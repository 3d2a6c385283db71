/** Runs work that the first screen does not need, after its paint (decisions/speed). */
import { afterPaint } from '#lib/time/user-timing.ts'

/** The longest wait for a paint. A hidden tab never paints. */
const UNPAINTED_MS = 1_000
/** The longest wait for rows that are read from the device: enough for thousands of rows on a slow phone. */
const UNREAD_MS = 3_000
/** The longest wait for the user's data, which may stay locked or never open. */
const UNOPENED_MS = 5_000

/**
 * Calls `run` once React's current frame is painted.
 * @param isOpening true while the user's data is locked or still opening: then `run` waits for UNOPENED_MS, and the caller
 * has to call this function again once the data is open
 * @param isReading true while the rows of the frame are still read from the device, because they are painted later
 * @returns cancels the call
 */
export function afterFirstPaint(run: () => void, isOpening: boolean, isReading = () => false): () => void {
  const begun = performance.now()
  let late = setTimeout(run, isOpening ? UNOPENED_MS : UNPAINTED_MS)
  const painted = () => {
    clearTimeout(late)
    const remainingMs = begun + UNREAD_MS - performance.now()
    if (!isReading() || remainingMs <= 0) return run()
    late = setTimeout(run, remainingMs)
    stop = afterPaint(painted)
  }
  let stop = isOpening ? () => undefined : afterPaint(painted)
  return () => {
    clearTimeout(late)
    stop()
  }
}
