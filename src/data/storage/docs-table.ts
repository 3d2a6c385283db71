/**
 * Transactions on the table of a store that has the documents. A codec can change the form of a row, for example encrypt
 * it.
 *
 *     document ─→ row (`_deleted` as text) ─→ codec, if there is one ─→ disk
 *     document ←─ row                      ←─ codec                  ←─ disk
 */
import type { RxDocumentData } from 'rxdb/plugins/core'
import { fromStorageToDexie } from 'rxdb/plugins/storage-dexie'
import { DOCS, type Connection } from './connection.ts'
import { abortError } from './idb.ts'
import { isBrokenOff, type ReadAgain } from './read-again.ts'

/** A stored row. `_deleted` is '1' or '0', because IndexedDB cannot index booleans. */
export type Row = Record<string, unknown> & { _deleted: unknown }

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

/** Describes a store of rows. `database` is `genba-<hash>` for all versions of the store. */
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

/** Converts a document to a row. The cast is needed because RxDB's parameter type includes meta fields. */
export const rowOf = (doc: object): Row => fromStorageToDexie(['_deleted'], doc as never) as Row

/** Converts a row to a document. RxDB's own conversion is slower, because it copies every level of the row. */
export const docOf = <R>(row: Row) => ({ ...row, _deleted: row._deleted === '1' }) as RxDocumentData<R>

/** The `internals` of this storage's instances. `instanceof` distinguishes them from those of other storages. */
export class DeviceInternals {
  readonly primaryPath: string
  readonly codec: RowCodec | null
  /** Retries a read; all reads pass through it. */
  readonly again: ReadAgain
  /** `IDBKeyRange` of the same implementation as the database. */
  readonly ranges: typeof IDBKeyRange
  readonly #connection: Connection
  readonly #seen: ReturnType<typeof seenRows>

  constructor(
    primaryPath: string,
    codec: RowCodec | null,
    { connection, ranges, again }: { connection: Connection; ranges: typeof IDBKeyRange; again: ReadAgain },
  ) {
    this.primaryPath = primaryPath
    this.codec = codec
    this.again = again
    this.ranges = ranges
    this.#connection = connection
    this.#seen = seenRows((row) => String(Reflect.get(row, primaryPath)))
  }

  /** Begins a transaction on the documents, on a new connection if the present one is lost. */
  async begin(mode: IDBTransactionMode, options?: IDBTransactionOptions): Promise<Begun> {
    try {
      return beginOn(await this.#connection.opened(), mode, options)
    } catch (error) {
      if (!isBrokenOff(error)) throw error
      this.#connection.lost()
      return beginOn(await this.#connection.opened(), mode, options)
    }
  }

  /**
   * Decodes rows that were just read. Drops rows that the codec refuses and rows that someone has replaced by
   * an older version.
   */
  async decode(rows: readonly Row[]): Promise<readonly Row[]> {
    if (!this.codec) return rows
    const putBack = await this.#putBack(rows)
    const decoded = await this.codec.decode(rows.filter((row) => !putBack.has(row)))
    this.#seen.note(decoded)
    return decoded
  }

  /** Remembers the versions of rows that this page has written. */
  wrote(rows: readonly object[]): void {
    if (this.codec) this.#seen.note(rows)
  }

  /**
   * The rows that are older than versions that this page has seen. A suspected row is read again first, because a
   * concurrent write may have replaced it since it was read.
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
}

/** A transaction on the documents that has begun. */
export interface Begun {
  transaction: IDBTransaction
  docs: IDBObjectStore
}

function beginOn(db: IDBDatabase, mode: IDBTransactionMode, options?: IDBTransactionOptions): Begun {
  const transaction = db.transaction(DOCS, mode, options)
  return { transaction, docs: transaction.objectStore(DOCS) }
}

/** The results of all requests in order; rejects if the transaction aborts first. */
export const resultsIn = <T>(transaction: IDBTransaction, requests: readonly IDBRequest<T>[]) =>
  new Promise<T[]>((resolve, reject) => {
    transaction.addEventListener('abort', () => reject(abortError(transaction)))
    // Requests of one transaction complete in order.
    requests.at(-1)?.addEventListener('success', () => resolve(requests.map(({ result }) => result)))
  })

/** RxDB's revision number and time of the last write of a row. */
interface Age {
  height: number
  lwt: number
}

/**
 * Remembers the newest version of each row that this page has seen, to detect an older version that someone has put back
 * on disk (decisions/encryption). A row that was deleted and created again has a lower revision but a later time, so
 * only a row that is older in both counts as put back.
 */
function seenRows(keyOf: (row: object) => string) {
  const seen = new Map<string, Age>()
  const isBefore = (one: Age, other: Age) => one.height < other.height && one.lwt < other.lwt
  return {
    /** Remembers the versions of rows that are on disk now. */
    note(rows: readonly object[]): void {
      for (const row of rows) {
        const key = keyOf(row)
        const last = seen.get(key)
        const age = ageOf(row)
        if (!last || !isBefore(age, last)) seen.set(key, age)
      }
    },
    /** The rows that are older than the remembered versions. `isOlder` compares a row that was read again. */
    older(rows: readonly Row[]) {
      return rows.flatMap((row) => {
        const last = seen.get(keyOf(row))
        if (!last || !isBefore(ageOf(row), last)) return []
        return [{ row, isOlder: (now: Row | undefined) => now !== undefined && isBefore(ageOf(now), last) }]
      })
    },
  }
}

/** Returns the age of a row by its plain-text fields, which the encryption authenticates. */
function ageOf(row: object): Age {
  const { _rev, _meta } = row as { _rev?: unknown; _meta?: { lwt?: unknown } }
  return { height: Number.parseInt(String(_rev), 10), lwt: Number(_meta?.lwt) }
}
