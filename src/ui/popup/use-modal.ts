import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'

/**
 * Opens the dialog while its component is mounted. The browser makes the page behind it inert and returns the focus to
 * the opener. A layout effect closes the dialog before React removes the element, because otherwise the focus would not
 * return.
 * @returns a function that plays the closing animation and then calls `onClose`, which unmounts the dialog
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
    // The focus starts on the harmless answer instead of the first control.
    element?.querySelector<HTMLElement>('[data-first-focus]')?.focus({ preventScroll: true })
    // Focusing a control may have scrolled a long dialog past its heading.
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
      // The owner may keep the dialog mounted, for example to ask about unsaved input. The dialog then opens again.
      requestAnimationFrame(() => reopen(element, leaving))
    }
    if (motion.length === 0) end()
    else void Promise.allSettled(motion.map((each) => each.finished)).then(end)
  }
}

function reopen(element: HTMLDialogElement | null, leaving: RefObject<boolean>) {
  leaving.current = false
  element?.removeAttribute('data-leaving')
  if (element?.isConnected && !element.open) element.showModal()
}

/**
 * The page ignores presses for at least 500 ms after a dialog opens, and for 300 ms after the last dialog closes (spec
 * 9).
 */
export const LOCK_AT_LEAST_MS = 500
export const LOCK_AFTER_CLOSE_MS = 300

/** Locks the page. @returns a function that releases the lock after its minimum time */
function lockPage(): () => void {
  const page = document.documentElement
  const { dataset } = page
  const openedAt = performance.now()
  dataset['locked'] = String(openedAt)
  return () => {
    const closedAt = performance.now()
    const token = String(closedAt)
    // Another dialog that opens or closes before the timeout overwrites the token and then releases the lock itself.
    dataset['locked'] = token
    setTimeout(
      () => {
        if (dataset['locked'] === token && !page.querySelector('dialog[open]')) delete dataset['locked']
      },
      Math.max(LOCK_AFTER_CLOSE_MS, LOCK_AT_LEAST_MS - (closedAt - openedAt)),
    )
  }
}
