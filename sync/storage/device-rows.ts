/**
 * What the sync asks of the device's storage beside RxDB's interface. The storage that a database was opened with carries
 * it; how it is done, and what of RxDB's insides it leans on, is that storage's own matter. Another storage has none.
 */
import type { MangoQuery, RxCollection } from 'rxdb/plugins/core'

export interface DeviceRows {
  /** What RxDB's query of the same words would find, as plain data; in no certain order but its `sort`. */
  readOnce<D extends object>(collection: RxCollection<D>, query: MangoQuery<D>): Promise<D[]>
  /** Those of these keys that are there, as plain data. */
  readByKeys<D extends object>(collection: RxCollection<D>, keys: readonly string[]): Promise<D[]>
  /**
   * Documents of one collection in one write, each as it is by then. A change gets null where there is none, and gives null
   * where there is to be none.
   */
  writeTogether<D>(
    collection: RxCollection<D>,
    changes: ReadonlyMap<string, (document: D | null) => D | null | Promise<D | null>>,
  ): Promise<void>
  /**
   * @param collection an `RxCollection`, and the `RxReplicationState` that pushes it, if one does
   * @returns null while the replication has not opened its own store
   */
  cleaningOf(collection: object, replication: object | undefined): Cleaning | null
}

/** Epoch ms of the clock by which RxDB stamps its writes, and for how long something must have been deleted. */
interface Age {
  now: number
  deletedForMs: number
}

/** What was deleted in one collection, and what its replication knows of it. */
interface Cleaning {
  /** @returns the keys of what went, and of these what the replication has not heard of */
  removeDeleted(age: Age): Promise<{ gone: string[]; early: string[] }>
  /**
   * What is known of documents that are there no more.
   * @param keys of documents that went; null: of all that something is known of
   */
  forget(age: Age, keys: readonly string[] | null): Promise<void>
}

/** Of an `RxDatabase`. */
export const deviceRows = (database: { storage?: object } | undefined): DeviceRows | undefined =>
  (database?.storage as { rows?: DeviceRows } | undefined)?.rows
