/** The state of 依頼検索: the chosen conditions, the device's results, and whether the CRM is being searched. */
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { RequestFilter } from '#schemas/device/interest.ts'
import { useServices, useUserData, useValue, useSession } from '#data/context/app-context.tsx'
import { useMinute, useWallMinute } from '#data/context/use-now.ts'
import { loadUntilThere } from '#lib/browser/missing-code.ts'
import { tokyoToday } from '#lib/time/tokyo-time.ts'
import { carriedInto, DEFAULT_CHOICE, filterOf, goesBeyondDevice, type FilterChoice } from './filter.ts'
import { CHOICE, readChoice } from './choice.ts'
import { useDays } from './use-days.ts'
import { useReach } from './use-reach.ts'
import { isSameJson } from '#lib/is-same.ts'
import { useRefresh } from '#data/context/use-refresh.ts'

export function useSearch() {
  // `now`, which is corrected by the CRM's clock, decides which days are searched. `deviceNow` decides the age of rows,
  // because `confirmedAt` of a row is a time of the device's own clock.
  const now = useMinute()
  const deviceNow = useWallMinute()
  const today = tokyoToday(now)
  const [choice, setChoice] = useFilterChoice()
  const filter = useMemo(() => filterOf(choice, today), [choice, today])
  const carried = carriedInto(choice, now)
  const isUsual = isSameJson(filter, filterOf(DEFAULT_CHOICE, today))
  const { list, days } = useDays({ filter, carried, wall: deviceNow })
  const ask = useAsk()
  const reach = useReach(filter, today)
  return {
    today,
    choice,
    filter,
    /** True if the conditions are the default conditions. 条件をクリア is then useless. */
    isUsual,
    /** Yesterday's date (`YYYY-MM-DD`) if yesterday's unfinished visits are also shown (`carriedInto`); otherwise null. */
    carried,
    /** True if the device has no requests at all. */
    nothingYet: list?.isWhole === true && list.rows.length === 0,
    list,
    days,
    reach,
    /** Searches the device at once, and also the CRM if it may have more results. */
    search: (next: FilterChoice) => {
      setChoice(next)
      const pendingFilter = filterOf(next, today)
      ask(goesBeyondDevice(pendingFilter, today) ? pendingFilter : null)
    },
  }
}

/** Returns a function that sends a search to the CRM once the user's data is open. Null cancels a waiting search. */
function useAsk(): (pendingFilter: RequestFilter | null) => void {
  const { clock } = useServices()
  const data = useUserData()
  const waiting = useRef<RequestFilter | null>(null)
  const send = useCallback(() => {
    const pendingFilter = waiting.current
    if (!data || !pendingFilter) return
    void loadUntilThere(() => import('#data/fetch-requests/interests.ts')).then(({ askSearch }) => {
      if (waiting.current !== pendingFilter) return
      waiting.current = null
      return askSearch(data.db, clock.now(), pendingFilter)
    })
  }, [data, clock])
  useEffect(send, [send])
  return (pendingFilter) => {
    waiting.current = pendingFilter
    send()
  }
}

/** Returns the conditions of 依頼検索, stored per tab, and a function that changes them. */
function useFilterChoice(): [FilterChoice, (choice: FilterChoice) => void] {
  const store = useServices().memory.store(CHOICE)
  const text = useValue(store)
  const choice = useMemo(() => readChoice(text), [text])
  return [choice, (next) => store.set(JSON.stringify(next))]
}

/** Repeats the search after the user has logged in again following a session timeout (spec 4). */
export function useSearchAfterTimeout(search: () => void): void {
  const expired = useSession()?.expired === true
  const { refresh } = useRefresh()
  const [isDue, setDue] = useState(expired)
  if (expired && !isDue) setDue(true)
  useEffect(() => {
    if (expired || !isDue) return undefined
    const searchIfFocused = () => {
      if (!document.hasFocus()) return
      setDue(false)
      search()
      refresh()
    }
    searchIfFocused()
    window.addEventListener('focus', searchIfFocused)
    return () => window.removeEventListener('focus', searchIfFocused)
  }, [expired, isDue, search, refresh])
}
