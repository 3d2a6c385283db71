import { useRouterState } from '@tanstack/react-router'
import { useEffect } from 'react'

/** Brings the card that the address names (`/outbox#<change id>`) into sight, and the focus to it. @param ready the cards are there */
export function useLedTo(ready: boolean): void {
  const hash = useRouterState({ select: ({ location }) => location.hash })
  useEffect(() => {
    if (!ready || hash === '') return
    const card = document.getElementById(hash)
    card?.scrollIntoView({ block: 'center' })
    card?.focus({ preventScroll: true })
  }, [ready, hash])
}
