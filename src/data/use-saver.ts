import { useServices, useUserData } from './app-context.tsx'
import type { Saver } from './changes.ts'

/** Gives what a save needs, as it is at the moment of the save; null while the database opens or nobody is signed in. */
export function useSaver(): () => Saver | null {
  const { clock, newId, session, online } = useServices()
  const data = useUserData()
  return () => {
    const userId = session.get()?.userInfo.id
    if (!data || userId === undefined) return null
    return { db: data.db, clock, newId, userId, offline: !online.get() }
  }
}

/** A saver that notes the stamps of what it writes: changes and photos are told apart by them. */
export function noting(saver: Saver): { saver: Saver; stamps: readonly string[] } {
  const stamps: string[] = []
  const stamp = () => {
    const next = saver.clock.stamp()
    stamps.push(next)
    return next
  }
  return { saver: { ...saver, clock: { ...saver.clock, stamp } }, stamps }
}
