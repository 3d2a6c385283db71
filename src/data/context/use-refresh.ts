import { useState } from 'react'
import { useLiveQuery, useServices, useUserData } from './app-context.tsx'
import type { Database } from '#data/database/database.ts'
import { askRefresh, interest$, REFRESH_INTEREST, askAgain } from '#data/fetch-requests/interests.ts'

const refresh$ = (db: Database) => interest$(db, REFRESH_INTEREST)

/**
 * The actions 今すぐ送信 and データを今すぐ更新. `busy`: the CRM has not answered yet. `answeredAt`: ISO 8601 time of the answer to
 * the last press on this screen; '' without such an answer.
 */
export function useRefresh() {
  const { clock } = useServices()
  const data = useUserData()
  const interest = useLiveQuery('refresh', refresh$)
  const [pressedAt, setPressedAt] = useState(Infinity)
  const state = interest?.state
  const isOwn = interest ? Date.parse(interest.askedAt) >= pressedAt : false
  return {
    busy: state === 'asked',
    failed: state === 'failed',
    answeredAt: isOwn && state === 'answered' ? (interest?.answeredAt ?? '') : '',
    refresh() {
      if (!data) return
      const now = clock.now()
      setPressedAt(now)
      void askRefresh(data.db, now)
    },
  }
}

/** Returns the action of 再読み込み, which repeats all failed fetch requests. */
export function useAskAgain(): () => void {
  const { clock } = useServices()
  const data = useUserData()
  return () => data && void askAgain(data.db, clock.now())
}
