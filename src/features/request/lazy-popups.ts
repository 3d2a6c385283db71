/** The popups of the list with their forms and schemas: not part of the first screen, loaded once it is idle. */
import { lazy, useEffect } from 'react'

const filterSheet = () => import('./filter-sheet.tsx')
const entrySheet = () => import('./entry-sheet.tsx')

export const FilterSheet = lazy(async () => ({ default: (await filterSheet()).FilterSheet }))
export const EntrySheet = lazy(async () => ({ default: (await entrySheet()).EntrySheet }))

const IDLE_AFTER_MS = 2_000

/** Fetches the popups ahead, so that they open at once, also without a signal. */
export function usePopupsAhead(): void {
  useEffect(() => {
    const timer = setTimeout(() => void Promise.allSettled([filterSheet(), entrySheet()]), IDLE_AFTER_MS)
    return () => clearTimeout(timer)
  }, [])
}
