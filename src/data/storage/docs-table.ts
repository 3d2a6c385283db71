/**
 * Direct transactions on the table in which RxDB's Dexie storage stores documents, because Dexie's own work takes
 * longer than the request.
 */
import type { DexieStorageInternals } from 'rxdb/plugins/core'
import { abortError } from './idb.ts'
import type { ReadAgain } from './read-again.ts'
import type { Row, RowCodec } from './row-codec.ts'

const DOCS = 'docs'

/** The `internals` of this storage's instances, by which other code recognises this storage. */
export class DeviceInternals {
  readonly primaryPath: string
  readonly codec: RowCodec | null
  /** Repeats a failed read. All reads use it. */
  readonly again: ReadAgain
  readonly #opened: () => Promise<Awaited<DexieStorageInternals>>
  readonly #seen: ReturnType<typeof seenRows>

  constructor(
    primaryPath: string,
    codec: RowCodec | null,
    { opened, again }: { opened: () => Promise<Awaited<DexieStorageInternals>>; again: ReadAgain },
  ) {
    this.primaryPath = primaryPath
    this.codec = codec
    this.again = again
    this.#opened = opened
    this.#seen = seenRows((row) => String(Reflect.get(row, primaryPath)))
  }

  /**
   * Begins a transaction on the documents. If the connection was lost (iOS closes it in the background), Dexie first
   * opens it again.
   */
  async begin(mode: IDBTransactionMode, options?: IDBTransactionOptions): Promise<Begun> {
    const { dexieDb } = await this.#opened()
    const begin = () => beginOn(dexieDb.backendDB(), mode, options)
    try {
      return begin()
    } catch {
      // An empty Dexie transaction opens the connection again. Dexie's tables cannot be used if the connection was lost
      // while it was opened.
      await dexieDb.transaction('r', DOCS, () => undefined)
      return begin()
    }
  }

  /**
   * Decodes rows. Leaves out rows that the codec refuses, and rows that somebody has replaced on disk by an older
   * version.
   */
  async decode(rows: readonly Row[]): Promise<readonly Row[]> {
    if (!this.codec) return rows
    const putBack = await this.#putBack(rows)
    const decoded = await this.codec.decode(rows.filter((row) => !putBack.has(row)))
    this.#seen.note(decoded)
    return decoded
  }

  wrote(rows: readonly object[]): void {
    if (this.codec) this.#seen.note(rows)
  }

  /**
   * Returns the rows that are older than a version that this page has seen. Such rows are read again first, because a
   * write may have replaced them since they were read.
   */
  async #putBack(rows: readonly Row[]): Promise<ReadonlySet<Row>> {
    const suspected = this.#seen.older(rows)
    if (suspected.length === 0) return new Set()
    const now = await this.again(async () => {
      const { transaction, docs } = await this.begin('readonly')
      const keys = suspected.map(({ row }) => row[this.primaryPath] as string)
      return resultsIn<Row | undefined>(
        transaction,
        keys.map((key) => docs.get(key)),
      )
    })
    const putBack = suspected.filter(({ isOlder }, n) => isOlder(now[n])).map(({ row }) => row)
    if (putBack.length > 0) this.codec?.putBack?.()
    return new Set(putBack)
  }

  /** `IDBKeyRange` of the same implementation as the database. */
  async ranges(): Promise<typeof IDBKeyRange> {
    const { dexieDb } = await this.#opened()
    return (dexieDb._options.IDBKeyRange ?? IDBKeyRange) as typeof IDBKeyRange
  }
}

export interface Begun {
  transaction: IDBTransaction
  docs: IDBObjectStore
}

function beginOn(db: IDBDatabase, mode: IDBTransactionMode, options?: IDBTransactionOptions): Begun {
  const transaction = db.transaction(DOCS, mode, options)
  return { transaction, docs: transaction.objectStore(DOCS) }
}

/** Returns the results of all requests in order; rejects if the transaction aborts. */
export const resultsIn = <T>(transaction: IDBTransaction, requests: readonly IDBRequest<T>[]) =>
  new Promise<T[]>((resolve, reject) => {
    transaction.addEventListener('abort', () => reject(abortError(transaction)))
    // The last request is the last to succeed, because requests of one transaction run in order.
    requests.at(-1)?.addEventListener('success', () => resolve(requests.map(({ result }) => result)))
  })

/** RxDB's revision number of a row, and the time of its last write. */
interface Age {
  height: number
  lwt: number
}

/**
 * Remembers the newest version of each row that this page has seen, to detect an older version that was put back on
 * disk (decisions/encryption). A row counts as older only if both revision and time are lower, because a row that was
 * deleted and created again has a lower revision.
 */
function seenRows(keyOf: (row: object) => string) {
  const seen = new Map<string, Age>()
  const isBefore = (one: Age, other: Age) => one.height < other.height && one.lwt < other.lwt
  return {
    note(rows: readonly object[]): void {
      for (const row of rows) {
        const key = keyOf(row)
        const last = seen.get(key)
        const age = ageOf(row)
        if (!last || !isBefore(age, last)) seen.set(key, age)
      }
    },
    /**
     * Returns the rows that are older than the remembered versions, each with a function `isOlder` for the row when it
     * is read again.
     */
    older(rows: readonly Row[]) {
      return rows.flatMap((row) => {
        const last = seen.get(keyOf(row))
        if (!last || !isBefore(ageOf(row), last)) return []
        return [{ row, isOlder: (now: Row | undefined) => now !== undefined && isBefore(ageOf(now), last) }]
      })
    },
  }
}

/** Reads the age from plain-text fields, which are authenticated. */
function ageOf(row: object): Age {
  const { _rev, _meta } = row as { _rev?: unknown; _meta?: { lwt?: unknown } }
  return { height: Number.parseInt(String(_rev), 10), lwt: Number(_meta?.lwt) }
}
