/** The code of 依頼検索 that the first screen does not need. It is loaded once the first screen is idle. */
import { useEffect } from 'react'
import { lazyCode } from '#ui/base/lazy-code.ts'

const nothingFound = () => import('#features/request/search/nothing-found.tsx')

export const LazyFilterSheet = lazyCode(
  async () => (await import('#features/request/search/filter-sheet.tsx')).FilterSheet,
)
export const LazyEntrySheet = lazyCode(
  async () => (await import('#features/request/entry/entry-sheet.tsx')).EntrySheet,
)
export const LazyPickList = lazyCode(async () => (await import('./pick-list.tsx')).PickList)
export const LazyNothingFound = lazyCode(async () => (await nothingFound()).NothingFound)
export const LazyReachFailed = lazyCode(async () => (await nothingFound()).ReachFailed)

const POPUPS = [LazyFilterSheet, LazyEntrySheet, LazyPickList, LazyNothingFound, LazyReachFailed]

const IDLE_AFTER_MS = 2_000

/** Preloads the code once the list has its content, so that popups open at once, even offline. */
export function usePopupsAhead(isRendered: boolean): void {
  useEffect(() => {
    if (!isRendered) return undefined
    const timer = setTimeout(
      () => void Promise.allSettled(POPUPS.map(async ({ ahead }) => ahead())),
      IDLE_AFTER_MS,
    )
    return () => clearTimeout(timer)
  }, [isRendered])
}
