import { lockedRowIds, readLockedRows, type LockedRow } from '#data/locked/locked-rows.ts'

/** All that lies aside of a user. */
export async function asideOf(indexedDB: IDBFactory, user: string): Promise<LockedRow[]> {
  const rows: LockedRow[] = []
  for await (const row of readLockedRows(indexedDB, user, await lockedRowIds(indexedDB, user))) rows.push(row)
  return rows
}
