/**
 * The kind `interests` (`schemas/device/interest.ts`) contains two things: the few requests of screens
 * ("questions"), and the pull's own thousands of records of which lists were read ("receipts", kind
 * `prefetch`). Each has its own type, conversion and query here; both share the stored form.
 */
import { combineLatest, map, type Observable } from 'rxjs'
import type { Interest } from '#schemas/device/interest.ts'
import { PREFETCH_KEYS, prefetchKey } from '#schemas/collections/prefetch-keys.ts'
import type { SyncDatabase } from './database.ts'
import { readOnce } from './device-rows.ts'

/** A screen's fetch request and its answer. */
export type Question = Omit<Interest, 'kind' | 'because' | 'stamp'> & {
  kind: Exclude<Interest['kind'], 'prefetch'>
}

/** Identifies a question of a screen at one time; the same question at another time is a different one. */
export type QuestionId = Pick<Question, 'key' | 'askedAt'>

/** The answer to a question. */
export interface QuestionAnswer {
  question: QuestionId
  state: Exclude<Question['state'], 'asked'>
  total: number
}

/** States that a list was read and that its rows are on the device. */
export interface Receipt {
  owner: string
  /** Digest of the request fields that concern the list. If it differs, the list is read again. */
  because: string
  /** ISO 8601, wall clock of the read. */
  at: string
  stamp: string
}

/** Key ranges of questions: before and after the keys of receipts. */
const BESIDE_RECEIPTS = [{ $lt: PREFETCH_KEYS.from }, { $gte: PREFETCH_KEYS.before }]

/** Converts a row to a question; null for a receipt. */
export function questionOf(row: Interest): Question | null {
  const { because: _because, stamp: _stamp, kind, ...question } = row
  return kind === 'prefetch' ? null : { ...question, kind }
}

/** All fetch requests, answered or not. */
export async function questionsIn(db: SyncDatabase): Promise<Question[]> {
  const found = await Promise.all(
    BESIDE_RECEIPTS.map((key) => db.interests.find({ selector: { key } }).exec()),
  )
  return found.flat().flatMap((doc) => questionOf(doc.toMutableJSON()) ?? [])
}

/**
 * Unanswered questions, live.
 * @param kind limits the result to this kind
 */
export const openFetchRequests$ = (db: SyncDatabase, kind?: Question['kind']): Observable<Question[]> =>
  combineLatest(
    BESIDE_RECEIPTS.map(
      (key) => db.interests.find({ selector: { key, state: 'asked', ...(kind && { kind }) } }).$,
    ),
  ).pipe(map((found) => found.flat().flatMap((doc) => questionOf(doc.toMutableJSON()) ?? [])))

/**
 * Identifies a question together with the time it was asked, so that a repeated question is a different one.
 */
export const questionName = ({ key, askedAt }: QuestionId) => `${key} ${askedAt}`

/**
 * The fetch requests of a kind that must still be answered: open ones, and failed ones that are retried (RULES PL8).
 * The latest first.
 */
export async function openQuestions(
  db: SyncDatabase,
  { isStillTried }: { isStillTried(name: string): boolean },
  isRelevant: (question: Question) => boolean,
): Promise<Question[]> {
  const found = await questionsIn(db)
  return found
    .filter(isRelevant)
    .filter((one) => one.state === 'asked' || (one.state === 'failed' && isStillTried(questionName(one))))
    .toSorted((a, b) => (a.askedAt > b.askedAt ? -1 : 1))
}

/** Fetch requests less than a minute older than the latest count as those of one screen. */
const SAME_SCREEN_MS = 60_000

/**
 * True if a fetch request belongs to the screen that is open now.
 * @param at when it was made, ISO 8601
 */
export const isForCurrentScreen = (at: string, questions: readonly Pick<Interest, 'askedAt'>[]): boolean =>
  questions.every(({ askedAt }) => Date.parse(askedAt) - Date.parse(at) < SAME_SCREEN_MS)

/** Returns a function that answers a question, unless the screen has asked again since: that one stays open. */
export const questionAnswerer =
  (db: SyncDatabase, clock: { now(): number }) =>
  async ({ question, state, total }: QuestionAnswer): Promise<void> => {
    const answeredAt = new Date(clock.now()).toISOString()
    const doc = await db.interests.findOne(question.key).exec()
    const isSame = ({ askedAt }: Interest) => askedAt === question.askedAt
    if (!doc || !isSame(doc)) return
    // Checked again within the write, because another tab may have asked again meanwhile.
    await doc.incrementalModify((latest) =>
      isSame(latest) ? { ...latest, state, total, answeredAt } : latest,
    )
  }

/** Converts a row to a receipt; null for a question or a receipt of another collection. */
export function receiptOf(
  collection: string,
  { key, kind, because = '', stamp = '', answeredAt }: Interest,
): Receipt | null {
  const prefix = prefetchKey(collection, '')
  if (kind !== 'prefetch' || !key.startsWith(prefix)) return null
  return { owner: key.slice(prefix.length), because, stamp, at: answeredAt }
}

/** Converts a receipt to its row. */
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

/** The receipts of one collection. */
export async function receiptsIn(db: SyncDatabase, collection: string): Promise<Receipt[]> {
  const prefix = prefetchKey(collection, '')
  const rows = await readOnce(db.interests, { selector: { key: { $gte: prefix, $lt: `${prefix}\uffff` } } })
  return rows.flatMap((row) => receiptOf(collection, row) ?? [])
}

/**
 * Removes receipts, so that the lists count as never read.
 * @param owners of the lists
 */
export const removeReceipts = (db: SyncDatabase, collection: string, owners: readonly string[]) =>
  db.interests.bulkRemove(owners.map((owner) => prefetchKey(collection, owner)))
