import { useEffect, useState } from 'react'
import { useLiveQuery } from '#data/app-context.tsx'
import { keptDrafts$ } from '#data/draft-list.ts'
import { outboxQuery } from '#data/first-queries.ts'

/** How long a logout waits for the device: one that cannot be read must not hold anybody. */
const LONGEST_MS = 3_000

interface LeftBehind {
  unsent: number
  drafts: number
}

const NOTHING: LeftBehind = { unsent: 0, drafts: 0 }

/** What of this user is on the device only; undefined until it was read, or cannot be. */
export function useLeftBehind(): LeftBehind | undefined {
  const unsent = useLiveQuery(outboxQuery.key, outboxQuery.query)?.unsent
  const drafts = useLiveQuery('kept drafts', keptDrafts$)?.length
  const [isLate, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), LONGEST_MS)
    return () => clearTimeout(timer)
  }, [])
  if (unsent !== undefined && drafts !== undefined) return { unsent, drafts }
  return isLate ? NOTHING : undefined
}
