/**
 * Opens a user's stores with the schemas of this app version (decisions/updates):
 *
 *     shared lock ─→ same version ─→ RxDB opens the stores
 *      ↑           ├ newer ─→ NewerStores, nothing is touched
 *      └── migrate ←─── older   └ fails: MigrationFailed, stores unchanged
 *          (exclusive lock)
 *
 * The code of the migration is loaded only if it is needed.
 */
import type { Steps } from '#schemas/migrations/step.ts'
import { movedCollections, rxSchemas } from '#schemas/collections/collections.ts'
import { isStorageFull } from '#lib/browser/storage-full.ts'
import { aloneWithData, acquireDataLock, type DataLocks } from '#data/database/data-lock.ts'
import { openDatabase, type Database, type OpenDatabase } from '#data/database/database.ts'
import { answerCacheName } from '#data/http-cache/answer-cache.ts'
import { deleteDatabase } from '#data/storage/idb.ts'
import { layoutAge, storedLayout } from '#data/migration/stored-layout.ts'
import type { CodecFor } from '#data/storage/docs-table.ts'

/** Schemas of an app version's collections, and the migration steps that lead to them. */
export type Layout = { schemas: typeof rxSchemas; migrations: Steps }

interface OpenStores extends Omit<OpenDatabase, 'schemas'> {
  indexedDB: IDBFactory
  ranges: typeof IDBKeyRange
  locks: DataLocks
  room: StorageManager | undefined
  /** Called if another tab has the old stores open and delays the migration. */
  waits: () => void
  report: (problem: string) => void
  /** Encodes rows on disk; must be the codec of `storage`. */
  codecFor?: CodecFor
  layout?: Layout
}

export type OpenedStores = { db: Database; release: () => void }

/** Thrown if a later version of the app has written the stores. */
export class NewerStores extends Error {
  override name = 'NewerStores'
}

/** Thrown if a migration has failed; the stores are unchanged. */
export class MigrationFailed extends Error {
  override name = 'MigrationFailed'
}

/** Maximum tries to migrate, because another tab may migrate at the same time. */
const MOST_TRIES = 3

/**
 * Opens the stores, and migrates them first if an older version has written them.
 * @throws NewerStores, MigrationFailed, or RxDB's error if the stores cannot be opened
 */
export async function openStores(options: OpenStores): Promise<OpenedStores> {
  const { name, indexedDB, locks, layout } = options
  const schemas = layout?.schemas ?? rxSchemas
  for (let tries = 1; ; tries += 1) {
    const release = await acquireDataLock(locks, name)
    try {
      const stored = await storedLayout(indexedDB, name)
      const age = layoutAge(stored, schemas)
      if (age === 'newer') throw new NewerStores(`the stores of ${name} are of a later version`)
      if (age === 'same') {
        const db = await openDatabase({ ...options, schemas })
        if (stored.row.leftovers.length > 0) void removeLeftovers(options)
        return { db, release }
      }
      if (tries > MOST_TRIES) throw new MigrationFailed(`the stores of ${name} stay as they were`)
    } catch (error) {
      release()
      throw error
    }
    release()
    await aloneWithData(locks, name, () => migrateStores(options), { waits: options.waits })
  }
}

type MigrateStores = Pick<
  OpenStores,
  'name' | 'indexedDB' | 'ranges' | 'layout' | 'report' | 'room' | 'codecFor'
>

/** Migrates stores of an older version. No tab may have them open. @throws MigrationFailed */
export async function migrateStores(options: MigrateStores): Promise<void> {
  const { name: database, indexedDB, ranges, layout, report, room, codecFor } = options
  const [{ migrate }, { steps }] = await Promise.all([
    import('#data/migration/migrate.ts'),
    import('#schemas/migrations/steps.ts'),
  ])
  const today = layout ?? { schemas: rxSchemas, migrations: steps }
  const run = () =>
    migrate({ indexedDB, ranges, database, layout: today, durable: movedCollections, codecFor })
  try {
    await run().catch(async (error: unknown) => {
      if (!(await isStorageFull(error, room))) throw error
      report(`no room to migrate: ${String(error)}`)
      // The HTTP cache is deleted to make room, because its answers can be fetched again.
      await deleteDatabase(indexedDB, answerCacheName(database)).catch(() => undefined)
      return run()
    })
  } catch (error) {
    throw new MigrationFailed(`migration of ${database}: ${String(error)}`, { cause: error })
  }
}

async function removeLeftovers({ name, indexedDB, report }: OpenStores): Promise<void> {
  try {
    const { clearLeftovers } = await import('#data/migration/migrate.ts')
    await clearLeftovers(indexedDB, name)
  } catch (error) {
    report(String(error))
  }
}
