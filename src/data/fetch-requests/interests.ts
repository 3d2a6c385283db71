/** Screens say what they would like to have; the pull answers when it can (schemas/interest). Nothing here waits. */
import { map, type Observable } from 'rxjs'
import type { Interest } from '#schemas/device/interest.ts'
import { prefetchKey, UNREAD_DAYS_BY, WINDOW_LIST } from '#schemas/collections/prefetch-keys.ts'
import type { PrefetchedCollection } from '#schemas/collections/prefetch.ts'
import type { RequestFilter } from '#schemas/resources/request-filter.ts'
import type { Database } from '#data/database/database.ts'

/** Writes an interest (not by the incremental upsert: a failed one leaves a rejection nobody can catch). What was asked while the database closed (logout) nobody wants any more. */
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

/** Widen the list by what the CRM finds. */
export const askSearch = (db: Database, now: number, filter: RequestFilter) =>
  ask(db, now, { key: SEARCH_INTEREST, kind: 'search', filter })

/** One request whole, now: it is on the screen. */
export const askDetail = (db: Database, now: number, requestId: string, workingDate: string) =>
  ask(db, now, { key: detailInterest(requestId, workingDate), kind: 'detail', requestId, workingDate })

export const detailInterest = (requestId: string, workingDate: string) => `detail_${requestId}_${workingDate}`

/** One record by the CRM's id, now: the address of the screen names it. */
export const askRecord = (db: Database, now: number, collection: FetchableCollection, id: string) =>
  ask(db, now, { key: recordInterest(collection, id), kind: 'detail', resource: collection, recordKey: id })

/** What can be asked for by its id. */
export type FetchableCollection = PrefetchedCollection | 'quickReports'

export const recordInterest = (collection: FetchableCollection, id: string) => `record_${collection}_${id}`

/** A list of records, now. */
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
  /** What the list belongs to: an area, a device. */
  owner: string
  /** A request through which it can be read. */
  requestId?: string
  /** How many pages, where the pull would read fewer. */
  pages?: number
}

export const listInterest = (collection: PrefetchedCollection, owner: string) => `list_${collection}_${owner}`

/** Whether a list was read whole and is on the device, for whichever reason it was read. */
export const isListRead$ = (db: Database, { collection, owner }: ListFetchRequest): Observable<boolean> =>
  interest$(db, prefetchKey(collection, owner)).pipe(map((mark) => mark !== null))

export interface WindowRead {
  /** When the round began, ISO 8601. */
  at: string
  /** Days with a row that could not be read. */
  unreadDays: readonly string[]
}

/** What a round has read that has read the window's days whole; null where none has, on this device. */
export const windowRead$ = (db: Database): Observable<WindowRead | null> =>
  interest$(db, prefetchKey(WINDOW_LIST.collection, WINDOW_LIST.owner)).pipe(
    map((receipt) => receipt && { at: receipt.answeredAt, unreadDays: unreadDaysOf(receipt) }),
  )

const unreadDaysOf = ({ because = '' }: Interest) => because.split(UNREAD_DAYS_BY).filter(Boolean)

/** 今すぐ送信, データを今すぐ更新: send and read anew at once. */
export const askRefresh = (db: Database, now: number) =>
  ask(db, now, { key: REFRESH_INTEREST, kind: 'refresh' })

export const REFRESH_INTEREST = 'refresh'

/** 再読み込み: what the CRM could not give is asked for anew, and tried at once (sync RULES PL8). */
export async function askAgain(db: Database, now: number): Promise<void> {
  for (const doc of await db.interests.find({ selector: { state: 'failed' } }).exec()) {
    const { total: _total, answeredAt: _answeredAt, ...interest } = doc.toMutableJSON()
    await ask(db, now, interest)
  }
}

/** What became of an interest; null while nobody has asked. */
export const interest$ = (db: Database, key: string): Observable<Interest | null> =>
  db.interests.findOne(key).$.pipe(map((doc) => doc?.toMutableJSON() ?? null))
