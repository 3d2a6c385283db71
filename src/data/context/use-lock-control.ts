import { useEffect, useState } from 'react'
import { type LockControl, useServices } from './app-context.tsx'

/** Returns the functions that lock and unlock the screen (`LockControl`); null until their code is loaded. */
export function useLockControl(): LockControl | null {
  const { lock, errorLog } = useServices()
  const [control, setControl] = useState<LockControl | null>(null)
  useEffect(() => {
    let isWanted = true
    lock.control().then((loaded) => isWanted && setControl(() => loaded), errorLog.note)
    return () => {
      isWanted = false
    }
  }, [lock, errorLog])
  return control
}
