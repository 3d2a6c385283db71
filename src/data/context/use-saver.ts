import { useServices, useUserData } from '#data/context/app-context.tsx'
import type { Saver } from '#data/changes/changes.ts'

/**
 * Returns a function to be called at the moment of a save. It returns who saves and where to; null while the database
 * opens or if nobody is signed in.
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
