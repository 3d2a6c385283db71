import { useCallback, useEffect, useState } from 'react'
import { useServices, type TelemetryFacts } from '#data/context/app-context.tsx'

/** Returns what is sent to the operator; null until it is read, and if nothing is sent. */
export function useTelemetry(): { facts: TelemetryFacts | null; reset(): Promise<void> } {
  const { telemetry } = useServices()
  const [facts, setFacts] = useState<TelemetryFacts | null>(null)
  const read = useCallback(() => telemetry.about().catch(() => null), [telemetry])
  useEffect(() => {
    let wanted = true
    void read().then((found) => wanted && setFacts(found))
    return () => {
      wanted = false
    }
  }, [read])
  return {
    facts,
    async reset() {
      await telemetry.reset()
      setFacts(await read())
    },
  }
}
