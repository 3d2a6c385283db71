/**
 * Writing with the fewest turns through IndexedDB: RxDB's conflict check and events, but one transaction over the documents
 * alone, which reads and puts in one turn and is committed, not left to end by itself. What is to be new is added, and read
 * only where it is there already: a first sync has no reads.
 *
 *     rows ─→ encoded ─→ new: added; known: put, and what was there read
 *          ─→ what is refused put back ─→ committed ─→ errors, events
 *
 * A conflict with a row that the codec does not believe is none: that row is to go, and what was to be written comes again.
 */
import {
  categorizeBulkWriteRows,
  type BulkWriteRow,
  type CategorizeBulkWriteRowsOutput,
  type RxStorageInstance,
} from 'rxdb/plugins/core'
import { noteDurable } from '#lib/time/user-timing.ts'
import { abortError, type Begun, type DeviceInternals } from './docs-table.ts'
import { docOf, rowOf, type Row } from './row-codec.ts'

type Written<R> = Pick<CategorizeBulkWriteRowsOutput<R>, 'errors' | 'eventBulk'> & {
  /** Not written: a row that is not believed is in its place. */
  again: { writes: BulkWriteRow<R>[]; unbelieved: Row[] }
}

interface Write<R> {
  instance: RxStorageInstance<R, DeviceInternals, unknown>
  rows: BulkWriteRow<R>[]
  context: string
  durability: IDBTransactionDurability
}

/** @returns RxDB's account of it, when it is on disk */
export async function writeRows<R>({ instance, rows, context, durability }: Write<R>): Promise<Written<R>> {
  const { codec, primaryPath } = instance.internals
  const keyOf = (doc: object) => Reflect.get(doc, primaryPath) as string
  const account = (known: readonly Row[], writes = rows) => {
    const docs = new Map(known.map((row) => [keyOf(row), docOf<R>(row)]))
    // RxDB brands the path of the key by the record's type
    return categorizeBulkWriteRows<R>(instance, primaryPath as never, docs, writes, context)
  }
  const plain = rows.map(({ document }) => rowOf(document))
  const encoded = codec ? await codec.encode(plain) : plain
  const wanted = wantedOf(encoded, rows, keyOf)
  const begun = await instance.internals.begin('readwrite', { durability })
  const { known, result } = await putAll(begun, wanted, (before) => {
    const decided = account([...before.values()])
    return { result: decided, putBack: putBackOf(decided, rows, wanted, before) }
  })
  noteDurable()
  // the revision, by which it was decided, lies in clear; the rest is needed only for what is told
  const opened = codec ? await instance.internals.decode([...known.values()]) : null
  instance.internals.wrote(result.eventBulk.events.map(({ documentData }) => documentData))
  const again = againOf(result, known, new Set(opened?.map(keyOf) ?? known.keys()))
  const left = rows.filter((row) => !again.writes.includes(row))
  const { newestRow, eventBulk, errors } = opened ? account(opened, left) : result
  if (newestRow) eventBulk.checkpoint = { id: keyOf(newestRow.document), lwt: newestRow.document._meta.lwt }
  return { errors, eventBulk, again }
}

function againOf<R>(
  { errors }: CategorizeBulkWriteRowsOutput<R>,
  known: ReadonlyMap<string, Row>,
  believed: ReadonlySet<string>,
): Written<R>['again'] {
  const failed = errors.filter(({ documentId }) => !believed.has(documentId))
  const keys = new Set(failed.map(({ documentId }) => documentId))
  return {
    writes: failed.map(({ writeRow }) => writeRow),
    unbelieved: [...known].flatMap(([key, row]) => (keys.has(key) ? [row] : [])),
  }
}

/** Takes them out, where they still are as they were read. */
export async function removeRows(internals: DeviceInternals, rows: readonly Row[]): Promise<void> {
  const { transaction, docs } = await internals.begin('readwrite')
  await new Promise<void>((resolve, reject) => {
    transaction.addEventListener('complete', () => resolve())
    transaction.addEventListener('abort', () => reject(abortError(transaction)))
    for (const row of rows) {
      const key = row[internals.primaryPath] as string
      const reading = docs.get(key)
      reading.addEventListener('success', () => {
        const now = reading.result as Row | undefined
        if (now && now['_rev'] === row['_rev']) docs.delete(key)
      })
    }
  })
}

interface Wanted {
  key: string
  row: Row
  /** Nothing is known of it, and it is in this write only once. */
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

/** Of each key that is refused: the last row of it that is not, or else what was there. */
function putBackOf<R>(
  { errors }: CategorizeBulkWriteRowsOutput<R>,
  rows: readonly BulkWriteRow<R>[],
  wanted: readonly Wanted[],
  known: ReadonlyMap<string, Row>,
): (Row | undefined)[] {
  if (errors.length === 0) return []
  const refused = new Set<unknown>(errors.map(({ writeRow }) => writeRow))
  return errors.map(({ documentId }) => {
    const taken = wanted.findLast(({ key }, i) => key === documentId && !refused.has(rows[i]))
    return taken?.row ?? known.get(documentId)
  })
}

function orElse(run: () => void, failed: (error: unknown) => void): void {
  try {
    run()
  } catch (error) {
    failed(error)
  }
}

interface Decided<T> {
  result: T
  putBack: readonly (Row | undefined)[]
}

/** Milliseconds of putting in one turn: each document is copied as it is put, and a long one holds up the screen. */
const PUT_MS = 8

/**
 * Writes what is wanted and reads what was there before, in one turn (many documents in several), and then what `decide` puts
 * back. All in one transaction, so that nobody sees it.
 */
function putAll<T>(
  begun: Begun,
  wanted: readonly Wanted[],
  decide: (known: ReadonlyMap<string, Row>) => Decided<T>,
): Promise<{ known: ReadonlyMap<string, Row>; result: T }> {
  const { transaction, docs } = begun
  return new Promise((resolve, reject) => {
    const known = new Map<string, Row>()
    // the reads, what is added, and that all is put
    let left = wanted.length + 1
    let result: T
    let failed: unknown
    const fail = (error: unknown) => {
      failed = error
      transaction.abort()
    }
    const orAbort = (run: () => void) => orElse(run, fail)
    const done = () => {
      left -= 1
      if (left > 0) return
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
      const begun = performance.now()
      for (const [n, each] of wanted.slice(from).entries()) {
        const put = each.isNew ? add(each) : docs.put(each.row)
        if (performance.now() - begun < PUT_MS) continue
        const goOn = () => orAbort(() => putFrom(from + n + 1))
        put.addEventListener('success', goOn)
        put.addEventListener('error', () => isThere(put) && goOn())
        return
      }
      done()
    }
    transaction.addEventListener('complete', () => resolve({ known, result }))
    transaction.addEventListener('abort', () => reject((failed ?? abortError(transaction)) as Error))
    orAbort(() => {
      for (const { key, isNew } of wanted) if (!isNew) read(key)
      putFrom(0)
    })
  })
}

const isThere = (adding: IDBRequest) => adding.error?.name === 'ConstraintError'

/** @param found told of a key that is there already: nothing was added, and the transaction goes on */
const adding =
  ({ docs }: Begun, done: () => void, found: (key: string) => void) =>
  ({ key, row }: Wanted) => {
    const request = docs.add(row)
    request.addEventListener('success', done)
    request.addEventListener('error', (event) => {
      if (!isThere(request)) return
      event.preventDefault()
      event.stopPropagation()
      found(key)
    })
    return request
  }
