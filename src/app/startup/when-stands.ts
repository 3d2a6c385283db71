/** When the first screen stands, and what it did not need may begin (decisions/speed). */
import { afterPaint } from '#lib/time/user-timing.ts'

/** A tab that is out of sight paints nothing. */
const UNPAINTED_MS = 1_000
/** Many thousand rows on a slow phone; what takes longer has the phone no longer for itself. */
const UNREAD_MS = 3_000
/** A user's data may never open. */
const UNOPENED_MS = 5_000

/**
 * Runs once the frame is painted that React has just put into the document.
 * @param isOpening the frame waits for the user's data: their opening has the phone for itself. Ask again once they are open.
 * @param isReading what the frame shows is still read from the device, and will stand in a later one
 * @returns stops it
 */
export function whenStands(run: () => void, isOpening: boolean, isReading = () => false): () => void {
  const begun = performance.now()
  let late = setTimeout(run, isOpening ? UNOPENED_MS : UNPAINTED_MS)
  const painted = () => {
    clearTimeout(late)
    const left = begun + UNREAD_MS - performance.now()
    if (!isReading() || left <= 0) return run()
    late = setTimeout(run, left)
    stop = afterPaint(painted)
  }
  let stop = isOpening ? () => undefined : afterPaint(painted)
  return () => {
    clearTimeout(late)
    stop()
  }
}
