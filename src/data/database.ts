/** The device's database: one per user, its name from digests of the user's id and the CRM's (SV4), opened after login. */
import {
  createRxDatabase,
  type RxCollection,
  type RxConflictHandler,
  type RxDatabase,
  type RxStorage,
} from 'rxdb/plugins/core'
import { rxSchemas, type CollectionName, type Records } from '#schemas/collections.ts'
import { kindsOf, type SharedKinds } from './shared-kinds.ts'

type Collections = { [C in CollectionName]: RxCollection<Records[C]> }
export type Database = RxDatabase<Collections> & SharedKinds

export interface OpenDatabase {
  name: string
  storage: RxStorage<unknown, unknown>
  /** Conflict handlers by collection: the sync module's. */
  conflictHandlers: { [C in CollectionName]?: RxConflictHandler<Records[C]> }
  multiInstance: boolean
  /** Another version's, for tests. */
  schemas?: typeof rxSchemas
}

/**
 * @param scope of the CRM whose user it is (`crm-scope.ts`)
 * @returns the database's name for a user: nothing of one user is visible to the next, nor under another CRM
 */
export async function databaseName(userId: string, scope: string): Promise<string> {
  return `genba-${await digest(userId)}${await crmPart(scope)}`
}

/** @returns what the names of this CRM's databases end with */
const crmPart = async (scope: string): Promise<string> => (scope === '' ? '' : digest(scope))

async function digest(text: string): Promise<string> {
  const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return Array.from(new Uint8Array(bytes).slice(0, 8), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Opens stores that are of this version (`open-stores.ts` makes sure of it): nothing is migrated here. */
export async function openDatabase(options: OpenDatabase): Promise<Database> {
  const { name, storage, conflictHandlers, multiInstance, schemas = rxSchemas } = options
  const db = await createRxDatabase<Collections>({
    name,
    storage,
    multiInstance,
    eventReduce: true,
  })
  const names = Object.keys(schemas) as CollectionName[]
  const definitions = names.map((collection) => [
    collection,
    // RxDB's own migration leaves neither version whole where one collection fails (decision 0060)
    { schema: schemas[collection], conflictHandler: conflictHandlers[collection], autoMigrate: false },
  ])
  try {
    await db.addCollections(Object.fromEntries(definitions))
  } catch (error) {
    // left open, its name would be taken, and no second try could open it
    await db.close()
    throw error
  }
  return Object.assign(db, kindsOf(db))
}
