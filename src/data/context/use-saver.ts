import { useServices, useUserData } from './app-context.tsx'
import type { Saver } from '#data/changes/changes.ts'

/**
 * Returns a function that makes the saver of a save; null while the database opens or if nobody is signed in. Call it at
 * the moment of the save.
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
