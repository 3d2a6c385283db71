/**
 * Writes rows with RxDB's conflict check and events. One transaction reads and writes, so that no reader sees a row in
 * conflict. Rows that should all be new are added without a read, so that a first sync reads nothing.
 *
 *     rows ─→ encode ─┬─ all new: add ─→ one exists already: nothing is written ─┐
 *                     └─ read the present rows ←─────────────────────────────────┘
 *                         └─→ put the rows without a conflict ─→ commit ─→ errors, events
 *
 * If a write conflicts with a row on disk that the codec refuses, that row is deleted and the write is repeated.
 */
import {
  categorizeBulkWriteRows,
  type BulkWriteRow,
  type CategorizeBulkWriteRowsOutput,
  type RxStorageInstance,
} from 'rxdb/plugins/core'
import { noteDurable } from '#lib/time/user-timing.ts'
import { committed } from './idb.ts'
import { type DeviceInternals, docOf, resultsIn, rowOf, type Row } from './docs-table.ts'

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
      const readNow = () => keys.map((key): IDBRequest<Row | undefined> => docs.get(key))
      const found = areNew ? [] : await resultsIn(docs, readNow())
      const known = found.filter((row) => row !== undefined)
      const result = resultOf(known)
      const inConflict = new Set(result.errors.map(({ writeRow }) => writeRow))
      const accepted = encoded.filter((_, n) => !inConflict.has(rows[n] as BulkWriteRow<R>))
      for (let end = 0, from = 0; from === 0 || from < accepted.length; from = end) {
        end = from + PIECE
        const put = (row: Row) => (areNew ? docs.add(row) : docs.put(row))
        const putting = accepted.slice(from, end).map(put)
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
