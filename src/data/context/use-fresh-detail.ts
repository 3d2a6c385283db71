import { useEffect, useState } from 'react'
import type { Interest } from '#schemas/device/interest.ts'
import { useLiveQuery, useOnline, useServices, useUserData } from '#data/context/app-context.tsx'
import { askDetail, detailInterest, interest$ } from '#data/fetch-requests/interests.ts'

/** Within this time after a fetch request, coming back to the screen does not repeat it. */
const FRESH_MS = 5 * 60_000

/**
 * Requests the details of the request on the screen, when it opens and when it becomes visible again (sync
 * RULES PL5).
 * @param known true once the device was read, so that the day is final
 * @returns `asked`: an answer is on its way; `missing`: the CRM has no such request; `none`: neither
 */
export function useFreshDetail(
  id: string,
  workingDate: string,
  known: boolean,
): 'asked' | 'missing' | 'none' {
  const { clock } = useServices()
  const db = useUserData()?.db
  const online = useOnline()
  const [since] = useState(() => new Date(clock.now()).toISOString())
  const [day, setDay] = useState<string | null>(null)
  if (known && day === null) setDay(workingDate)
  const key = detailInterest(id, day ?? workingDate)
  const interest = useLiveQuery(`interest ${key}`, (from) => interest$(from, key))
  useEffect(() => {
    if (!db || !online || day === null) return undefined
    let askedAt = clock.now()
    void askDetail(db, askedAt, id, day)
    const again = () => {
      if (document.visibilityState !== 'visible' || clock.now() - askedAt < FRESH_MS) return
      askedAt = clock.now()
      void askDetail(db, askedAt, id, day)
    }
    document.addEventListener('visibilitychange', again)
    return () => document.removeEventListener('visibilitychange', again)
  }, [db, online, clock, id, day])
  return fetchStateOf(interest, since, online)
}

/**
 * State of the fetch request since the screen opened. An answer with content counts as on its way until the
 * content is on the device.
 */
export function fetchStateOf(
  interest: Interest | null | undefined,
  since: string,
  online: boolean,
): 'asked' | 'missing' | 'none' {
  if (!online) return 'none'
  if (!interest || interest.state === 'asked' || interest.askedAt < since) return 'asked'
  if (interest.state === 'missing') return 'missing'
  return interest.state === 'answered' && interest.total > 0 ? 'asked' : 'none'
}
