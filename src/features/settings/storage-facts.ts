import { useEffect, useState } from 'react'
import { map } from 'rxjs'
import { useUserData } from '#data/context/app-context.tsx'
import type { Database } from '#data/database/database.ts'
import { visitList$ } from '#data/visits/visits.ts'
import { readStorageFacts, type StorageFacts } from '#lib/browser/storage-full.ts'

export interface DeviceFacts extends StorageFacts {
  /** Bytes of photos that have been uploaded. */
  sentPhotos: number
}

/** The facts on a browser that reports nothing about its storage. */
export const UNKNOWN_FACTS: DeviceFacts = { used: null, free: null, persisted: null, sentPhotos: 0 }

/**
 * Returns the facts about this device's storage; null until they are read.
 * @param version the facts are read again when it changes
 */
export function useStorageFacts(version: unknown): DeviceFacts | null {
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
  }, [version, bytes])
  return facts
}

export interface StoredRequests {
  count: number
  /** Number of requests with the mark オフラインで使えます (sync RULES PL4). */
  whole: number
  /** Time of the CRM's last confirmation of any of these requests, ISO 8601; null if there was none. */
  confirmedAt: string | null
}

/** Emits how many requests are on the device, and when the CRM confirmed them. */
export const storedRequests$ = (db: Database) =>
  visitList$(db).pipe(
    map(({ rows, isUsable }): StoredRequests => ({
      count: rows.length,
      whole: rows.filter(isUsable).length,
      confirmedAt: rows.reduce((last, row) => (row.confirmedAt > last ? row.confirmedAt : last), '') || null,
    })),
  )
