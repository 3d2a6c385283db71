import { useEffect, useState } from 'react'
import { isoOf } from '#schemas/instant.ts'
import { useLiveQuery, useOnline, useServices, useUserData } from '#data/context/app-context.tsx'
import {
  askList,
  interest$,
  isListRead$,
  listInterest,
  type ListFetchRequest,
} from '#data/fetch-requests/interests.ts'
import { listState } from '#data/fetch-requests/list-state.ts'

interface Asking {
  /** Whether the CRM is to be asked for it, as soon as there is a signal. */
  ask: boolean
  /** Ask again after so long, as long as the screen is in sight. */
  everyMs?: number
}

/**
 * A list of records that a screen would like to have now (data/fetch-requests/interests). Nothing waits for it: what is on the device is
 * there for the screen's own query.
 */
export function useFetchedList(
  { collection, owner, requestId, pages }: ListFetchRequest,
  { ask, everyMs }: Asking,
) {
  const { clock } = useServices()
  const db = useUserData()?.db
  const online = useOnline()
  const [since, setSince] = useState(() => isoOf(clock.now()))
  useEffect(() => {
    if (!db || !online || !ask) return undefined
    const more = optional(requestId, pages)
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
  // what became of an earlier question says nothing of this one
  const asked = interest && interest.askedAt < since ? null : interest && interest.state
  const isAnswered = interest?.state === 'answered' || interest?.state === 'failed'
  return {
    /** It was read, for whichever reason, and is on the device. */
    isRead: isRead === true,
    /** The device is being read, or an answer is on its way. */
    isComing: isRead === undefined || interest === undefined || (online && ask && !isAnswered),
    /** The CRM could not give it. */
    hasFailed: ask && interest?.state === 'failed',
    /** What may be said of the list, with so many records of it on the device. */
    standing: (count: number | undefined) => listState({ count, isRead, asked, online }),
    retry() {
      if (!db) return
      setSince(isoOf(clock.now()))
      void askList(db, clock.now(), { collection, owner, ...optional(requestId, pages) })
    },
    /** Pages that were read because they were asked for. */
    pages: interest?.state === 'answered' ? (interest.pages ?? 0) : 0,
  }
}

const optional = (requestId: string | undefined, pages: number | undefined) => ({
  ...(requestId !== undefined && { requestId }),
  ...(pages !== undefined && { pages }),
})
