/** The device's database: one per user, its name from a digest of the user's id (SV4), opened after login. */
import {
  addRxPlugin,
  createRxDatabase,
  type MigrationStrategies,
  type RxCollection,
  type RxConflictHandler,
  type RxDatabase,
  type RxStorage,
} from 'rxdb/plugins/core'
import { RxDBMigrationSchemaPlugin } from 'rxdb/plugins/migration-schema'
import { rxSchemas, type CollectionName, type Records } from '#schemas/collections.ts'

export type Database = RxDatabase<{ [C in CollectionName]: RxCollection<Records[C]> }>

addRxPlugin(RxDBMigrationSchemaPlugin)

/** The collections as one version of the app has them, and how each came to be so: a step for every version after 0. */
export interface Layout {
  schemas: typeof rxSchemas
  migrations: { [C in CollectionName]?: MigrationStrategies }
}

/** A step keeps `changes`, and every row of the ledger: the queue outlives each version (sync RULES SV3). */
const LAYOUT: Layout = { schemas: rxSchemas, migrations: {} }

export interface OpenDatabase {
  name: string
  storage: RxStorage<unknown, unknown>
  /** Conflict handlers by collection: the sync module's. */
  conflictHandlers: { [C in CollectionName]?: RxConflictHandler<Records[C]> }
  multiInstance: boolean
  /** Another version's, for tests. */
  layout?: Layout
}

/** @returns the database's name for a user: nothing of one user is visible to the next */
export async function databaseName(userId: string): Promise<string> {
  const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(userId))
  const hex = Array.from(new Uint8Array(bytes).slice(0, 8), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
  return `genba-${hex}`
}

export async function openDatabase(options: OpenDatabase): Promise<Database> {
  const { name, storage, conflictHandlers, multiInstance, layout = LAYOUT } = options
  const db = await createRxDatabase<{ [C in CollectionName]: RxCollection<Records[C]> }>({
    name,
    storage,
    multiInstance,
    eventReduce: true,
  })
  const names = Object.keys(layout.schemas) as CollectionName[]
  const definitions = names.map((collection) => [
    collection,
    {
      schema: layout.schemas[collection],
      conflictHandler: conflictHandlers[collection],
      migrationStrategies: layout.migrations[collection] ?? {},
    },
  ])
  await db.addCollections(Object.fromEntries(definitions))
  return db
}
