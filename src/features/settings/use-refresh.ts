import { map } from 'rxjs'
import { useLiveQuery, useServices, useUserData } from '#data/app-context.tsx'
import type { Database } from '#data/database.ts'
import { askRefresh } from '#data/interests.ts'

const refreshState$ = (db: Database) =>
  db.interests.findOne('refresh').$.pipe(map((doc) => doc?.state ?? null))

/** データを今すぐ更新: asks for it, and is busy until it was answered. */
export function useRefresh() {
  const { clock } = useServices()
  const data = useUserData()
  const state = useLiveQuery('refresh-state', refreshState$)
  return {
    busy: state === 'asked',
    failed: state === 'failed',
    refresh: () => data && void askRefresh(data.db, clock.now()),
  }
}
