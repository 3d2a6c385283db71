/**
 * Migrates the stores in the service worker of a new version, before that version takes over (decisions/updates), so
 * that no user gets an app that cannot open its stores.
 *
 *     install: all documents are converted, nothing is written ─→ fails: not installed, the old version stays
 *     「更新する」: migrate under the exclusive lock ─→ fails: the old version continues with unchanged stores
 */
import { aloneWithData, type DataLocks } from '#data/database/data-lock.ts'
import { migrate, rehearse, type Layout } from '#data/migration/migrate.ts'
import { layoutAge, storedLayout } from '#data/migration/stored-layout.ts'
import type { CodecFor } from '#data/storage/docs-table.ts'
import { storesNamed, usersNamed } from '#data/database/database-name.ts'

export interface StoredData {
  indexedDB: IDBFactory
  ranges: typeof IDBKeyRange
  locks: DataLocks
  room: Pick<StorageManager, 'estimate'> | undefined
  layout: Layout
  durable: readonly string[]
  codecFor: (stores: string) => Promise<CodecFor | null>
}

type LayoutAge = 'same' | 'older' | 'newer'

/** Additional free space for indexes and for writes during the migration. */
const SPARE_BYTES = 5_000_000

/** Returns the names of all users' stores, also of locked data; [] in Firefox before 126, which cannot list databases. */
async function allStores({ indexedDB }: StoredData): Promise<string[]> {
  const databases = 'databases' in indexedDB ? await indexedDB.databases() : []
  const names = databases.flatMap(({ name }) => name ?? [])
  return usersNamed(names).flatMap((user) => storesNamed(names, user))
}

const layoutAgeOf = async ({ indexedDB, layout }: StoredData, database: string): Promise<LayoutAge> =>
  layoutAge(await storedLayout(indexedDB, database), layout.schemas)

/** Returns `newer` if any user's stores are newer, otherwise `older` if any are older. */
export async function layoutOfAll(parts: StoredData): Promise<LayoutAge> {
  const found = await Promise.all((await allStores(parts)).map((database) => layoutAgeOf(parts, database)))
  return found.find((each) => each === 'newer') ?? found.find((each) => each === 'older') ?? 'same'
}

/** Converts all stores without writing. @throws if this version could not migrate them */
export async function rehearseAll(parts: StoredData): Promise<void> {
  let needed = 0
  for (const database of await allStores(parts)) {
    const age = await layoutAgeOf(parts, database)
    if (age === 'newer') throw new Error('the stores are of a later version')
    const codecFor = await parts.codecFor(database)
    // Stores whose key is not available are migrated at their user's next login (`open-stores.ts`).
    if (age === 'older' && codecFor) needed += await rehearse({ ...parts, database, codecFor })
  }
  if (needed === 0) return
  const { quota = Infinity, usage = 0 } = (await parts.room?.estimate?.()) ?? {}
  // The browser needs at most two bytes for a character of the JSON text.
  if (quota - usage < 2 * needed + SPARE_BYTES) throw new Error('no room for a migration')
}

/** Migrates every user's stores, each wholly or not at all. @throws also if a tab has them open after `patienceMs` */
export async function migrateAll(parts: StoredData, patienceMs: number): Promise<void> {
  for (const database of await allStores(parts)) {
    const codecFor = await parts.codecFor(database)
    if (codecFor && (await layoutAgeOf(parts, database)) === 'older')
      await aloneWithData(parts.locks, database, () => migrate({ ...parts, database, codecFor }), {
        waits: () => undefined,
        patienceMs,
      })
  }
}
