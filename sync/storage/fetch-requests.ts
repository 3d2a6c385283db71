/**
 * Reads and writes the kind `interests` (`schemas/device/interest.ts`), which has two sorts of rows:
 *
 * - The few fetch requests of screens, with their answers.
 * - The pull's own receipts (kind `prefetch`), one for each of thousands of lists that were read.
 *
 * Each sort has its own type, conversion and query here.
 */
import type { RxDocument } from 'rxdb'
import { combineLatest, map, type Observable } from 'rxjs'
import type { Interest } from '#schemas/device/interest.ts'
import { PREFETCH_KEYS, prefetchKey } from '#schemas/collections/prefetch-keys.ts'
import type { SyncDatabase } from './database.ts'
import { readOnce } from './device-rows.ts'

export type FetchRequest = Interest & { kind: Exclude<Interest['kind'], 'prefetch'> }

/** A screen that repeats a fetch request makes a new one with the same key. */
export type FetchRequestId = Pick<FetchRequest, 'key' | 'askedAt'>

export interface FetchAnswer {
  fetchRequest: FetchRequestId
  state: Exclude<FetchRequest['state'], 'asked'>
  total: number
}

/** Proves that a list was read and that its rows are on the device. */
export interface Receipt {
  owner: string
  /** Digest of the request fields that the list depends on. If the digest has changed, the list is read again. */
  basis: string
  /** ISO 8601, wall clock of the read. */
  at: string
  stamp: string
}

/** Key ranges of fetch requests: before and after the keys of receipts. */
const FETCH_REQUEST_KEYS = [{ $lt: PREFETCH_KEYS.from }, { $gte: PREFETCH_KEYS.before }]

const isFetchRequest = (row: Interest): row is FetchRequest => row.kind !== 'prefetch'
const fetchRequestsOf = (found: RxDocument<Interest>[][]): FetchRequest[] =>
  found.flatMap((docs) => docs.map((doc) => doc.toMutableJSON()).filter(isFetchRequest))

export async function fetchRequestsIn(db: SyncDatabase): Promise<FetchRequest[]> {
  const found = await Promise.all(
    FETCH_REQUEST_KEYS.map((key) => db.interests.find({ selector: { key } }).exec()),
  )
  return fetchRequestsOf(found)
}

/** Unanswered fetch requests. @param kind limits the result to this kind */
export const openFetchRequests$ = (
  db: SyncDatabase,
  kind?: FetchRequest['kind'],
): Observable<FetchRequest[]> =>
  combineLatest(
    FETCH_REQUEST_KEYS.map(
      (key) => db.interests.find({ selector: { key, state: 'asked', ...(kind && { kind }) } }).$,
    ),
  ).pipe(map(fetchRequestsOf))

/** Name of a fetch request, different for each repetition. */
export const fetchRequestName = ({ key, askedAt }: FetchRequestId) => `${key} ${askedAt}`

/** The fetch requests that need an answer: open ones, and failed ones that are retried (RULES PL8). Latest first. */
export async function pendingFetchRequests(
  db: SyncDatabase,
  { isStillTried }: { isStillTried(name: string): boolean },
  isRelevant: (fetchRequest: FetchRequest) => boolean,
): Promise<FetchRequest[]> {
  const found = (await fetchRequestsIn(db)).filter(isRelevant)
  return found
    .filter((one) => one.state === 'asked' || (one.state === 'failed' && isStillTried(fetchRequestName(one))))
    .toSorted((a, b) => (a.askedAt > b.askedAt ? -1 : 1))
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
    const answeredAt = new Date(clock.now()).toISOString()
    const doc = await db.interests.findOne(fetchRequest.key).exec()
    await doc?.incrementalModify((latest) =>
      latest.askedAt === fetchRequest.askedAt ? { ...latest, state, total, answeredAt } : latest,
    )
  }

/** Converts a row to a receipt; null for a fetch request or a receipt of another collection. */
export function receiptOf(
  collection: string,
  { key, kind, because: basis = '', stamp = '', answeredAt: at }: Interest,
): Receipt | null {
  const prefix = prefetchKey(collection, '')
  if (kind !== 'prefetch' || !key.startsWith(prefix)) return null
  return { owner: key.slice(prefix.length), basis, stamp, at }
}

export const receiptRow = (collection: string, { owner, basis, stamp, at }: Receipt): Interest => ({
  key: prefetchKey(collection, owner),
  kind: 'prefetch',
  because: basis,
  stamp,
  askedAt: at,
  state: 'answered',
  answeredAt: at,
  total: 0,
})

export async function receiptsIn(db: SyncDatabase, collection: string): Promise<Receipt[]> {
  const prefix = prefetchKey(collection, '')
  const rows = await readOnce(db.interests, { selector: { key: { $gte: prefix, $lt: `${prefix}\uffff` } } })
  return rows.flatMap((row) => receiptOf(collection, row) ?? [])
}

/** Removes receipts, so that the lists of these owners count as never read. */
export const removeReceipts = (db: SyncDatabase, collection: string, owners: readonly string[]) =>
  db.interests.bulkRemove(owners.map((owner) => prefetchKey(collection, owner)))
