/**
 * The RxDB database of a user, which opens after login. Its name contains a hash of the user's id and of the CRM (SV4).
 */
import { createRxDatabase, type RxCollection, type RxDatabase, type RxStorage } from 'rxdb/plugins/core'
import { rxSchemas, type CollectionName, type Records } from '#schemas/collections/collections.ts'
import { kindsOf, type SharedKinds } from './shared-kinds.ts'

type Collections = { [C in CollectionName]: RxCollection<Records[C]> }
/** All collections, and the kinds of records that share a collection (`kindsOf`). */
export type Database = RxDatabase<Collections> & SharedKinds

export interface OpenDatabase {
  name: string
  storage: RxStorage<unknown, unknown>
  multiInstance: boolean
  schemas?: typeof rxSchemas
}

/** Opens stores that already have this version's schemas (`open-stores.ts` checks this). Never migrates. */
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
    // RxDB does not migrate, because a failure would leave a mix of two versions (decisions/updates).
    { schema: schemas[collection], autoMigrate: false },
  ])
  try {
    await db.addCollections(Object.fromEntries(definitions))
  } catch (error) {
    await db.close()
    throw error
  }
  return Object.assign(db, kindsOf(db))
}
