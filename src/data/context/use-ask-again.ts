import { useServices, useUserData } from '#data/context/app-context.tsx'
import { askAgain } from '#data/fetch-requests/interests.ts'

/** Returns the action of 再読み込み: repeats all failed fetch requests. */
export function useAskAgain(): () => void {
  const { clock } = useServices()
  const data = useUserData()
  return () => data && void askAgain(data.db, clock.now())
}
