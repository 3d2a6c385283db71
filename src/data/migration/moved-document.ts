/**
 * Converts one document by its collection's migration steps, and checks the result: same key, no unsent data lost or
 * reordered, and indexed fields still valid for their indexes (sync RULES SV3, trap 11). Pure.
 */
import type { Step, StoredDocument } from '#schemas/migrations/step.ts'

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
  /** Steps in order; `step` is undefined for a version without a step. */
  steps: readonly { version: string; step: Step | undefined }[]
  /** True if the collection can contain data that the CRM lacks. */
  isDurable: boolean
}

const RXDB_FIELDS = ['_deleted', '_meta', '_rev', '_attachments'] as const

/** Converts a document; null if a step drops it. @param row as RxDB's storage stores it @throws if a check fails */
export function movedRow(row: StoredDocument, path: MigrationPath): StoredDocument | null {
  const document = steppedOf(row, path)
  if (document === null) {
    if (path.isDurable) throw new LostByStep(path, 'drops a document')
    return null
  }
  checkIndexes(document, path)
  if (queueOf(document) !== queueOf(row)) throw new LostByStep(path, 'changes the queue')
  return document
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

/** Fields that decide what is sent, and in which order. */
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

/** Error for a step that would lose data. Its message goes to the error log, so it has no content (EX7). */
class LostByStep extends Error {
  constructor({ collection, from, to }: MigrationPath, what: string) {
    super(`migration of ${collection} from version ${from} to ${to} ${what}`)
    this.name = 'LostByStep'
  }
}
