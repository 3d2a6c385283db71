/**
 * Writes rows with RxDB's conflict check and events, in as few IndexedDB steps as possible. One transaction reads and
 * writes in a single step. Rows that should be new are added without a read, so that a first sync reads nothing.
 *
 *     rows ─→ encode ─→ new rows: add; known rows: put, and read the earlier row
 *          ─→ put the earlier rows back that are in conflict ─→ commit ─→ errors, events
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
import { abortError, committed } from './idb.ts'
import { type Begun, type DeviceInternals, docOf, rowOf, type Row } from './docs-table.ts'

type Written<R> = Pick<CategorizeBulkWriteRowsOutput<R>, 'errors' | 'eventBulk'> & {
  /** `writes`: writes that conflict only with rows that the codec refuses. `refused`: these rows, to be deleted first. */
  toRepeat: { writes: BulkWriteRow<R>[]; refused: Row[] }
}

interface Write<R> {
  instance: RxStorageInstance<R, DeviceInternals, unknown>
  rows: BulkWriteRow<R>[]
  context: string
  durability: IDBTransactionDurability
}

/** Writes rows. Resolves to RxDB's result once the rows are on disk. */
export async function writeRows<R>({ instance, rows, context, durability }: Write<R>): Promise<Written<R>> {
  const { codec, primaryPath } = instance.internals
  const keyOf = (doc: object) => Reflect.get(doc, primaryPath) as string
  const resultOf = (known: readonly Row[], writes = rows) => {
    const docs = new Map(known.map((row) => [keyOf(row), docOf<R>(row)]))
    // The cast is needed because RxDB types the key's path with the record's fields.
    return categorizeBulkWriteRows<R>(instance, primaryPath as never, docs, writes, context)
  }
  const plain = rows.map(({ document }) => rowOf(document))
  const encoded = codec ? await codec.encode(plain) : plain
  const wanted = wantedOf(encoded, rows, keyOf)
  const begun = await instance.internals.begin('readwrite', { durability })
  const { known, result } = await putAll(begun, wanted, (before) => {
    const decided = resultOf([...before.values()])
    return { result: decided, putBack: putBackOf(decided, rows, wanted, before) }
  })
  noteDurable()
  // Documents are decoded only for errors and events, because the conflict check needs only the plain-text revision.
  const opened = codec ? await instance.internals.decode([...known.values()]) : null
  instance.internals.wrote(result.eventBulk.events.map(({ documentData }) => documentData))
  const toRepeat = writesToRepeat(result, known, new Set(opened?.map(keyOf) ?? known.keys()))
  const remaining = rows.filter((row) => !toRepeat.writes.includes(row))
  const { newestRow, eventBulk, errors } = opened ? resultOf(opened, remaining) : result
  if (newestRow) eventBulk.checkpoint = { id: keyOf(newestRow.document), lwt: newestRow.document._meta.lwt }
  return { errors, eventBulk, toRepeat }
}

/** @param decodedKeys keys of the known rows that the codec has not refused */
function writesToRepeat<R>(
  { errors }: CategorizeBulkWriteRowsOutput<R>,
  known: ReadonlyMap<string, Row>,
  decodedKeys: ReadonlySet<string>,
): Written<R>['toRepeat'] {
  const failed = errors.filter(({ documentId }) => !decodedKeys.has(documentId))
  const keys = new Set(failed.map(({ documentId }) => documentId))
  return {
    writes: failed.map(({ writeRow }) => writeRow),
    refused: [...known].flatMap(([key, row]) => (keys.has(key) ? [row] : [])),
  }
}

/** Deletes rows, unless they have changed since they were read. */
export async function removeRows(internals: DeviceInternals, rows: readonly Row[]): Promise<void> {
  const { transaction, docs } = await internals.begin('readwrite')
  for (const row of rows) {
    const key = row[internals.primaryPath] as string
    const reading = docs.get(key)
    reading.addEventListener('success', () => {
      const now = reading.result as Row | undefined
      if (now && now['_rev'] === row['_rev']) docs.delete(key)
    })
  }
  await committed(transaction)
}

interface Wanted {
  key: string
  row: Row
  /** True if no earlier version is known and no other row of this write has the key. */
  isNew: boolean
}

function wantedOf<R>(encoded: readonly Row[], rows: readonly BulkWriteRow<R>[], keyOf: (row: Row) => string) {
  const keys = encoded.map(keyOf)
  const isOnce = new Set(keys).size === keys.length
  return encoded.map((row, n): Wanted => ({
    key: keys[n] as string,
    row,
    isNew: isOnce && rows[n]?.previous === undefined,
  }))
}

/**
 * For each key in conflict, returns the row to restore: the last row of this write without a conflict, otherwise the
 * row that was on disk.
 */
function putBackOf<R>(
  { errors }: CategorizeBulkWriteRowsOutput<R>,
  rows: readonly BulkWriteRow<R>[],
  wanted: readonly Wanted[],
  known: ReadonlyMap<string, Row>,
): (Row | undefined)[] {
  if (errors.length === 0) return []
  const refused = new Set<unknown>(errors.map(({ writeRow }) => writeRow))
  return errors.map(({ documentId }) => {
    const written = wanted.findLast(({ key }, i) => key === documentId && !refused.has(rows[i]))
    return written?.row ?? known.get(documentId)
  })
}

interface Decided<T> {
  result: T
  putBack: readonly (Row | undefined)[]
}

/** Maximum milliseconds of writing without a break, because a long series would delay the screen. */
const PUT_MS = 8

/**
 * Writes the rows and reads the rows that they replace, and then writes the rows that `decide` returns. All steps are
 * in one transaction, so that no reader sees a row in conflict.
 */
function putAll<T>(
  begun: Begun,
  wanted: readonly Wanted[],
  decide: (known: ReadonlyMap<string, Row>) => Decided<T>,
): Promise<{ known: ReadonlyMap<string, Row>; result: T }> {
  const { transaction, docs } = begun
  return new Promise((resolve, reject) => {
    const known = new Map<string, Row>()
    // Number of reads and adds that have not ended, plus 1 until all writes are requested.
    let remaining = wanted.length + 1
    let result: T
    let failure: unknown
    const orAbort = (run: () => void) => {
      try {
        run()
      } catch (error) {
        failure = error
        transaction.abort()
      }
    }
    const done = () => {
      remaining -= 1
      if (remaining > 0) return
      orAbort(() => {
        const decided = decide(known)
        ;({ result } = decided)
        for (const each of decided.putBack) docs.put(each)
        transaction.commit()
      })
    }
    const read = (key: string) => {
      const request = docs.get(key)
      request.addEventListener('success', () => {
        if (request.result !== undefined) known.set(key, request.result as Row)
        done()
      })
    }
    const add = adding(begun, done, (key) => orAbort(() => read(key)))
    const putFrom = (from: number) => {
      const startedAt = performance.now()
      for (const [n, each] of wanted.slice(from).entries()) {
        const put = each.isNew ? add(each) : docs.put(each.row)
        if (performance.now() - startedAt < PUT_MS) continue
        const goOn = () => orAbort(() => putFrom(from + n + 1))
        put.addEventListener('success', goOn)
        put.addEventListener('error', () => isDuplicate(put) && goOn())
        return
      }
      done()
    }
    transaction.addEventListener('complete', () => resolve({ known, result }))
    transaction.addEventListener('abort', () => reject((failure ?? abortError(transaction)) as Error))
    orAbort(() => {
      for (const { key, isNew } of wanted) if (!isNew) read(key)
      putFrom(0)
    })
  })
}

const isDuplicate = (adding: IDBRequest) => adding.error?.name === 'ConstraintError'

/**
 * Returns a function that adds a new row.
 * @param found called if the key already exists; the row is then not added, and the transaction continues
 */
const adding =
  ({ docs }: Begun, done: () => void, found: (key: string) => void) =>
  ({ key, row }: Wanted) => {
    const request = docs.add(row)
    request.addEventListener('success', done)
    request.addEventListener('error', (event) => {
      if (!isDuplicate(request)) return
      event.preventDefault()
      event.stopPropagation()
      found(key)
    })
    return request
  }
