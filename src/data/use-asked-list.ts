import { useEffect } from 'react'
import { useLiveQuery, useOnline, useServices, useUserData } from './app-context.tsx'
import { askList, interest$, isListRead$, listInterest, type AskedList } from './interests.ts'

interface Asking {
  /** Whether the CRM is to be asked for it, as soon as there is a signal. */
  ask: boolean
  /** Ask again after so long, as long as the screen is in sight. */
  everyMs?: number
}

/**
 * A list of records that a screen would like to have now (data/interests). Nothing waits for it: what is on the device is
 * there for the screen's own query.
 */
export function useAskedList({ collection, owner, requestId, pages }: AskedList, { ask, everyMs }: Asking) {
  const { clock } = useServices()
  const db = useUserData()?.db
  const online = useOnline()
  useEffect(() => {
    if (!db || !online || !ask) return undefined
    const more = { ...(requestId !== undefined && { requestId }), ...(pages !== undefined && { pages }) }
    const askNow = () => void askList(db, clock.now(), { collection, owner, ...more })
    askNow()
    if (everyMs === undefined) return undefined
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') askNow()
    }, everyMs)
    return () => clearInterval(timer)
  }, [db, online, clock, ask, everyMs, collection, owner, requestId, pages])
  const key = listInterest(collection, owner)
  const interest = useLiveQuery(`interest ${key}`, (from) => interest$(from, key))
  const isRead = useLiveQuery(`read ${key}`, (from) => isListRead$(from, { collection, owner }))
  const isAnswered = interest?.state === 'answered' || interest?.state === 'failed'
  return {
    /** It was read, for whichever reason, and is on the device. */
    isRead: isRead === true,
    /** The device is being read, or an answer is on its way. */
    isComing: isRead === undefined || interest === undefined || (online && ask && !isAnswered),
    /** The CRM could not give it. */
    hasFailed: ask && interest?.state === 'failed',
    /** Pages that were read because they were asked for. */
    pages: interest?.state === 'answered' ? (interest.pages ?? 0) : 0,
  }
}
