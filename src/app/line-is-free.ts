/**
 * On a first visit nothing is on the device, and all that comes later (the worker's copy of the app, the code of the other
 * screens) would take the line from the first list (decision 0106). It begins once the list stands.
 */
import type { UserData, ValueStore } from '#data/app-context.tsx'
import { visitListQuery } from '#data/first-queries.ts'

/** Longer than the pause between two pages of a first login: the line is not free before the last page. */
const STILL_MS = 1_000
/** By then the rest begins anyway: nobody logs in, there are no requests, or the line is very weak. */
const LONGEST_MS = 30_000

/** @param drawn the first screen stands */
export function lineIsFree(userData: ValueStore<UserData | null>, drawn: Promise<void>): Promise<void> {
  const late = drawn.then(() => new Promise<void>((resolve) => setTimeout(resolve, LONGEST_MS)))
  return Promise.race([listStands(userData), late])
}

/** Rows are there, and no more of them have come for a while. */
function listStands(userData: ValueStore<UserData | null>): Promise<void> {
  return new Promise((resolve) => {
    let leave = () => undefined as void
    let still: ReturnType<typeof setTimeout> | undefined
    const follow = () => {
      leave()
      const live = userData.get()?.live
      const list = live?.store(visitListQuery.key, visitListQuery.query)
      if (!list) return void (leave = () => undefined)
      const look = () => {
        clearTimeout(still)
        if ((list.get()?.rows.length ?? 0) > 0) still = setTimeout(end, STILL_MS)
      }
      const unsubscribe = list.subscribe(look)
      leave = () => {
        clearTimeout(still)
        unsubscribe()
      }
      look()
    }
    const stop = userData.subscribe(follow)
    const end = () => {
      stop()
      leave()
      resolve()
    }
    follow()
  })
}
