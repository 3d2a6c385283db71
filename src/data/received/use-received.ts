import { useRouterState } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useRef } from 'react'
import { useServices, useUserData } from '#data/context/app-context.tsx'
import type { TakeReceived } from './take-received.ts'

declare module '@tanstack/history' {
  interface HistoryState {
    /** Ids of the shared photos that the user has chosen for this form. */
    received?: readonly string[]
  }
}

/**
 * Adds the chosen shared photos to the form's draft, once the user's data is open (`features/received`).
 * @returns a function that resolves once all chosen photos are added; a save must wait for it
 */
export function useReceived(add: TakeReceived['add']): () => Promise<void> {
  const { errorLog } = useServices()
  const data = useUserData()
  const ids = useRouterState({ select: ({ location }) => location.state.received })
  const taking = useRef(Promise.resolve())
  const addNow = useEffectEvent(add)
  const report = useEffectEvent(errorLog.note)
  useEffect(() => {
    if (!data || !ids) return
    const { db, sealer } = data
    const take = async () => {
      const [{ takeReceived }, { openReceivedStore }] = await Promise.all([
        import('./take-received.ts'),
        import('./received-store.ts'),
      ])
      const parts = { store: openReceivedStore(), db, sealer, locks: navigator.locks }
      await takeReceived({ ...parts, ids, add: (files, received) => addNow(files, received) })
    }
    taking.current = taking.current.then(take).catch((error: unknown) => report(error))
  }, [data, ids])
  return () => taking.current
}
