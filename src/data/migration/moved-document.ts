/**
 * One document through the steps of its collection. A pure rule, and the law that every step is held to: the key stays,
 * nothing that is unsent is lost or changed in its order, and no index loses the document (sync RULES SV3, trap 11).
 */
import type { Step, StoredDocument } from '#schemas/migrations/step.ts'

/** What of a schema the law needs. */
export interface MovedSchema {
  readonly primaryKey: string
  readonly properties: Readonly<Record<string, unknown>>
  readonly indexes: readonly (string | readonly string[])[]
}

export interface MigrationPath {
  collection: string
  from: number
  to: number
  /** Of the version that it then has. */
  schema: MovedSchema
  /** One after the other; a version that has none is missing. */
  steps: readonly { version: string; step: Step | undefined }[]
  /** It may hold what the CRM does not have. */
  isDurable: boolean
}

/** RxDB's own, beside the fields of a record. */
const OWN = ['_deleted', '_meta', '_rev', '_attachments'] as const

/** @param row as RxDB's storage keeps it @throws where the law does not hold */
export function movedRow(row: StoredDocument, way: MigrationPath): StoredDocument | null {
  const document = steppedOf(row, way)
  if (document === null) {
    if (way.isDurable) throw new LostByStep(way, 'drops a document')
    return null
  }
  checkIndexes(document, way)
  if (queueOf(document) !== queueOf(row)) throw new LostByStep(way, 'changes the queue')
  return document
}

/** What the replication last knew of the CRM's: a document within its own row. */
export function movedKnown(row: StoredDocument, way: MigrationPath): StoredDocument | null {
  const { docData } = row
  if (row['isCheckpoint'] === '1' || !isDocument(docData)) return row
  const document = steppedOf(docData, way)
  return document && { ...row, docData: document }
}

function steppedOf(row: StoredDocument, way: MigrationPath): StoredDocument | null {
  const own = Object.fromEntries(OWN.filter((name) => name in row).map((name) => [name, row[name]]))
  let document: StoredDocument | null = { ...row }
  for (const name of OWN) delete document[name]
  for (const { version, step } of way.steps) {
    if (!document) return null
    if (!step) throw new LostByStep(way, `has no step to version ${version}`)
    document = step(document)
  }
  const { primaryKey } = way.schema
  if (document && document[primaryKey] !== row[primaryKey]) throw new LostByStep(way, 'changes a key')
  return document && { ...document, ...own }
}

/** What is still to be sent of it, in its order. */
const queueOf = (document: StoredDocument): string =>
  JSON.stringify(QUEUED.map((name) => document[name] ?? null))

const QUEUED = ['unsent', 'state', 'stamp', 'kind', 'resource', 'recordKey'] as const

function checkIndexes(document: StoredDocument, way: MigrationPath): void {
  const { primaryKey, indexes, properties } = way.schema
  for (const field of new Set([primaryKey, ...indexes.flat()])) {
    const value = document[field]
    const property = properties[field]
    const most: unknown = isDocument(property) ? property['maxLength'] : undefined
    if (typeof value !== 'string' || (typeof most === 'number' && value.length > most))
      throw new LostByStep(way, `leaves ${field} unfit for its index`)
  }
}

const isDocument = (value: unknown): value is StoredDocument => typeof value === 'object' && value !== null

/** Says which collection and what, and no content (EX7). */
class LostByStep extends Error {
  constructor({ collection, from, to }: MigrationPath, what: string) {
    super(`migration of ${collection} from version ${from} to ${to} ${what}`)
    this.name = 'LostByStep'
  }
}
