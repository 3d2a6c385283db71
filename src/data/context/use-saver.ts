import { useServices, useUserData } from './app-context.tsx'
import type { Saver } from '#data/changes/changes.ts'

/**
 * Returns a function that returns what a save needs (`Saver`), and must be called at the time of the save. The function
 * returns null until the database is open, or if nobody is signed in.
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
