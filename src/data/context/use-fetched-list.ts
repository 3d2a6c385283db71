import { useEffect, useState } from 'react'
import { isoOf } from '#schemas/instant.ts'
import { useLiveQuery, useOnline, useServices, useUserData } from '#data/context/app-context.tsx'
import {
  askList,
  interest$,
  isListRead$,
  listInterest,
  type ListFetchRequest,
  listState,
} from '#data/fetch-requests/interests.ts'

interface Requesting {
  /** False to return only the list's state and request nothing. */
  ask: boolean
  /** Interval in ms at which the list is requested again while the page is visible. */
  everyMs?: number
}

/**
 * Requests the list that a screen shows (data/fetch-requests/interests). The screen does not wait for the CRM, because
 * its own query shows the rows on the device.
 */
export function useFetchedList(
  { collection, owner, requestId, pages }: ListFetchRequest,
  { ask, everyMs }: Requesting,
) {
  const { clock } = useServices()
  const db = useUserData()?.db
  const online = useOnline()
  const [since, setSince] = useState(() => isoOf(clock.now()))
  useEffect(() => {
    if (!db || !online || !ask) return undefined
    const options = optional(requestId, pages)
    const askNow = () => void askList(db, clock.now(), { collection, owner, ...options })
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
  // A request from before the screen opened, or before the last retry, no longer counts.
  const isOld = interest && interest.askedAt < since
  const fetchState = isOld ? null : interest && interest.state
  const isAnswered = interest?.state === 'answered' || interest?.state === 'failed'
  return {
    /** True if the device has the whole list. Of a list that is read page by page, the first pages are enough. */
    isRead: isRead === true,
    /** True while the device is being read, or while the CRM's answer is awaited. */
    isComing: isRead === undefined || interest === undefined || (online && ask && !isAnswered),
    hasFailed: ask && interest?.state === 'failed',
    /** @param count number of the list's records on the device */
    loadState: (count: number | undefined) => listState({ count, isRead, fetchState, online }),
    retry() {
      if (!db) return
      setSince(isoOf(clock.now()))
      void askList(db, clock.now(), { collection, owner, ...optional(requestId, pages) })
    },
    pages: interest?.state === 'answered' ? (interest.pages ?? 0) : 0,
  }
}

const optional = (requestId: string | undefined, pages: number | undefined) => ({
  ...(requestId !== undefined && { requestId }),
  ...(pages !== undefined && { pages }),
})
