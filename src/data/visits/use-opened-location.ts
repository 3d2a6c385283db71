import { useRouter } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'

/** The location of a screen when it opened, for work that may end after the user has left it. */
interface OpenedLocation {
  /** The URL path with search and hash. */
  href: string
  /** True while this pathname is still open; otherwise a finished save must not navigate. */
  isHere: () => boolean
  /** Like `isHere`, but only while the component is mounted: a popup may have closed. */
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
