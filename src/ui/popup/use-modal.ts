import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'

/**
 * Opens the dialog while its component is mounted. The browser provides the focus trap, the inert page and the return
 * of focus to the opener. The layout effect closes the dialog before React removes the element, otherwise the focus
 * would not return.
 * @returns starts the closing animation, then calls `onClose`, and the owner unmounts
 */
export function useModal(dialog: RefObject<HTMLDialogElement | null>, onClose: () => void): () => void {
  const leaving = useRef(false)
  const onClosed = useRef(onClose)
  useEffect(() => {
    onClosed.current = onClose
  }, [onClose])

  useLayoutEffect(() => {
    const element = dialog.current
    const release = lockPage()
    if (element && !element.open) element.showModal()
    // Focus the harmless control, not simply the first one.
    element?.querySelector<HTMLElement>('[data-first-focus]')?.focus({ preventScroll: true })
    // A long dialog starts at its heading, wherever its first control is.
    element?.scrollTo?.(0, 0)
    return () => {
      element?.close()
      release()
    }
  }, [dialog])

  return () => {
    if (leaving.current) return
    leaving.current = true
    const element = dialog.current
    element?.setAttribute('data-leaving', '')
    const motion = element?.getAnimations?.() ?? []
    const end = () => {
      onClosed.current()
      // An owner that does not unmount the sheet (for example to confirm first) gets it back open.
      requestAnimationFrame(() => stay(element, leaving))
    }
    if (motion.length === 0) end()
    else void Promise.allSettled(motion.map((each) => each.finished)).then(end)
  }
}

function stay(element: HTMLDialogElement | null, leaving: RefObject<boolean>) {
  leaving.current = false
  element?.removeAttribute('data-leaving')
  if (element?.isConnected && !element.open) element.showModal()
}

/**
 * Presses on the page behind a dialog are ignored for at least this long, and for this long after the last dialog
 * closes (spec 9).
 */
export const LOCK_AT_LEAST_MS = 500
export const LOCK_AFTER_CLOSE_MS = 300

/** @returns releases the lock after its minimum time */
function lockPage(): () => void {
  const page = document.documentElement
  const { dataset } = page
  const openedAt = performance.now()
  dataset['locked'] = String(openedAt)
  return () => {
    const closedAt = performance.now()
    const token = String(closedAt)
    // If a dialog opens or closes meanwhile, the lock is not removed here: each close sets its own timer.
    dataset['locked'] = token
    setTimeout(
      () => {
        if (dataset['locked'] === token && !page.querySelector('dialog[open]')) delete dataset['locked']
      },
      Math.max(LOCK_AFTER_CLOSE_MS, LOCK_AT_LEAST_MS - (closedAt - openedAt)),
    )
  }
}
