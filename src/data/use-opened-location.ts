import { useRouter } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'

/** The screen as it was opened, for what ends late there. */
export interface OpenedLocation {
  /** Its address. */
  href: string
  /** One is still at it: from another one nobody is led on. */
  isHere: () => boolean
  /** And what asks isMounted there: a popup may be gone by now. */
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
