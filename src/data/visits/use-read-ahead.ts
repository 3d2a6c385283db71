import { useUserData } from '#data/context/app-context.tsx'
import { requestVisitsQuery } from '#data/visits/first-queries.ts'

/** Reads a request while the finger that opens it is still on the glass. */
export function useReadAhead(): (requestId: string) => void {
  const data = useUserData()
  return (requestId) => {
    const { key, query } = requestVisitsQuery(requestId)
    data?.live.store(key, query).subscribe(() => undefined)()
  }
}
