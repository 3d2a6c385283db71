/** What the list opens, with its forms and schemas, and what it says where nothing was found: not part of the first screen, loaded once it is idle. */
import { lazy, useEffect } from 'react'

const filterSheet = () => import('./filter-sheet.tsx')
const entrySheet = () => import('./entry-sheet.tsx')
const pickList = () => import('./pick-list.tsx')
const nothingFound = () => import('./nothing-found.tsx')

export const FilterSheet = lazy(async () => ({ default: (await filterSheet()).FilterSheet }))
export const EntrySheet = lazy(async () => ({ default: (await entrySheet()).EntrySheet }))
export const PickList = lazy(async () => ({ default: (await pickList()).PickList }))
export const NothingFound = lazy(async () => ({ default: (await nothingFound()).NothingFound }))
export const ReachFailed = lazy(async () => ({ default: (await nothingFound()).ReachFailed }))

const IDLE_AFTER_MS = 2_000

/** Fetches them ahead, so that they open at once, also without a signal. @param isThere what the list shows is there */
export function usePopupsAhead(isThere: boolean): void {
  useEffect(() => {
    if (!isThere) return undefined
    const timer = setTimeout(
      () => void Promise.allSettled([filterSheet(), entrySheet(), pickList(), nothingFound()]),
      IDLE_AFTER_MS,
    )
    return () => clearTimeout(timer)
  }, [isThere])
}
