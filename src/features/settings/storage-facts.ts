/** What the device keeps, and how safely. */
import { useEffect, useState } from 'react'
import { map } from 'rxjs'
import { useUserData } from '#data/app-context.tsx'
import type { Database } from '#data/database.ts'
import { visitList$ } from '#data/visits.ts'
import { readStorageFacts, type StorageFacts } from '#lib/browser/storage-facts.ts'

export interface DeviceFacts extends StorageFacts {
  /** Bytes of photos that the file store has too. */
  sentPhotos: number
}

/** Of a device that does not say. */
export const UNKNOWN_FACTS: DeviceFacts = { used: null, free: null, persisted: null, sentPhotos: 0 }

/**
 * Null until it was read.
 * @param since read anew when this changes; what was read before stands meanwhile
 */
export function useStorageFacts(since: unknown): DeviceFacts | null {
  const bytes = useUserData()?.bytes
  const [facts, setFacts] = useState<DeviceFacts | null>(null)
  useEffect(() => {
    let wanted = true
    const read = Promise.all([
      readStorageFacts(navigator.storage).catch(() => UNKNOWN_FACTS),
      bytes?.cachedBytes().catch(() => 0) ?? 0,
    ])
    void read.then(([storage, sentPhotos]) => wanted && setFacts({ ...storage, sentPhotos }))
    return () => {
      wanted = false
    }
  }, [since, bytes])
  return facts
}

export interface StoredRequests {
  count: number
  /** Those that the list marks オフラインで使えます (sync RULES PL4). */
  whole: number
  /** When the CRM last confirmed one of them, ISO 8601; null: never. */
  confirmedAt: string | null
}

export const storedRequests$ = (db: Database) =>
  visitList$(db).pipe(
    map(({ rows, isUsable }): StoredRequests => ({
      count: rows.length,
      whole: rows.filter(isUsable).length,
      confirmedAt: rows.reduce((last, row) => (row.confirmedAt > last ? row.confirmedAt : last), '') || null,
    })),
  )
