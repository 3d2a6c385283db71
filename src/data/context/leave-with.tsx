import { useEffect, useRef } from 'react'
import { useServices } from './app-context.tsx'

interface LeaveWithProps {
  /** Why one cannot stay. */
  text: string
  go: () => Promise<void> | void
}

/** Says why a screen cannot be used now, and leaves it. */
export function LeaveWith({ text, go }: LeaveWithProps) {
  const { flash } = useServices()
  const gone = useRef(false)
  useEffect(() => {
    if (gone.current) return
    gone.current = true
    flash.show('danger', text)
    void go()
  }, [flash, text, go])
  return null
}
