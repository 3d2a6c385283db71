/**
 * The table in which RxDB's Dexie storage keeps its documents, gone to past Dexie's own layers, which cost more than a
 * request itself. In: what Dexie has opened. Out: transactions over the documents alone.
 */
import type { DexieStorageInternals } from 'rxdb/plugins/core'
import type { ReadAgain } from './read-again.ts'
import type { RowCodec } from './row-codec.ts'

/** RxDB's name for it. */
const DOCS = 'docs'

/** The internals of this storage's instances (`RxStorageInstance.internals`); those of any other are not of this class. */
export class DeviceInternals {
  readonly primaryPath: string
  readonly codec: RowCodec | null
  /** What only reads goes through it. */
  readonly again: ReadAgain
  readonly #opened: DexieStorageInternals

  constructor(
    primaryPath: string,
    codec: RowCodec | null,
    { opened, again }: { opened: DexieStorageInternals; again: ReadAgain },
  ) {
    this.primaryPath = primaryPath
    this.codec = codec
    this.again = again
    this.#opened = opened
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
