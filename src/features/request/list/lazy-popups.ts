/**
 * Popups of the list with their forms and schemas, and its empty state. They are not part of the first screen
 * and load when it is idle.
 */
import { useEffect } from 'react'
import { lazyCode } from '#ui/layout/lazy-code.ts'

const nothingFound = () => import('#features/request/search/nothing-found.tsx')

export const FilterSheet = lazyCode(
  async () => (await import('#features/request/search/filter-sheet.tsx')).FilterSheet,
)
export const EntrySheet = lazyCode(
  async () => (await import('#features/request/entry/entry-sheet.tsx')).EntrySheet,
)
export const PickList = lazyCode(async () => (await import('./pick-list.tsx')).PickList)
export const NothingFound = lazyCode(async () => (await nothingFound()).NothingFound)
export const ReachFailed = lazyCode(async () => (await nothingFound()).ReachFailed)

const POPUPS = [FilterSheet, EntrySheet, PickList, NothingFound, ReachFailed]

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
