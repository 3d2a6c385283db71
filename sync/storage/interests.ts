/**
 * Two things share the kind `interests` (`schemas/device/interest.ts`): what a screen asks, of which there are a few, and the
 * pull's own receipts that a list was read and is on the device (kind prefetch), of which there are thousands. Here each has
 * its type, its codec and its query; the stored rows stay as they are.
 */
import { combineLatest, map, type Observable } from 'rxjs'
import type { Interest } from '#schemas/device/interest.ts'
import { PREFETCH_KEYS, prefetchKey } from '#schemas/collections/prefetch-keys.ts'
import type { SyncDatabase } from './database.ts'
import { readOnce } from './read-once.ts'

/** What a screen asks, and how it was answered. */
export type Question = Omit<Interest, 'kind' | 'because' | 'stamp'> & {
  kind: Exclude<Interest['kind'], 'prefetch'>
}

/** A list was read, and its documents are on the device. */
export interface Receipt {
  owner: string
  /** What its requests said of it, as a digest: another word, and it is read again. */
  because: string
  /** ISO 8601, wall clock of the read. */
  at: string
  stamp: string
}

/** The keys of questions: those of receipts lie between them. */
const BESIDE_RECEIPTS = [{ $lt: PREFETCH_KEYS.from }, { $gte: PREFETCH_KEYS.before }]

/** Null where the row is a receipt. */
export function questionOf(row: Interest): Question | null {
  const { because: _because, stamp: _stamp, kind, ...question } = row
  return kind === 'prefetch' ? null : { ...question, kind }
}

/** Every question, asked or answered. */
export async function questionsIn(db: SyncDatabase): Promise<Question[]> {
  const found = await Promise.all(
    BESIDE_RECEIPTS.map((key) => db.interests.find({ selector: { key } }).exec()),
  )
  return found.flat().flatMap((doc) => questionOf(doc.toMutableJSON()) ?? [])
}

/** What screens ask and nobody has answered yet. @param kind only of this kind */
export const openFetchRequests$ = (db: SyncDatabase, kind?: Question['kind']): Observable<Question[]> =>
  combineLatest(
    BESIDE_RECEIPTS.map(
      (key) => db.interests.find({ selector: { key, state: 'asked', ...(kind && { kind }) } }).$,
    ),
  ).pipe(map((found) => found.flat().flatMap((doc) => questionOf(doc.toMutableJSON()) ?? [])))

/** Null where the row is a question, or a receipt of another collection. */
export function receiptOf(
  collection: string,
  { key, kind, because = '', stamp = '', answeredAt }: Interest,
): Receipt | null {
  const prefix = prefetchKey(collection, '')
  if (kind !== 'prefetch' || !key.startsWith(prefix)) return null
  return { owner: key.slice(prefix.length), because, stamp, at: answeredAt }
}

export const receiptRow = (collection: string, { owner, because, stamp, at }: Receipt): Interest => ({
  key: prefetchKey(collection, owner),
  kind: 'prefetch',
  because,
  stamp,
  askedAt: at,
  state: 'answered',
  answeredAt: at,
  total: 0,
})

/** The receipts of one collection's lists. */
export async function receiptsIn(db: SyncDatabase, collection: string): Promise<Receipt[]> {
  const prefix = prefetchKey(collection, '')
  const rows = await readOnce(db.interests, { selector: { key: { $gte: prefix, $lt: `${prefix}\uffff` } } })
  return rows.flatMap((row) => receiptOf(collection, row) ?? [])
}

/** @param owners whose lists are to count as never read */
export const removeReceipts = (db: SyncDatabase, collection: string, owners: readonly string[]) =>
  db.interests.bulkRemove(owners.map((owner) => prefetchKey(collection, owner)))
