import { asideIds, asideRows, type AsideRow } from '#data/locked/aside-rows.ts'

/** All that lies aside of a user. */
export async function asideOf(indexedDB: IDBFactory, user: string): Promise<AsideRow[]> {
  const rows: AsideRow[] = []
  for await (const row of asideRows(indexedDB, user, await asideIds(indexedDB, user))) rows.push(row)
  return rows
}
