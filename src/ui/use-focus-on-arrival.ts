import { useRouter } from '@tanstack/react-router'
import { type RefObject, useEffect, useRef } from 'react'
import { usePane } from './pane.ts'

/**
 * The heading of a screen that one was led to takes the focus that the last screen left: what is read out and tabbed from
 * begins there. Not on the first screen of a visit, and not where something else has the focus already.
 */
export function useFocusOnArrival(): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null)
  const router = useRouter({ warn: false })
  const pane = usePane()
  useEffect(() => {
    const wasLed = (router?.history.location.state.__TSR_index ?? 0) > 0
    if (wasLed && pane !== 'list' && document.activeElement === document.body)
      heading.current?.focus({ preventScroll: true })
    // only as the screen comes: later the focus is the user's
  }, [router, pane])
  return heading
}
