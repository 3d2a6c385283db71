/** Finds the collections that need a migration, the versions in between, and the stores that must be copied. */
import type { Step, Steps, StoredDocument } from '#schemas/migrations/step.ts'
import { resultsOf } from '#data/storage/idb.ts'
import {
  INTERNAL_DOCS,
  LAYOUT_ROW,
  layoutOf,
  rowOf,
  rowOfCollection,
  storeName,
  type LayoutRow,
} from './stored-layout.ts'

export interface Layout {
  schemas: Readonly<Record<string, MovedSchema & { readonly version: number }>>
  migrations: Steps
}

export type Row = Record<string, unknown>

/** Returns the collections to migrate, and the stored row that names the valid versions (`LayoutRow`). */
export async function migrationPaths(
  internal: IDBDatabase,
  { layout, durable }: { layout: Layout; durable: readonly string[] },
) {
  const docs = internal.transaction(INTERNAL_DOCS).objectStore(INTERNAL_DOCS)
  const requests = [docs.getAllKeys(), docs.getAll(), docs.get(LAYOUT_ROW)] as const
  const [keys, stored, layoutRow] = await resultsOf(requests)
  const row = rowOf(layoutRow)
  const { versions } = layoutOf(keys.map(String), row)
  const paths = Object.keys(layout.schemas).flatMap((name) =>
    pathOf(layout, durable, name, versions.get(name)),
  )
  return { paths, row: { ...row, connected: { ...row.connected, ...connectedIn(stored as Row[], paths) } } }
}

function pathOf(
  { schemas, migrations }: Layout,
  durable: readonly string[],
  collection: string,
  from: number | undefined,
): MigrationPath[] {
  const schema = schemas[collection]
  if (!schema || from === undefined || from >= schema.version) return []
  const steps = Array.from({ length: schema.version - from }, (_, i) => {
    const version = from + i + 1
    const ownSteps = Reflect.get(migrations, collection) as Record<number, Step> | undefined
    return { version: `${version}`, step: ownSteps?.[version] }
  })
  const isDurable = durable.includes(collection)
  return [{ collection, from, to: schema.version, schema, steps, isDurable }]
}

/**
 * Returns each collection's replication stores from RxDB's own rows. `LayoutRow` keeps them, as RxDB rewrites its
 * rows.
 */
function connectedIn(stored: readonly Row[], paths: readonly MigrationPath[]): LayoutRow['connected'] {
  const connected = paths.flatMap(({ collection, from }) => {
    const row = stored.find(({ id }) => id === rowOfCollection(collection, from))
    const { connectedStorages = [] } = (row?.['data'] ?? {}) as {
      connectedStorages?: { collectionName: string }[]
    }
    const names = connectedStorages.map(({ collectionName }) => collectionName)
    return names.length > 0 ? [[collection, names] as const] : []
  })
  return Object.fromEntries(connected)
}

/** Returns the stores of a collection to copy: its records and its replication metadata. */
export const storesOf = (database: string, path: MigrationPath, { connected }: LayoutRow) => [
  {
    from: storeName(database, path.from, path.collection),
    to: storeName(database, path.to, path.collection),
    primaryKey: path.schema.primaryKey,
    indexes: path.schema.indexes,
    move: (row: Row) => movedRow(row, path),
  },
  ...(connected[path.collection] ?? []).map((name) => ({
    from: storeName(database, path.from, name),
    to: storeName(database, path.to, name),
    primaryKey: 'id',
    indexes: [],
    move: (row: Row) => movedKnown(row, path),
  })),
]

/** Returns the databases that are unused once the new stores are valid. */
export const leftBy = (database: string, { collection, from }: MigrationPath, { connected }: LayoutRow) =>
  [collection, ...(connected[collection] ?? [])].map((name) => storeName(database, from, name))

export interface MovedSchema {
  readonly primaryKey: string
  readonly properties: Readonly<Record<string, unknown>>
  readonly indexes: readonly (string | readonly string[])[]
}

export interface MigrationPath {
  collection: string
  from: number
  to: number
  schema: MovedSchema
  steps: readonly { version: string; step: Step | undefined }[]
  /** True if the collection can contain data that the CRM lacks. */
  isDurable: boolean
}

const RXDB_FIELDS = ['_deleted', '_meta', '_rev', '_attachments'] as const

/** Converts a document as RxDB stores it; null if a step drops it. @throws if a check fails */
function movedRow(row: StoredDocument, path: MigrationPath): StoredDocument | null {
  const document = steppedOf(row, path)
  if (document === null) {
    if (path.isDurable) throw new LostByStep(path, 'drops a document')
    return null
  }
  checkIndexes(document, path)
  if (queueOf(document) !== queueOf(row)) throw new LostByStep(path, 'changes the queue')
  return document
}

/** Converts replication metadata, which contains the last known document of the CRM. */
function movedKnown(row: StoredDocument, path: MigrationPath): StoredDocument | null {
  const { docData } = row
  if (row['isCheckpoint'] === '1' || !isDocument(docData)) return row
  const document = steppedOf(docData, path)
  return document && { ...row, docData: document }
}

function steppedOf(row: StoredDocument, path: MigrationPath): StoredDocument | null {
  const rxdbFields = Object.fromEntries(
    RXDB_FIELDS.filter((name) => name in row).map((name) => [name, row[name]]),
  )
  let document: StoredDocument | null = { ...row }
  for (const name of RXDB_FIELDS) delete document[name]
  for (const { version, step } of path.steps) {
    if (!document) return null
    if (!step) throw new LostByStep(path, `has no step to version ${version}`)
    document = step(document)
  }
  const { primaryKey } = path.schema
  if (document && document[primaryKey] !== row[primaryKey]) throw new LostByStep(path, 'changes a key')
  return document && { ...document, ...rxdbFields }
}

const QUEUED = ['unsent', 'state', 'stamp', 'kind', 'resource', 'recordKey'] as const

const queueOf = (document: StoredDocument): string =>
  JSON.stringify(QUEUED.map((name) => document[name] ?? null))

function checkIndexes(document: StoredDocument, path: MigrationPath): void {
  const { primaryKey, indexes, properties } = path.schema
  for (const field of new Set([primaryKey, ...indexes.flat()])) {
    const value = document[field]
    const property = properties[field]
    const maxLength: unknown = isDocument(property) ? property['maxLength'] : undefined
    if (typeof value !== 'string' || (typeof maxLength === 'number' && value.length > maxLength))
      throw new LostByStep(path, `leaves ${field} unfit for its index`)
  }
}

const isDocument = (value: unknown): value is StoredDocument => typeof value === 'object' && value !== null

/** A step would lose data. The message has no content of the document, because it goes to the error log (EX7). */
class LostByStep extends Error {
  constructor({ collection, from, to }: MigrationPath, what: string) {
    super(`migration of ${collection} from version ${from} to ${to} ${what}`)
    this.name = 'LostByStep'
  }
}
