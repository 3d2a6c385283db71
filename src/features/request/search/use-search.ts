/** 依頼検索 as a hook: what is chosen, what the device answers, and whether the CRM is asked for more. */
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { RequestFilter } from '#schemas/request-filter.ts'
import { useServices, useUserData, useValue, useSession } from '#data/app-context.tsx'
import { useMinute, useWallMinute } from '#data/use-now.ts'
import { loadUntilThere } from '#lib/browser/missing-code.ts'
import { tokyoToday } from '#lib/time/tokyo-time.ts'
import { carriedInto, DEFAULT_CHOICE, filterOf, goesBeyondDevice, type FilterChoice } from './filter.ts'
import { useDays } from './use-days.ts'
import { useReach } from './use-reach.ts'
import { isSame } from '#lib/is-same.ts'
import { keptJson } from '#lib/browser/kept-json.ts'
import { useRefresh } from '#data/use-refresh.ts'

export function useSearch() {
  const now = useMinute()
  const today = tokyoToday(now)
  const [choice, setChoice] = useFilterChoice()
  const filter = useMemo(() => filterOf(choice, today), [choice, today])
  const carried = carriedInto(choice, now)
  const isUsual = isSame(filter, filterOf(DEFAULT_CHOICE, today))
  const wall = useWallMinute()
  const { list, days } = useDays({ filter, carried, wall })
  const ask = useAsk()
  const reach = useReach(filter, today)
  return {
    today,
    choice,
    filter,
    isUsual,
    /** The day whose unfinished visits are shown besides, null in the afternoon. */
    carried,
    /** The device holds no request at all. */
    nothingYet: list?.isWhole === true && list.rows.length === 0,
    list,
    days,
    reach,
    /** Searches: the device answers at once, the CRM when it may know more. */
    search: (next: FilterChoice) => {
      setChoice(next)
      const wanted = filterOf(next, today)
      ask(goesBeyondDevice(wanted, today) ? wanted : null)
    },
  }
}

/** Asks the CRM, once the user's data is open; null: for nothing any more. */
function useAsk(): (wanted: RequestFilter | null) => void {
  const { clock } = useServices()
  const data = useUserData()
  const waiting = useRef<RequestFilter | null>(null)
  const send = useCallback(() => {
    const wanted = waiting.current
    if (!data || !wanted) return
    void loadUntilThere(() => import('#data/interests.ts')).then(({ askSearch }) => {
      // something else was searched for meanwhile, or it was asked
      if (waiting.current !== wanted) return
      waiting.current = null
      return askSearch(data.db, clock.now(), wanted)
    })
  }, [data, clock])
  useEffect(send, [send])
  return (wanted) => {
    waiting.current = wanted
    send()
  }
}

/** What was chosen in this tab; the usual choice where nothing, or nothing readable, is kept. */
export const readChoice = (text: string | null): FilterChoice => keptJson(text, DEFAULT_CHOICE)

/** The conditions of 依頼検索, kept for this tab. */
function useFilterChoice(): [FilterChoice, (choice: FilterChoice) => void] {
  const store = useServices().memory.store('request-filter')
  const text = useValue(store)
  const choice = useMemo(() => readChoice(text), [text])
  return [choice, (next) => store.set(JSON.stringify(next))]
}

/** After a session timeout: with a new login, and back in the window, it is searched again (spec 4). */
export function useSearchAfterTimeout(search: () => void): void {
  const expired = useSession()?.expired === true
  const { refresh } = useRefresh()
  const [isDue, setDue] = useState(expired)
  if (expired && !isDue) setDue(true)
  useEffect(() => {
    if (expired || !isDue) return undefined
    const look = () => {
      if (!document.hasFocus()) return
      setDue(false)
      search()
      refresh()
    }
    look()
    window.addEventListener('focus', look)
    return () => window.removeEventListener('focus', look)
  }, [expired, isDue, search, refresh])
}
