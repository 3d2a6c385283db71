import { useEffect, useRef } from 'react'
import { useServices } from './app-context.tsx'

type LeaveWithProps = { text: string; go: () => Promise<void> | void }

export function LeaveWith({ text, go }: LeaveWithProps) {
  const { flash } = useServices()
  const hasLeft = useRef(false)
  useEffect(() => {
    if (hasLeft.current) return
    hasLeft.current = true
    flash.show('danger', text)
    void go()
  }, [flash, text, go])
  return null
}
