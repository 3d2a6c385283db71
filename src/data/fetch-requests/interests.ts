/**
 * Fetch requests: a screen writes a document that names the records it needs, and the pull reads them when it can
 * (schemas/device/interest). Nothing waits for the answer.
 */
import { map, type Observable } from 'rxjs'
import type { Interest } from '#schemas/device/interest.ts'
import { prefetchKey, UNREAD_DAYS_BY, WINDOW_LIST } from '#schemas/collections/prefetch-keys.ts'
import type { PrefetchedCollection } from '#schemas/collections/prefetch.ts'
import type { RequestFilter } from '#schemas/resources/request-filter.ts'
import type { Database } from '#data/database/database.ts'

/**
 * Writes a fetch request. Uses `upsert`, because a failed incremental upsert leaves a rejection that cannot
 * be caught. An error is ignored if a logout is closing the database.
 */
export async function ask(
  db: Database,
  now: number,
  interest: Pick<Interest, 'key' | 'kind'> & Partial<Interest>,
): Promise<void> {
  const askedAt = new Date(now).toISOString()
  const asked: Interest = { total: 0, answeredAt: '', ...interest, askedAt, state: 'asked' }
  await db.interests.upsert(asked).catch((error: unknown) => {
    if (!db.closed) throw error
  })
}

export const SEARCH_INTEREST = 'search'

/** Requests a search in the CRM. Its results are added to the local list. */
export const askSearch = (db: Database, now: number, filter: RequestFilter) =>
  ask(db, now, { key: SEARCH_INTEREST, kind: 'search', filter })

/** Requests one visit with all its details, because it is on the screen. */
export const askDetail = (db: Database, now: number, requestId: string, workingDate: string) =>
  ask(db, now, { key: detailInterest(requestId, workingDate), kind: 'detail', requestId, workingDate })

export const detailInterest = (requestId: string, workingDate: string) => `detail_${requestId}_${workingDate}`

/** Requests one record by its CRM id, because the URL names it. */
export const askRecord = (db: Database, now: number, collection: FetchableCollection, id: string) =>
  ask(db, now, { key: recordInterest(collection, id), kind: 'detail', resource: collection, recordKey: id })

export type FetchableCollection = PrefetchedCollection | 'quickReports'

export const recordInterest = (collection: FetchableCollection, id: string) => `record_${collection}_${id}`

export const askList = (db: Database, now: number, { collection, owner, ...more }: ListFetchRequest) =>
  ask(db, now, {
    key: listInterest(collection, owner),
    kind: 'list',
    resource: collection,
    recordKey: owner,
    ...more,
  })

export interface ListFetchRequest {
  collection: PrefetchedCollection
  /** Id of the record that the list belongs to, for example an area or a machine. */
  owner: string
  /** Id of a request through which the list can be read. */
  requestId?: string
  /** Number of pages to read, if more than the pull reads by default. */
  pages?: number
}

export const listInterest = (collection: PrefetchedCollection, owner: string) => `list_${collection}_${owner}`

/** Emits true if the whole list is on the device, read for any reason. */
export const isListRead$ = (db: Database, { collection, owner }: ListFetchRequest): Observable<boolean> =>
  interest$(db, prefetchKey(collection, owner)).pipe(map((mark) => mark !== null))

export interface WindowRead {
  /** When the read ended, ISO 8601. */
  at: string
  /** Days on which a row could not be read. */
  unreadDays: readonly string[]
}

/** The last complete read of the window; null if this device has none. */
export const windowRead$ = (db: Database): Observable<WindowRead | null> =>
  interest$(db, prefetchKey(WINDOW_LIST.collection, WINDOW_LIST.owner)).pipe(
    map((receipt) => receipt && { at: receipt.answeredAt, unreadDays: unreadDaysOf(receipt) }),
  )

const unreadDaysOf = ({ because = '' }: Interest) => because.split(UNREAD_DAYS_BY).filter(Boolean)

/** Stores the user's request to send and to read now (今すぐ送信, データを今すぐ更新). */
export const askRefresh = (db: Database, now: number) =>
  ask(db, now, { key: REFRESH_INTEREST, kind: 'refresh' })

export const REFRESH_INTEREST = 'refresh'

/** Repeats all failed fetch requests, which are tried at once (再読み込み, sync RULES PL8). */
export async function askAgain(db: Database, now: number): Promise<void> {
  for (const doc of await db.interests.find({ selector: { state: 'failed' } }).exec()) {
    const { total: _total, answeredAt: _answeredAt, ...interest } = doc.toMutableJSON()
    await ask(db, now, interest)
  }
}

/** The state of a fetch request, live; null if no screen has made the fetch request. */
export const interest$ = (db: Database, key: string): Observable<Interest | null> =>
  db.interests.findOne(key).$.pipe(map((doc) => doc?.toMutableJSON() ?? null))
