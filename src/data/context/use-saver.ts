import { useServices, useUserData } from './app-context.tsx'
import type { Saver } from '#data/changes/changes.ts'

/** Returns a function to call at the time of a save; null until the database is open, or without a user. */
export function useSaver(): () => Saver | null {
  const { clock, newId, session, online } = useServices()
  const data = useUserData()
  return () => {
    const userId = session.get()?.userInfo.id
    if (!data || userId === undefined) return null
    return { db: data.db, clock, newId, userId, offline: !online.get() }
  }
}
