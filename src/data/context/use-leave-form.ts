import { useNavigate, useCanGoBack, useRouter } from '@tanstack/react-router'
import { goBack } from '#lib/browser/own-back.ts'
import { useEffect, useRef, useState } from 'react'

/**
 * Returns a function that leaves a form: to the previous screen if it belongs to the app, otherwise to the request,
 * which replaces the form in the history.
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

/** Tells work that takes time, such as a save, whether its screen is still open. `href`: URL at the opening. */
export function useOpenedLocation() {
  const { history } = useRouter()
  const [{ href, pathname }] = useState(() => history.location)
  const isMounted = useRef(false)
  useEffect(() => {
    isMounted.current = true
    return () => void (isMounted.current = false)
  }, [])
  // True while the page's path is the one at the opening. A save navigates only while this is true.
  const isHere = () => history.location.pathname === pathname
  // `isMounted` is false as soon as the component is unmounted, for example when a popup closes.
  return { href, isHere, isMounted: () => isMounted.current && isHere() }
}
