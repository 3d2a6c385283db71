/**
 * The table in which RxDB's Dexie storage keeps its documents, gone to past Dexie's own layers, which cost more than a
 * request itself. In: what Dexie has opened. Out: transactions over the documents alone.
 */
import type { DexieStorageInternals } from 'rxdb/plugins/core'
import type { ReadAgain } from './read-again.ts'
import type { Row, RowCodec } from './row-codec.ts'
import { seenRows, type SeenRows } from './seen-rows.ts'

/** RxDB's name for it. */
const DOCS = 'docs'

/** The internals of this storage's instances (`RxStorageInstance.internals`); those of any other are not of this class. */
export class DeviceInternals {
  readonly primaryPath: string
  readonly codec: RowCodec | null
  /** What only reads goes through it. */
  readonly again: ReadAgain
  readonly #opened: DexieStorageInternals
  readonly #seen: SeenRows

  constructor(
    primaryPath: string,
    codec: RowCodec | null,
    { opened, again }: { opened: DexieStorageInternals; again: ReadAgain },
  ) {
    this.primaryPath = primaryPath
    this.codec = codec
    this.again = again
    this.#opened = opened
    this.#seen = seenRows((row) => String(Reflect.get(row, primaryPath)))
  }

  /** A transaction over the documents. Dexie opens a connection anew that was lost (an iPhone closes it in the background). */
  async begin(mode: IDBTransactionMode, options?: IDBTransactionOptions): Promise<Begun> {
    const { dexieDb } = await this.#opened
    const begin = () => beginOn(dexieDb.backendDB(), mode, options)
    try {
      return begin()
    } catch {
      // one that asks nothing: where the connection was lost while it opened, Dexie's tables are of no use
      await dexieDb.transaction('r', DOCS, () => undefined)
      return begin()
    }
  }

  /** Rows that were just read, as documents have them: those that the codec believes, and none that somebody put back. */
  async decode(rows: readonly Row[]): Promise<readonly Row[]> {
    if (!this.codec) return rows
    const putBack = await this.#putBack(rows)
    const decoded = await this.codec.decode(rows.filter((row) => !putBack.has(row)))
    this.#seen.note(decoded)
    return decoded
  }

  /** Rows that were just written. */
  wrote(rows: readonly object[]): void {
    if (this.codec) this.#seen.note(rows)
  }

  /** What another write has replaced since it was read is no older on the disk: it is read once more. */
  async #putBack(rows: readonly Row[]): Promise<ReadonlySet<Row>> {
    const suspected = this.#seen.older(rows)
    if (suspected.length === 0) return new Set()
    const now = await this.again(async () => {
      const { transaction, docs } = await this.begin('readonly')
      const keys = suspected.map(({ row }) => row[this.primaryPath] as string)
      return answers<Row | undefined>(
        transaction,
        keys.map((key) => docs.get(key)),
      )
    })
    const putBack = suspected.filter(({ isOlder }, n) => isOlder(now[n])).map(({ row }) => row)
    if (putBack.length > 0) this.codec?.putBack?.()
    return new Set(putBack)
  }

  /** `IDBKeyRange`, of the same make as the database. */
  async ranges(): Promise<typeof IDBKeyRange> {
    const { dexieDb } = await this.#opened
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

/** Why it was aborted; a connection that was lost says nothing. */
export const abortError = ({ error }: IDBTransaction): Error =>
  (error ?? new DOMException('The connection was lost', 'AbortError')) as Error

/** What is asked for, in their order; rejects when the transaction ends before. */
export const answers = <T>(transaction: IDBTransaction, requests: readonly IDBRequest<T>[]) =>
  new Promise<T[]>((resolve, reject) => {
    transaction.addEventListener('abort', () => reject(abortError(transaction)))
    // requests of one transaction are answered in order
    requests.at(-1)?.addEventListener('success', () => resolve(requests.map(({ result }) => result)))
  })
