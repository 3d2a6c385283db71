/**
 * Opens a user's stores as this version of the app has them (decisions/updates):
 *
 *     hold with the other tabs ─→ same ───→ RxDB opens them
 *        ↑                       ├ newer ─→ NewerStores: nothing is touched
 *        └── migrate, alone ←─── older      └ fails: MigrationFailed, all as it was
 *
 * What a migration needs is loaded only where there is one.
 */
import type { Steps } from '#schemas/migrations/step.ts'
import { movedCollections, rxSchemas } from '#schemas/collections/collections.ts'
import { isStorageFull } from '#lib/browser/storage-full.ts'
import { aloneWithData, acquireDataLock, type DataLocks } from '#data/database/data-lock.ts'
import { openDatabase, type Database, type OpenDatabase } from '#data/database/database.ts'
import { answerCacheName } from '#data/http-cache/answer-cache.ts'
import { layoutAge, storedLayout } from '#data/migration/stored-layout.ts'
import type { CodecFor } from '#data/storage/row-codec.ts'

/** The collections as one version of the app has them, and how each came to be so. */
export interface Layout {
  schemas: typeof rxSchemas
  migrations: Steps
}

interface OpenStores extends Omit<OpenDatabase, 'schemas'> {
  indexedDB: IDBFactory
  ranges: typeof IDBKeyRange
  locks: DataLocks
  /** `navigator.storage`; missing in some browsers. */
  room: StorageManager | undefined
  /** Another tab still has the stores of the version before open. */
  waits: () => void
  report: (problem: string) => void
  /** How rows lie on the disk (`storage` has it, too). */
  codecFor?: CodecFor
  /** Another version's, for tests. */
  layout?: Layout
}

export interface OpenedStores {
  db: Database
  /** Gives them back to whoever wants them alone. */
  release: () => void
}

/** A later version of the app has written them. */
export class NewerStores extends Error {
  override name = 'NewerStores'
}

/** All is as it was before. */
export class MigrationFailed extends Error {
  override name = 'MigrationFailed'
}

/** Another tab may have migrated meanwhile. */
const MOST_TRIES = 3

export async function openStores(options: OpenStores): Promise<OpenedStores> {
  const { name, indexedDB, locks, layout } = options
  const schemas = layout?.schemas ?? rxSchemas
  for (let tries = 1; ; tries += 1) {
    const release = await acquireDataLock(locks, name)
    try {
      const stored = await storedLayout(indexedDB, name)
      const standing = layoutAge(stored, schemas)
      if (standing === 'newer') throw new NewerStores(`the stores of ${name} are of a later version`)
      if (standing === 'same') {
        const db = await openDatabase({ ...options, schemas })
        if (stored.leftovers.length > 0) void clearAway(options)
        return { db, release }
      }
      if (tries > MOST_TRIES) throw new MigrationFailed(`the stores of ${name} stay as they were`)
    } catch (error) {
      release()
      throw error
    }
    release()
    await aloneWithData(locks, name, () => migrateNow(options), { waits: options.waits })
  }
}

async function migrateNow(options: OpenStores): Promise<void> {
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
      // answers come again, and are the first to go
      await deleteQuietly(indexedDB, answerCacheName(database))
      return run()
    })
  } catch (error) {
    throw new MigrationFailed(`migration of ${database}: ${String(error)}`, { cause: error })
  }
}

async function clearAway({ name, indexedDB, report }: OpenStores): Promise<void> {
  try {
    const { clearLeftovers } = await import('#data/migration/migrate.ts')
    await clearLeftovers(indexedDB, name)
  } catch (error) {
    report(String(error))
  }
}

const deleteQuietly = (indexedDB: IDBFactory, name: string) =>
  new Promise<void>((resolve) => {
    const deleting = indexedDB.deleteDatabase(name)
    for (const end of ['success', 'error', 'blocked']) deleting.addEventListener(end, () => resolve())
  })
