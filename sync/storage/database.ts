/**
 * The device's database as the sync module uses it: reads and writes, screens' fetch requests with their answers, and the
 * pull's receipts (`prefetch`) for each of thousands of lists read.
 */
import type { MangoQuery, RxCollection, RxDatabase, RxDocument } from 'rxdb'
import type { CollectionName, Records } from '#schemas/collections/collections.ts'
import type { KindRecords, SharedKind } from '#schemas/collections/shared.ts'
import { combineLatest, map } from 'rxjs'
import type { Interest } from '#schemas/device/interest.ts'
import { isoOf } from '#schemas/instant.ts'
import { PREFETCH_KEYS, prefetchKey } from '#schemas/collections/prefetch.ts'

/** One kind of a shared collection, as if it were a collection of its own (`src/data/database/database.ts`). */
export interface KindView<R extends object> extends Pick<
  RxCollection<R>,
  'find' | 'findOne' | 'insertIfNotExists' | 'upsert' | 'schema'
> {
  /** Change events of this kind's rows. */
  $: RxCollection<R>['$']
  findByIds(keys: string[]): { exec(): Promise<Map<string, RxDocument<R>>> }
  bulkInsert(records: readonly R[]): Promise<{ error: unknown[] }>
  bulkUpsert(records: readonly R[]): Promise<unknown>
  bulkRemove(keys: readonly string[]): Promise<unknown>
  /** The underlying collection with all kinds, and the translation of a query for that collection. */
  whole: RxCollection<R>
  storedQuery(query?: MangoQuery<R>): MangoQuery<R>
}

export type SyncDatabase = RxDatabase<{ [C in CollectionName]: RxCollection<Records[C]> }> & {
  readonly [K in SharedKind]: KindView<KindRecords[K]>
}

/** A collection by name. The cast is needed because RxDB's collection type is invariant in its record type. */
export const collectionOf = <R>(db: SyncDatabase, name: CollectionName) =>
  db[name] as unknown as RxCollection<R>

/** @returns the new document for the stored one; null: none */
export type Write<D> = (stored: D | null) => D | null

/** What the sync needs beyond RxDB's interface. Only the app's own storage (`src/data/storage`) has it. */
interface DeviceRows {
  readOnce<D extends object>(collection: RxCollection<D>, query: MangoQuery<D>): Promise<D[]>
  readByKeys<D extends object>(collection: RxCollection<D>, keys: readonly string[]): Promise<D[]>
  writeTogether<D>(collection: RxCollection<D>, changes: ReadonlyMap<string, Write<D>>): Promise<void>
  /** Removes documents that were deleted long ago, and the metadata of the `replication` that pushes them. */
  removeDeleted(collection: object, replication: object | undefined, age: Age): Promise<void>
}

/** `now`: epoch ms of the clock that stamps RxDB's writes. */
type Age = { now: number; deletedForMs: number }

const rowsOf = ({ database }: { database: object }): DeviceRows =>
  (database as { storage: { rows: DeviceRows } }).storage.rows

export const removeDeleted = (database: SyncDatabase, ...which: Parameters<DeviceRows['removeDeleted']>) =>
  rowsOf({ database }).removeDeleted(...which)

/** Runs a query, sorted only if it sorts, without RxDB's query cache, which takes 50 MB for ten thousand requests. */
export const readOnce = <D extends object>(
  collection: RxCollection<D> | Pick<KindView<D>, 'whole' | 'storedQuery'>,
  query: MangoQuery<D>,
): Promise<D[]> =>
  'storedQuery' in collection
    ? rowsOf(collection.whole).readOnce(collection.whole, collection.storedQuery(query))
    : rowsOf(collection).readOnce(collection, query)

/** Reads the documents with these keys, if they exist. RxDB's own query would read all again after concurrent writes. */
export const readByKeys = <D extends object>(collection: RxCollection<D>, keys: readonly string[]) =>
  rowsOf(collection).readByKeys(collection, keys)

/** Writes documents in one transaction. Each function gets the stored document, and returns the new one or null. */
export const writeTogether = <D extends object>(
  collection: RxCollection<D>,
  writes: ReadonlyMap<string, Write<D>>,
): Promise<void> => rowsOf(collection).writeTogether(collection, writes)

export type FetchRequest = Interest & { kind: Exclude<Interest['kind'], 'prefetch'> }

/** A screen that repeats a fetch request makes a new one with the same key. */
export type FetchRequestId = Pick<FetchRequest, 'key' | 'askedAt'>

export interface FetchAnswer extends Pick<FetchRequest, 'total'> {
  fetchRequest: FetchRequestId
  state: Exclude<FetchRequest['state'], 'asked'>
}

/** Proves that a list was read and that its rows are on the device. */
export interface Receipt {
  owner: string
  /** Digest of the request fields that the list depends on. If it has changed, the list is read again. */
  basis: string
  /** ISO 8601, wall clock of the read. */
  at: string
  stamp: string
}

/** Key ranges of fetch requests: before and after the keys of receipts. */
const FETCH_REQUEST_KEYS = [{ $lt: PREFETCH_KEYS.from }, { $gte: PREFETCH_KEYS.before }]

const fetchRequestsOf = (found: RxDocument<Interest>[][]): FetchRequest[] =>
  found.flat().map((doc) => doc.toMutableJSON() as FetchRequest)

export async function fetchRequestsIn(db: SyncDatabase): Promise<FetchRequest[]> {
  const reads = FETCH_REQUEST_KEYS.map((key) => db.interests.find({ selector: { key } }).exec())
  return fetchRequestsOf(await Promise.all(reads))
}

/** Unanswered fetch requests. @param kind limits the result to this kind */
export const openFetchRequests$ = (db: SyncDatabase, kind?: FetchRequest['kind']) => {
  const rest = { state: 'asked', ...(kind && { kind }) } as const
  const found = FETCH_REQUEST_KEYS.map((key) => db.interests.find({ selector: { key, ...rest } }).$)
  return combineLatest(found).pipe(map(fetchRequestsOf))
}

/** Name of a fetch request, different for each repetition. */
export const fetchRequestName = ({ key, askedAt }: FetchRequestId) => `${key} ${askedAt}`

/** The fetch requests that need an answer: open ones, and failed ones that are retried (RULES PL8). Latest first. */
export async function pendingFetchRequests(
  db: SyncDatabase,
  { isStillTried }: { isStillTried(name: string): boolean },
  isRelevant: (fetchRequest: FetchRequest) => boolean,
): Promise<FetchRequest[]> {
  const isOpen = (one: FetchRequest) =>
    one.state === 'asked' || (one.state === 'failed' && isStillTried(fetchRequestName(one)))
  const found = (await fetchRequestsIn(db)).filter((one) => isRelevant(one) && isOpen(one))
  return found.toSorted((a, b) => (a.askedAt > b.askedAt ? -1 : 1))
}

/** Fetch requests less than a minute older than the latest one belong to the same screen. */
const SAME_SCREEN_MS = 60_000

/** True if a fetch request belongs to the screen that is open now. @param askedAt ISO 8601 */
export const isForCurrentScreen = (askedAt: string, all: readonly Pick<Interest, 'askedAt'>[]): boolean =>
  all.every((other) => Date.parse(other.askedAt) - Date.parse(askedAt) < SAME_SCREEN_MS)

/** Stores the answer of a fetch request, unless the screen has repeated it meanwhile. */
export const fetchRequestAnswerer =
  (db: SyncDatabase, clock: { now(): number }) =>
  async ({ fetchRequest, state, total }: FetchAnswer): Promise<void> => {
    const answeredAt = isoOf(clock.now())
    const doc = await db.interests.findOne(fetchRequest.key).exec()
    await doc?.incrementalModify((latest) =>
      latest.askedAt === fetchRequest.askedAt ? { ...latest, state, total, answeredAt } : latest,
    )
  }

export const receiptRow = (collection: string, { owner, basis, stamp, at }: Receipt): Interest => {
  const read = { askedAt: at, state: 'answered', answeredAt: at, total: 0 } as const
  return { key: prefetchKey(collection, owner), kind: 'prefetch', because: basis, stamp, ...read }
}

export async function receiptsIn(db: SyncDatabase, collection: string): Promise<Receipt[]> {
  const prefix = prefetchKey(collection, '')
  const rows = await readOnce(db.interests, { selector: { key: { $gte: prefix, $lt: `${prefix}\uffff` } } })
  return rows.map(({ key, because: basis = '', stamp = '', answeredAt: at }) => ({
    owner: key.slice(prefix.length),
    basis,
    stamp,
    at,
  }))
}

/** Removes receipts, so that the lists of these owners count as never read. */
export const removeReceipts = (db: SyncDatabase, collection: string, owners: readonly string[]) =>
  db.interests.bulkRemove(owners.map((owner) => prefetchKey(collection, owner)))
