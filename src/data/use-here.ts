import { useRouter } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'

/** The screen as it was opened, for what ends late there. */
export interface Here {
  /** Its address. */
  href: string
  /** One is still at it: from another one nobody is led on. */
  isHere: () => boolean
  /** And what asks stands there: a popup may be gone by now. */
  stands: () => boolean
}

export function useHere(): Here {
  const { history } = useRouter()
  const [{ href, pathname }] = useState(() => history.location)
  const isThere = useRef(false)
  useEffect(() => {
    isThere.current = true
    return () => void (isThere.current = false)
  }, [])
  const isHere = () => history.location.pathname === pathname
  return { href, isHere, stands: () => isThere.current && isHere() }
}
