/**
 * Transactions on the table of a store that has the documents. A codec can change the form of a row, for example encrypt
 * it.
 *
 *     document ─→ row (`_deleted` as text) ─→ codec, if there is one ─→ disk
 *     document ←─ row                      ←─ codec                  ←─ disk
 */
import {
  type RxDocumentData,
  categorizeBulkWriteRows,
  type BulkWriteRow,
  type CategorizeBulkWriteRowsOutput,
  type RxStorageInstance,
} from 'rxdb/plugins/core'
import type { StoreShape } from './store-layout.ts'
import { abortError, committed, type Connection, type ReadAgain } from './idb.ts'
import { noteDurable } from '#lib/time/user-timing.ts'

/** A stored row. `_deleted` is DELETED or '0', because IndexedDB cannot index booleans. */
export type Row = Record<string, unknown> & { _deleted: unknown }
export const DELETED = '1'

/**
 * Encodes and decodes rows, in order. Both are asynchronous (WebCrypto), so that no transaction can be open meanwhile.
 * `decode` leaves out rows that it refuses.
 */
export interface RowCodec {
  encode(rows: readonly Row[]): Promise<Row[]>
  decode(rows: readonly Row[]): Promise<Row[]>
  /** Called when rows are left out, because this page has seen newer versions of them on disk. */
  putBack?(): void
}

/** Describes a store of rows. `database` is `genba-<hash>-<key>` for all versions of the store. */
export interface RowStore {
  database: string
  collection: string
  version: number
  primary: string
  /** Fields that a codec must leave in plain text, because IndexedDB or the conflict check reads them. */
  clear: ReadonlySet<string>
}

/** Returns the codec of a store; null if the store's rows are not encoded. */
export type CodecFor = (store: RowStore) => RowCodec | null

/** Fields that the storage itself reads, in addition to the key and the indexes. */
const OWN_FIELDS = ['_deleted', '_rev', '_meta', '_attachments']

/**
 * Returns the names of the fields that must stay in plain text. If an index uses a nested field, the whole outer field
 * stays in plain text.
 */
export const clearFields = ({ primaryKey, indexes }: StoreShape): ReadonlySet<string> =>
  new Set([primaryKey, ...indexes.flat().map((path) => path.split('.', 1)[0] ?? path), ...OWN_FIELDS])

/** Converts a document to a row. */
export const rowOf = (doc: object): Row => ({
  ...doc,
  _deleted: Reflect.get(doc, '_deleted') === true ? DELETED : '0',
})

/** Converts a row to a document. */
export const docOf = <R>(row: Row) => ({ ...row, _deleted: row._deleted === DELETED }) as RxDocumentData<R>

interface InternalsParts {
  primaryPath: string
  codec: RowCodec | null
  /** Retries a read; all reads pass through it. */
  again: ReadAgain
  /** `IDBKeyRange` of the same implementation as the database. */
  ranges: typeof IDBKeyRange
  begin: Connection['begin']
}

export type DeviceInternals = ReturnType<typeof deviceInternals>

/** Makes the `internals` of this storage's instances. */
export function deviceInternals(parts: InternalsParts) {
  const { primaryPath, codec, again, begin } = parts
  const keyOf = (row: object): unknown => Reflect.get(row, primaryPath)
  /**
   * The newest version of each row that this page has seen, to detect an older version that someone has put back on
   * disk (decisions/encryption).
   */
  const seen = new Map<unknown, Age>()
  /** Reads rows by key, in order; undefined for a row that does not exist. */
  const readKeys = async (keys: readonly string[]) => {
    const docs = await begin('readonly')
    const reading = keys.map((key): IDBRequest<Row | undefined> => docs.get(key))
    return resultsIn(docs, reading)
  }
  /** Remembers the versions of rows that are on disk now. */
  const wrote = (rows: readonly object[]): void => {
    for (const row of codec ? rows : [])
      if (!isBefore(ageOf(row), seen.get(keyOf(row)))) seen.set(keyOf(row), ageOf(row))
  }
  /**
   * Returns the rows that are older than versions that this page has seen. A suspected row is read again first, because
   * a concurrent write may have replaced it since it was read.
   */
  const olderRows = async (rows: readonly Row[]): Promise<readonly Row[]> => {
    const suspected = rows.flatMap((row) => {
      const last = seen.get(keyOf(row))
      return isBefore(ageOf(row), last) ? [{ row, last }] : []
    })
    if (suspected.length === 0) return []
    const now = await again(() => readKeys(suspected.map(({ row }) => String(keyOf(row)))))
    return suspected.flatMap(({ row, last }, n) => (now[n] && isBefore(ageOf(now[n]), last) ? row : []))
  }
  return {
    ...parts,
    readKeys,
    wrote,
    /** Returns the result of one request in a transaction of its own. */
    async readOne<T>(request: (docs: IDBObjectStore) => IDBRequest<T>): Promise<T> {
      const docs = await begin('readonly')
      const [result] = await resultsIn(docs, [request(docs)])
      return result as T
    },
    /**
     * Decodes rows that were just read. Drops rows that the codec refuses and rows that someone has replaced by
     * an older version.
     */
    async decode(rows: readonly Row[]): Promise<readonly Row[]> {
      if (!codec) return rows
      const older = await olderRows(rows)
      if (older.length > 0) codec.putBack?.()
      const decoded = await codec.decode(rows.filter((row) => !older.includes(row)))
      wrote(decoded)
      return decoded
    },
  }
}

/** The results of all requests of a transaction, in order; rejects if the transaction aborts first. */
const resultsIn = <T>({ transaction }: IDBObjectStore, requests: readonly IDBRequest<T>[]) =>
  new Promise<T[]>((resolve, reject) => {
    transaction.addEventListener('abort', () => reject(abortError(transaction)))
    if (requests.length === 0) resolve([])
    // Requests of one transaction complete in order.
    requests.at(-1)?.addEventListener('success', () => resolve(requests.map(({ result }) => result)))
  })

/** RxDB's revision number and time of the last write of a row. */
type Age = { height: number; lwt: number }

/**
 * True if `one` is older in both counts, because a row that was deleted and created again has a lower revision but a
 * later time.
 */
const isBefore = (one: Age, other: Age | undefined): boolean =>
  other !== undefined && one.height < other.height && one.lwt < other.lwt

/** Returns the age of a row by its plain-text fields, which the encryption authenticates. */
function ageOf(row: object): Age {
  const { _rev, _meta } = row as { _rev?: unknown; _meta?: { lwt?: unknown } }
  return { height: Number.parseInt(String(_rev), 10), lwt: Number(_meta?.lwt) }
}

/** `toRepeat`: writes that conflict only with rows that the codec refuses. `refused`: these rows, to be deleted first. */
type Written<R> = Pick<CategorizeBulkWriteRowsOutput<R>, 'errors' | 'eventBulk'> & {
  toRepeat: BulkWriteRow<R>[]
  refused: Row[]
}

/** Maximum number of rows that are written without a break, because a long series would delay the screen. */
const PIECE = 60

/** Writes rows. Resolves to RxDB's result once the rows are on disk. */
export async function writeRows<R>(
  instance: RxStorageInstance<R, DeviceInternals, unknown>,
  rows: BulkWriteRow<R>[],
  context: string,
  durability: IDBTransactionDurability,
): Promise<Written<R>> {
  const { internals } = instance
  const { codec, primaryPath } = internals
  const keyOf = (doc: object) => Reflect.get(doc, primaryPath) as string
  const resultOf = (known: readonly Row[], writes = rows) => {
    const docs = new Map(known.map((row) => [keyOf(row), docOf<R>(row)]))
    // The cast is needed because RxDB types the key's path with the record's fields.
    return categorizeBulkWriteRows<R>(instance, primaryPath as never, docs, writes, context)
  }
  const plain = rows.map(({ document }) => rowOf(document))
  const encoded = codec ? await codec.encode(plain) : plain
  const keys = [...new Set(encoded.map(keyOf))]
  const write = (areNew: boolean) =>
    inTransaction(internals, durability, async (docs) => {
      const reading = (areNew ? [] : keys).map((key): IDBRequest<Row | undefined> => docs.get(key))
      const found = areNew ? [] : await resultsIn(docs, reading)
      const known = found.filter((row) => row !== undefined)
      const result = resultOf(known)
      const inConflict = new Set(result.errors.map(({ writeRow }) => writeRow))
      const accepted = encoded.filter((_, n) => !inConflict.has(rows[n] as BulkWriteRow<R>))
      for (let end = 0, from = 0; from === 0 || from < accepted.length; from = end) {
        end = from + PIECE
        const putting = accepted.slice(from, end).map((row) => (areNew ? docs.add(row) : docs.put(row)))
        // Without this, the browser commits only after it has looked for further requests.
        if (end >= accepted.length) docs.transaction.commit()
        await resultsIn(docs, putting)
      }
      return { known, result }
    })
  const areNew = keys.length === rows.length && rows.every(({ previous }) => !previous)
  const { known, result } = await write(areNew).catch((error: unknown) => {
    if (areNew && Reflect.get(Object(error), 'name') === 'ConstraintError') return write(false)
    throw error
  })
  noteDurable()
  // Documents are decoded only for errors and events, because the conflict check needs only the plain-text revision.
  const opened = await internals.decode(known)
  internals.wrote(result.eventBulk.events.map(({ documentData }) => documentData))
  const openedKeys = new Set(opened.map(keyOf))
  const unread = result.errors.filter(({ documentId }) => !openedKeys.has(documentId))
  const toRepeat = unread.map(({ writeRow }) => writeRow)
  const remaining = rows.filter((row) => !toRepeat.includes(row))
  const { newestRow, eventBulk, errors } = codec ? resultOf(opened, remaining) : result
  if (newestRow) eventBulk.checkpoint = { id: keyOf(newestRow.document), lwt: newestRow.document._meta.lwt }
  const refused = known.filter((row) => unread.some(({ documentId }) => documentId === keyOf(row)))
  return { errors, eventBulk, toRepeat, refused }
}

/** Calls `run`, which commits, in a transaction that aborts if `run` fails. Resolves once all writes are on disk. */
async function inTransaction<T>(
  internals: DeviceInternals,
  durability: IDBTransactionDurability,
  run: (docs: IDBObjectStore) => Promise<T>,
): Promise<T> {
  const docs = await internals.begin('readwrite', { durability })
  const done = committed(docs.transaction)
  try {
    const result = await run(docs)
    await done
    return result
  } catch (error) {
    let cause = error
    try {
      docs.transaction.abort()
      await done.catch(() => undefined)
    } catch {
      // The transaction has ended by itself, for example on a full disk, and says why.
      await done.catch((reason: unknown) => (cause = reason))
    }
    throw cause
  }
}

/** Deletes rows, unless they have changed since they were read. */
export async function removeRows(internals: DeviceInternals, rows: readonly Row[]): Promise<void> {
  const docs = await internals.begin('readwrite')
  for (const row of rows) {
    const key = row[internals.primaryPath] as string
    const reading: IDBRequest<Row | undefined> = docs.get(key)
    reading.addEventListener('success', () => reading.result?.['_rev'] === row['_rev'] && docs.delete(key))
  }
  await committed(docs.transaction)
}
