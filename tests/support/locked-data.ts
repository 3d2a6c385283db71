/** What lies under an earlier password, and what takes it over. */
import { IDBKeyRange } from 'fake-indexeddb'
import { allLocked, type LockedRow } from '#data/locked/locked-rows.ts'
import type { TakeOver } from '#data/locked/take-over.ts'
import { openPhotoBytes } from '#data/photos/photo-bytes.ts'
import type { Device, Phone } from './device.ts'

/** All that lies in these stores. */
export async function lockedOf(indexedDB: IDBFactory, stores: string): Promise<LockedRow[]> {
  const rows: LockedRow[] = []
  for await (const row of allLocked(indexedDB, [stores])) rows.push(row)
  return rows
}

/** What a device of this phone takes it over with. */
export function takingOver(
  { storage: { indexedDB } }: Pick<Phone, 'storage'>,
  { db, bytes, saver }: Device,
  report: (problem: unknown) => void,
): TakeOver {
  const settings = { indexedDB, IDBKeyRange }
  return {
    ...{ indexedDB, ranges: IDBKeyRange, db, bytes, clock: saver().clock, report },
    openBytes: (databaseName, sealer) => openPhotoBytes({ databaseName, now: Date.now, sealer, settings }),
  }
}
