/**
 * The state of 依頼検索. The days in question are read first, by an index, and all other requests after the first paint, so
 * the first paint depends only on the number of shown requests.
 */
import { useLingui } from '@lingui/react/macro'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { RequestFilter } from '#schemas/device/interest.ts'
import {
  useLiveQuery,
  useNamedQuery,
  useOnline,
  useServices,
  useSession,
  useUserData,
  useValue,
} from '#data/context/app-context.tsx'
import { useMinute, useWallMinute } from '#data/context/use-now.ts'
import { useRefresh } from '#data/context/use-refresh.ts'
import { searchInterestQuery, visitListQuery, visitsOfDaysQuery } from '#data/visits/first-queries.ts'
import type { DayRange } from '#data/visits/request-rows.ts'
import type { VisitList } from '#data/visits/visits.ts'
import { isSameJson } from '#lib/browser/stored-json.ts'
import { loadUntilThere } from '#lib/browser/missing-code.ts'
import { tokyoToday } from '#lib/time/tokyo-time.ts'
import { afterPaint } from '#lib/time/user-timing.ts'
import { daysOf, freshDays } from './days.ts'
import {
  carriedInto,
  CHOICE,
  DEFAULT_CHOICE,
  filterOf,
  goesBeyondDevice,
  orderFlagNames,
  readChoice,
  searchedDays,
  type FilterChoice,
} from './filter.ts'

export function useSearch() {
  // `now`, which is corrected by the CRM's clock, decides which days are searched. The age of rows is by the device's clock.
  const now = useMinute()
  const wall = useWallMinute()
  const today = tokyoToday(now)
  const stored = useServices().memory.store(CHOICE)
  const text = useValue(stored)
  const choice = useMemo(() => readChoice(text), [text])
  const filter = useMemo(() => filterOf(choice, today), [choice, today])
  const carried = carriedInto(choice, now)
  const { from, to } = filter
  const list = useList(useMemo(() => searchedDays({ from, to }, carried), [from, to, carried]))
  const days = useMemo(
    () => list && freshDays(daysOf(list, filter, carried), list.hasUnsent, wall),
    [list, filter, carried, wall],
  )
  const ask = useAsk()
  const reach = useReach(filter, today)
  // Without rows, the result is undefined until all requests of the device are read.
  const isRead = list?.isWhole || days?.length
  return {
    today,
    choice,
    filter,
    /** True if the conditions are the default conditions. 条件をクリア is then useless. */
    isUsual: isSameJson(filter, filterOf(DEFAULT_CHOICE, today)),
    /** Yesterday's date (`YYYY-MM-DD`) if yesterday's unfinished visits are also shown (`carriedInto`); otherwise null. */
    carried,
    nothingYet: list?.isWhole === true && list.rows.length === 0,
    /** The visits that the results come from. This and `days` are undefined until the database is read. */
    list: isRead ? list : undefined,
    days: isRead ? days : undefined,
    reach,
    /** Searches the device at once, and also the CRM if it may have more results. */
    search: (next: FilterChoice) => {
      stored.set(JSON.stringify(next))
      const pendingFilter = filterOf(next, today)
      ask(goesBeyondDevice(pendingFilter, today) ? pendingFilter : null)
    },
  }
}

/** Returns the visits of the searched days (null for all), and after the first paint all visits of the device. */
function useList(range: DayRange | null): VisitList | undefined {
  const [isPainted, setPainted] = useState(false)
  const allVisits = useNamedQuery(range === null || isPainted ? visitListQuery : null)
  const visitsOfDays = useNamedQuery(range === null || allVisits ? null : visitsOfDaysQuery(range))
  const isRead = visitsOfDays !== undefined
  useEffect(() => (isRead ? afterPaint(() => setPainted(true)) : undefined), [isRead])
  return allVisits ?? visitsOfDays
}

/** Returns how far a search reached. `none`: the device has all results. `device-only`: the CRM may have more. */
export function useReach(filter: RequestFilter, today: string): 'none' | 'asking' | 'device-only' | 'failed' {
  const online = useOnline()
  const latest = useLiveQuery(searchInterestQuery.key, searchInterestQuery.query)
  if (!goesBeyondDevice(filter, today)) return 'none'
  // The last search in the CRM, if it had this filter.
  const own = latest?.filter && isSameJson(latest.filter, filter) ? latest : null
  if (own?.state === 'answered') return 'none'
  if (!online || !own) return 'device-only'
  return own.state === 'asked' ? 'asking' : 'failed'
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

/** Returns the conditions other than the days as one line: 種別, 緊出のみ, then the typed texts. */
export function useConditionsText(filter: RequestFilter): string {
  const { t } = useLingui()
  const { requestCode, locationName, customerName, emergencyOnly } = filter
  const flags = orderFlagNames(filter) || (emergencyOnly ? '' : t`すべて`)
  const kinds = [flags, emergencyOnly && t`緊出のみ`].filter(Boolean).join('、')
  const others = [
    requestCode && t`依頼番号 ${requestCode}`,
    locationName && t`作業場所 ${locationName}`,
    customerName && t`契約先 ${customerName}`,
  ]
  return [t`種別 ${kinds}`, ...others].filter(Boolean).join('　')
}
