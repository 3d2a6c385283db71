import { useServices, useUserData } from './app-context.tsx'
import type { Saver } from '#data/changes/changes.ts'

/**
 * Returns a function that must be called at the time of a save. It returns what the save needs (`Saver`); null until
 * the database is open, or if nobody is signed in.
 */
export function useSaver(): () => Saver | null {
  const { clock, newId, session, online } = useServices()
  const data = useUserData()
  return () => {
    const userId = session.get()?.userInfo.id
    if (!data || userId === undefined) return null
    return { db: data.db, clock, newId, userId, offline: !online.get() }
  }
}
