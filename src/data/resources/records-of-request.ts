/**
 * Records that belong to a request, such as 緊急報告, for screens: the content of the CRM with the local changes applied.
 * Refused and expired edits do not count (sync RULES ST1). A record whose creation failed is shown but not counted.
 */
import { map } from 'rxjs'
import { effectiveChanges } from '#schemas/changes/change-queue.ts'
import type { PushableRecord } from '#schemas/change.ts'
import type { RecordViews } from '#schemas/collections/collections.ts'
import type { ContentOf } from '#schemas/declare/declare.ts'
import type { declared } from '#schemas/collections/declared.ts'
import type { OfRequestCollection, PushCollection } from '#schemas/collections/push-collections.ts'
import type { RequestRecord } from '#schemas/resources/request.ts'
import { addChange, kindOfSave, newChange, NOTHING_SENT, type Saver } from '#data/changes/changes.ts'
import { shownChanges, isLockedByCrm } from '#data/database/counting.ts'
import type { Database } from '#data/database/database.ts'
import { findByIdOrKey, idOrKeySelector } from '#data/database/find-by-id.ts'
import { viewsWithOutbox$, type Outbox, unsentOf } from '#data/outbox/outbox.ts'
import { useLiveQuery } from '#data/context/app-context.tsx'
import { useFetchedList } from '#data/context/use-fetched-list.ts'
import { useFetchedRecord } from '#data/context/use-fetched-record.ts'

type Content<C extends OfRequestCollection> = ContentOf<(typeof declared)[C]>

export type ShownRecord<C extends OfRequestCollection> = NonNullable<ReturnType<typeof shown<C>>>

type FromCrm = { stamp: string; createdAt?: string | null; editStatus?: string | null }

/**
 * Returns what a screen shows about a record, and three contents: the CRM's, that of the last change that counts
 * (`shownChanges`), and that of the last change in any unsent state.
 */
export function shownParts(resource: PushCollection, record: PushableRecord, outbox: Outbox) {
  const { key, serverId } = record
  const server: FromCrm | undefined = record.server
  const changes = effectiveChanges(record.changes)
  const facts = {
    /** Id for links: the CRM id, or the local key without one. Both find the record. */
    id: serverId || key,
    lockedByCrm: isLockedByCrm(server),
    /** Most urgent send state of the record and its photos; null if all are sent. */
    unsent: unsentOf(outbox, resource, key)?.state ?? null,
  }
  const shownContent: unknown = shownChanges(changes, outbox.progress).at(-1)?.fields
  const unsentContent: unknown = changes.at(-1)?.fields
  return { facts, server, shownContent, unsentContent }
}

function shown<C extends OfRequestCollection>(collection: C, record: PushableRecord, outbox: Outbox) {
  const { facts, server, shownContent, unsentContent } = shownParts(collection, record, outbox)
  const content = shownContent ?? server ?? unsentContent
  if (!content) return null
  return {
    ...facts,
    record: record as RecordViews[C],
    content: content as Content<C>,
    /** The latest unsent content, with which the form opens (内容を開く). */
    unsentContent: unsentContent as Content<C> | undefined,
    /** ISO 8601; the time of the save until the CRM returns the record. */
    createdAt: server?.createdAt ?? record.changes[0]?.savedAt ?? null,
    /** True if the CRM has the record, or if it is still to be sent. */
    registered: server !== undefined || shownContent !== undefined,
  }
}

const createdMs = ({ createdAt }: { createdAt: string | null }) => Date.parse(createdAt ?? '') || 0

const shown$ = <C extends OfRequestCollection>(db: Database, collection: C, selector: object) =>
  viewsWithOutbox$(db, collection, selector).pipe(
    map(([records, outbox]) =>
      records
        .map((record) => shown(collection, record as PushableRecord, outbox))
        .filter((record) => record !== null)
        .toSorted((a, b) => createdMs(b) - createdMs(a)),
    ),
  )

/** Emits the records of a request, newest first. */
export const recordsOf$ = <C extends OfRequestCollection>(db: Database, collection: C, requestId: string) =>
  shown$(db, collection, { requestId })

const recordOf$ = <C extends OfRequestCollection>(db: Database, collection: C, id: string) =>
  shown$(db, collection, idOrKeySelector(id)).pipe(
    map((found) => {
      const records = found.map(({ record }) => record)
      const match = findByIdOrKey<RecordViews[OfRequestCollection]>(records, id)
      return found.find(({ record }) => record === match) ?? null
    }),
  )

/** Saves a new record of a request, or an edit. @param newKey key of a new record, if the caller must know it before */
export async function saveOfRequest<C extends OfRequestCollection>(
  saver: Saver,
  collection: C,
  { id: requestId, workingDate }: Pick<RequestRecord, 'id' | 'workingDate'>,
  content: Content<C>,
  record: RecordViews[C] | null = null,
  newKey: string = saver.newId(),
): Promise<void> {
  const kind = record ? await kindOfSave(saver.db, { collection, key: record.key }, record) : 'create'
  const edit = newChange(saver, kind, content)
  const change = record ? edit : { ...edit, id: newKey }
  const blank: PushableRecord = { key: newKey, requestId, workingDate, ...NOTHING_SENT }
  await addChange(saver.db, collection, record ?? blank, change)
}

const useRecordsOf = <C extends OfRequestCollection>(collection: C, requestId: string) =>
  useLiveQuery(`${collection} of ${requestId}`, (db) => recordsOf$(db, collection, requestId))

/** Returns the records of a request on the device; `isRead`: all of them. Requests nothing from the CRM. */
export function useRecordsKnown<C extends OfRequestCollection>(collection: C, requestId: string) {
  const records = useRecordsOf(collection, requestId)
  return { records, isRead: useFetchedList({ collection, owner: requestId }, { ask: false }).isRead }
}

/** Returns the records of a request for a list, and requests them from the CRM. */
export function useRecordList<C extends OfRequestCollection>(collection: C, requestId: string) {
  const records = useRecordsOf(collection, requestId)
  const list = useFetchedList({ collection, owner: requestId, requestId }, { ask: requestId !== '' })
  return { records, loadState: list.loadState(records?.length), retry: list.retry }
}

/** Returns the record with this CRM id or local key, and requests it if it is not on the device. */
export function useRecord<C extends OfRequestCollection>(collection: C, id: string) {
  const found = useLiveQuery(`${collection} ${id}`, (db) => recordOf$(db, collection, id))
  return useFetchedRecord(collection, id, found)
}
