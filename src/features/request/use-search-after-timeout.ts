import { useEffect, useState } from 'react'
import { useSession } from '#data/app-context.tsx'
import { useRefresh } from '#data/use-refresh.ts'

/** After a session timeout: with a new login, and back in the window, it is searched again (spec 4). */
export function useSearchAfterTimeout(search: () => void): void {
  const expired = useSession()?.expired === true
  const { refresh } = useRefresh()
  const [isDue, setDue] = useState(expired)
  if (expired && !isDue) setDue(true)
  useEffect(() => {
    if (expired || !isDue) return undefined
    const look = () => {
      if (!document.hasFocus()) return
      setDue(false)
      search()
      refresh()
    }
    look()
    window.addEventListener('focus', look)
    return () => window.removeEventListener('focus', look)
  }, [expired, isDue, search, refresh])
}
