/**
 * Migrates the device's stores in the service worker of a new version, before that version takes over (decisions/updates).
 * So no user gets an app that cannot open its stores.
 *
 *     install: every document through the steps, nothing written ─→ fails: not installed, the old version stays
 *     「更新する」: migrate under the exclusive lock ─→ fails: the old version continues with unchanged stores
 */
import { aloneWithData, type DataLocks } from '#data/database/data-lock.ts'
import { migrate, rehearse } from '#data/migration/migrate.ts'
import { layoutAge, storedLayout } from '#data/migration/stored-layout.ts'
import type { Layout } from '#data/migration/migration-paths.ts'
import type { CodecFor } from '#data/storage/row-codec.ts'
import { usersNamed } from '#data/database/database-name.ts'

export interface StoredData {
  indexedDB: IDBFactory
  ranges: typeof IDBKeyRange
  locks: DataLocks
  /** `navigator.storage`; missing in some browsers. */
  room: Pick<StorageManager, 'estimate'> | undefined
  layout: Layout
  durable: readonly string[]
  /** Codec of a user's rows; null if the rows are encrypted and their key is not available. */
  codecFor: (user: string) => Promise<CodecFor | null>
}

/** Compares a stored layout with the layout of this version. */
type LayoutAge = 'same' | 'older' | 'newer'

/** Room for indexes, and for writes during the migration. */
const SPARE_BYTES = 5_000_000

/** Users with stores on the device; none in Firefox before 126, which cannot list databases. There the app migrates. */
async function users({ indexedDB }: StoredData): Promise<string[]> {
  const databases = 'databases' in indexedDB ? await indexedDB.databases() : []
  return usersNamed(databases.flatMap(({ name }) => name ?? []))
}

const layoutAgeOf = async ({ indexedDB, layout }: StoredData, database: string): Promise<LayoutAge> =>
  layoutAge(await storedLayout(indexedDB, database), layout.schemas)

/** The layout of all users' stores: `newer` if any user's stores are newer, else `older` if any are older. */
export async function layoutOfAll(parts: StoredData): Promise<LayoutAge> {
  const found = await Promise.all((await users(parts)).map((database) => layoutAgeOf(parts, database)))
  return found.find((each) => each === 'newer') ?? found.find((each) => each === 'older') ?? 'same'
}

/** @throws if this version could not migrate the stores */
export async function rehearseAll(parts: StoredData): Promise<void> {
  let needed = 0
  for (const database of await users(parts)) {
    const age = await layoutAgeOf(parts, database)
    if (age === 'newer') throw new Error('the stores are of a later version')
    const codecFor = await parts.codecFor(database)
    // Locked data is migrated at its user's next login (`open-stores.ts`).
    if (age === 'older' && codecFor) needed += await rehearse({ ...parts, database, codecFor })
  }
  if (needed === 0) return
  const { quota = Infinity, usage = 0 } = (await parts.room?.estimate?.()) ?? {}
  // Text takes at most two bytes a character.
  if (quota - usage < 2 * needed + SPARE_BYTES) throw new Error('no room for a migration')
}

/**
 * Migrates the stores of every user.
 * @throws if a migration fails, or if a tab still has the stores open after `patienceMs`. Each store is then either
 * unchanged or completely migrated.
 */
export async function migrateAll(parts: StoredData, patienceMs: number): Promise<void> {
  for (const database of await users(parts)) {
    const codecFor = await parts.codecFor(database)
    if (codecFor && (await layoutAgeOf(parts, database)) === 'older')
      await aloneWithData(parts.locks, database, () => migrate({ ...parts, database, codecFor }), {
        waits: () => undefined,
        patienceMs,
      })
  }
}
