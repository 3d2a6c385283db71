/**
 * Popups of the list with their forms and schemas, and its empty state. They are not part of the first screen
 * and load when it is idle.
 */
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

/** Preloads them, so that they open at once, even offline. @param isThere true once the list's content is rendered */
export function usePopupsAhead(isThere: boolean): void {
  useEffect(() => {
    if (!isThere) return undefined
    const timer = setTimeout(
      () => void Promise.allSettled(POPUPS.map(async ({ ahead }) => ahead())),
      IDLE_AFTER_MS,
    )
    return () => clearTimeout(timer)
  }, [isThere])
}
