/** Adds shared photos to the form that was opened for them (`features/received`). */
import { useRouterState } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useRef } from 'react'
import { useServices, useUserData } from '#data/context/app-context.tsx'
import type { TakeReceived } from './take-received.ts'

declare module '@tanstack/history' {
  interface HistoryState {
    /** Ids of the waiting photos that were chosen for the form at this place of the history. */
    received?: readonly string[]
  }
}

/**
 * Adds the chosen photos to the form's draft once its data is open.
 * @param add adds files to the form's draft as if they were picked
 * @returns a function whose promise resolves once every chosen photo was added; a save waits for it
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
      const parts = { store: openReceivedStore(), db, sealer, cryptography: crypto, locks: navigator.locks }
      await takeReceived({ ...parts, ids, add: (files, received) => addNow(files, received) })
    }
    // Photos that could not be added still wait.
    taking.current = taking.current.then(take).catch((error: unknown) => report(error))
  }, [data, ids])
  return () => taking.current
}
