import { useUserData } from '#data/context/app-context.tsx'
import { requestVisitsQuery } from '#data/visits/first-queries.ts'

/** Starts reading a request when a finger touches its row, before the screen opens. */
export function useReadAhead(): (requestId: string) => void {
  const data = useUserData()
  return (requestId) => {
    const { key, query } = requestVisitsQuery(requestId)
    data?.live.store(key, query).subscribe(() => undefined)()
  }
}
