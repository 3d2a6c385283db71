import { useRouter } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'

/** Where a screen was opened, for work that may end after the user has left it. */
interface OpenedLocation {
  /** Its address. */
  href: string
  /** True while this pathname is still open; otherwise a finished save must not navigate. */
  isHere: () => boolean
  /** Like `isHere`, but only while the component is mounted: a popup may have closed. */
  isMounted: () => boolean
}

export function useOpenedLocation(): OpenedLocation {
  const { history } = useRouter()
  const [{ href, pathname }] = useState(() => history.location)
  const isThere = useRef(false)
  useEffect(() => {
    isThere.current = true
    return () => void (isThere.current = false)
  }, [])
  const isHere = () => history.location.pathname === pathname
  return { href, isHere, isMounted: () => isThere.current && isHere() }
}
