/** The device's database: one per user, its name from digests of the user's id and the CRM's (SV4), opened after login. */
import { createRxDatabase, type RxCollection, type RxDatabase, type RxStorage } from 'rxdb/plugins/core'
import { rxSchemas, type CollectionName, type Records } from '#schemas/collections/collections.ts'
import { kindsOf, type SharedKinds } from './shared-kinds.ts'

type Collections = { [C in CollectionName]: RxCollection<Records[C]> }
export type Database = RxDatabase<Collections> & SharedKinds

export interface OpenDatabase {
  name: string
  storage: RxStorage<unknown, unknown>
  multiInstance: boolean
  /** Another version's, for tests. */
  schemas?: typeof rxSchemas
}

/** Opens stores that are of this version (`open-stores.ts` makes sure of it): nothing is migrated here. */
export async function openDatabase(options: OpenDatabase): Promise<Database> {
  const { name, storage, multiInstance, schemas = rxSchemas } = options
  const db = await createRxDatabase<Collections>({
    name,
    storage,
    multiInstance,
    eventReduce: true,
  })
  const names = Object.keys(schemas) as CollectionName[]
  const definitions = names.map((collection) => [
    collection,
    // RxDB's own migration leaves neither version whole where one collection fails (decisions/updates)
    { schema: schemas[collection], autoMigrate: false },
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
