/** The page behind a dialog keeps still: at least so long, and until so long after the last dialog closed (spec 9). */
export const LOCK_AT_LEAST_MS = 500
export const LOCK_AFTER_CLOSE_MS = 300

/** @returns takes the lock back, in its time */
export function lockPage(): () => void {
  const page = document.documentElement
  const { dataset } = page
  const openedAt = performance.now()
  dataset['locked'] = String(openedAt)
  return () => {
    const closedAt = performance.now()
    const token = String(closedAt)
    // whoever opens or closes a dialog later has the say
    dataset['locked'] = token
    setTimeout(
      () => {
        if (dataset['locked'] === token && !page.querySelector('dialog[open]')) delete dataset['locked']
      },
      Math.max(LOCK_AFTER_CLOSE_MS, LOCK_AT_LEAST_MS - (closedAt - openedAt)),
    )
  }
}
