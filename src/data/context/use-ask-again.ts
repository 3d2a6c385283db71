import { useServices, useUserData } from '#data/context/app-context.tsx'
import { askAgain } from '#data/fetch-requests/interests.ts'

/** 再読み込み: what the CRM could not give is asked for anew. */
export function useAskAgain(): () => void {
  const { clock } = useServices()
  const data = useUserData()
  return () => data && void askAgain(data.db, clock.now())
}
