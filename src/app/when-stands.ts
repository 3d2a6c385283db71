/** When the first screen stands, and what it did not need may begin (decision 0094). */
import { afterPaint } from '#lib/user-timing.ts'

/** A tab that is out of sight paints nothing. */
const UNPAINTED_MS = 1_000
/** A user's data may never open. */
const UNOPENED_MS = 5_000

/**
 * Runs once the frame is painted that React has just put into the document.
 * @param isOpening the frame waits for the user's data: their opening has the phone for itself. Ask again once they are open.
 * @returns stops it
 */
export function whenStands(run: () => void, isOpening: boolean): () => void {
  const late = setTimeout(run, isOpening ? UNOPENED_MS : UNPAINTED_MS)
  const stop = isOpening ? null : afterPaint(run)
  return () => {
    clearTimeout(late)
    stop?.()
  }
}
