import { useNavigate, useCanGoBack, useRouter } from '@tanstack/react-router'
import { goBack } from '#lib/browser/own-back.ts'
import { useEffect, useRef, useState } from 'react'

/**
 * Returns a function that leaves a form or record: for the previous screen if it belongs to the app, else for the
 * request, whose history entry then replaces the form's. The previous screen may show another day than the request
 * opens with.
 */
export function useLeaveForm(): (requestId: string) => Promise<void> {
  const navigate = useNavigate()
  const backOr = useBackOr()
  return (requestId) =>
    backOr(() => navigate({ to: '/request/$id', params: { id: requestId }, search: {}, replace: true }))
}

/** Returns a function that goes back to the previous screen, or calls `go` if the screen was opened by its URL. */
export function useBackOr(): (go: () => Promise<void>) => Promise<void> {
  const { history } = useRouter()
  const canGoBack = useCanGoBack()
  return async (go) => (canGoBack ? goBack(history) : go())
}

/** The location of a screen when it opened, for work that may end after the user has left it. */
interface OpenedLocation {
  href: string
  /** True while the screen's pathname is open. A save that ends later must not navigate. */
  isHere: () => boolean
  /** Like `isHere`, but false once the component is unmounted, for example a popup that has closed. */
  isMounted: () => boolean
}

/** The location that the calling screen was opened with. */
export function useOpenedLocation(): OpenedLocation {
  const { history } = useRouter()
  const [{ href, pathname }] = useState(() => history.location)
  const isMounted = useRef(false)
  useEffect(() => {
    isMounted.current = true
    return () => void (isMounted.current = false)
  }, [])
  const isHere = () => history.location.pathname === pathname
  return { href, isHere, isMounted: () => isMounted.current && isHere() }
}
