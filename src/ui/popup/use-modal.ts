import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'

/**
 * Opens the dialog while its component is mounted. The browser gives the focus trap, the inert page and the way
 * back to the opener; the layout effect closes before React takes the element away, or that way back is lost.
 * `leave` plays the way out, then tells the owner, which unmounts.
 */
export function useModal(dialog: RefObject<HTMLDialogElement | null>, onClose: () => void): () => void {
  const leaving = useRef(false)
  const tell = useRef(onClose)
  useEffect(() => {
    tell.current = onClose
  }, [onClose])

  useLayoutEffect(() => {
    const element = dialog.current
    const release = lockPage()
    if (element && !element.open) element.showModal()
    // not the first control there is, but the one that does no harm
    element?.querySelector<HTMLElement>('[data-first-focus]')?.focus({ preventScroll: true })
    // a long one begins with its heading, wherever its first control stands
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
      tell.current()
      // an owner that keeps the sheet (it asks first) gets it back as it was
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

/** The page behind a dialog keeps still: at least so long, and until so long after the last dialog closed (spec 9). */
export const LOCK_AT_LEAST_MS = 500
export const LOCK_AFTER_CLOSE_MS = 300

/** @returns takes the lock back, in its time */
function lockPage(): () => void {
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
