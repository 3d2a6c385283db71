import { map } from 'rxjs'
import { useLiveQuery, useServices, useUserData } from '#data/app-context.tsx'
import type { Database } from '#data/database.ts'
import { askRefresh } from '#data/interests.ts'

const refreshState$ = (db: Database) =>
  db.interests.findOne('refresh').$.pipe(map((doc) => doc?.state ?? null))

/** 今すぐ送信: asks for it, and is busy until it was answered. */
export function useRefresh() {
  const { clock } = useServices()
  const data = useUserData()
  const busy = useLiveQuery('refresh-state', refreshState$) === 'asked'
  return { busy, refresh: () => data && void askRefresh(data.db, clock.now()) }
}
