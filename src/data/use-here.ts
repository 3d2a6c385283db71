import { useRouter } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'

/** The screen as it was opened, for what ends late there. */
export interface Here {
  /** Its address. */
  href: string
  /** It is still the one in sight: from another one nobody is led on. */
  isHere: () => boolean
}

export function useHere(): Here {
  const { history } = useRouter()
  const [{ href, pathname }] = useState(() => history.location)
  const isThere = useRef(false)
  useEffect(() => {
    isThere.current = true
    return () => void (isThere.current = false)
  }, [])
  return { href, isHere: () => isThere.current && history.location.pathname === pathname }
}
