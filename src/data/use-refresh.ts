import { map } from 'rxjs'
import { useLiveQuery, useServices, useUserData } from './app-context.tsx'
import type { Database } from './database.ts'
import { askRefresh, interest$, REFRESH_INTEREST } from './interests.ts'

const refreshState$ = (db: Database) =>
  interest$(db, REFRESH_INTEREST).pipe(map((interest) => interest?.state ?? null))

/** 今すぐ送信, データを今すぐ更新: asks for it, and is busy until the CRM has answered. */
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
