import { afterPaint } from '#lib/time/user-timing.ts'

/** Maximum wait for a paint, because a hidden tab never paints. */
const UNPAINTED_MS = 1_000
/** Maximum wait for rows that are read from the device. A slow phone reads thousands of rows in this time. */
const UNREAD_MS = 3_000
/** Maximum wait for the user's data, which may stay locked. */
const UNOPENED_MS = 5_000

/**
 * Calls `run` after React's current frame is painted, for work that the first screen does not need (decisions/speed).
 * @param isOpening true while the user's data is locked or being opened; `run` then waits for UNOPENED_MS, and the
 * caller must call this function again once the data is open
 * @param isReading returns true while the rows of the screen are still being read
 * @returns a function that cancels the call
 */
export function afterFirstPaint(run: () => void, isOpening: boolean, isReading = () => false): () => void {
  const begun = performance.now()
  const runNow = () => {
    stop()
    run()
  }
  let late = setTimeout(runNow, isOpening ? UNOPENED_MS : UNPAINTED_MS)
  const painted = () => {
    clearTimeout(late)
    const remainingMs = begun + UNREAD_MS - performance.now()
    if (!isReading() || remainingMs <= 0) return run()
    late = setTimeout(runNow, remainingMs)
    stop = afterPaint(painted)
  }
  let stop = isOpening ? () => undefined : afterPaint(painted)
  return () => {
    clearTimeout(late)
    stop()
  }
}
