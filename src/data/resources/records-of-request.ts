/**
 * Records of which a request has a list, such as 緊急報告, as screens show them: the CRM's content with the local changes
 * applied. A refused or expired edit does not count (sync RULES ST1). A record whose creation failed is shown with its
 * state, because only this device knows the record, but it is not counted.
 */
import { map, type Observable } from 'rxjs'
import { effectiveChanges, type SendState } from '#schemas/changes/change-queue.ts'
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
import { viewsWithOutbox$, type Outbox } from '#data/outbox/outbox.ts'
import { unsentOf } from '#data/outbox/unsent.ts'
import { useLiveQuery } from '#data/context/app-context.tsx'
import { useFetchedList } from '#data/context/use-fetched-list.ts'
import { useFetchedRecord } from '#data/context/use-fetched-record.ts'

type Content<C extends OfRequestCollection> = ContentOf<(typeof declared)[C]>

/** The properties that screens show of a record in any collection. */
export interface ShownFacts {
  /** Id for links: the CRM's id, else the local key. A record is found by either. */
  id: string
  /** True if the CRM has locked the record against edits (ec00008). */
  lockedByCrm: boolean
  /** Most urgent send state of the record and its photos; null if all is sent. */
  unsent: SendState | null
}

export interface ShownRecord<C extends OfRequestCollection> extends ShownFacts {
  record: RecordViews[C]
  content: Content<C>
  /** The last local content that has not reached the CRM; the form opens with it (内容を開く). */
  unsentContent: Content<C> | undefined
  /** ISO 8601; the time of the save if the CRM does not have the record yet. */
  createdAt: string | null
  /** True if the record is in the CRM or on its way there. */
  registered: boolean
}

/** Properties of a record that the CRM may return beside the content. */
type FromCrm = { stamp: string; createdAt?: string | null; editStatus?: string | null }

/** The shown facts of a record, with the contents that a screen chooses from. */
export function shownParts(resource: PushCollection, record: PushableRecord, outbox: Outbox) {
  const { key, serverId } = record
  const server: FromCrm | undefined = record.server
  const changes = effectiveChanges(record.changes)
  const facts: ShownFacts = {
    id: serverId || key,
    lockedByCrm: isLockedByCrm(server),
    unsent: unsentOf(outbox, resource, key)?.state ?? null,
  }
  const shownContent: unknown = shownChanges(changes, outbox.progress).at(-1)?.fields
  const unsentContent: unknown = changes.at(-1)?.fields
  return { facts, server, shownContent, unsentContent }
}

/** The view of a record; null if it has no content, because its creation was discarded. */
function shown<C extends OfRequestCollection>(
  collection: C,
  record: PushableRecord,
  outbox: Outbox,
): ShownRecord<C> | null {
  const { facts, server, shownContent, unsentContent } = shownParts(collection, record, outbox)
  const content = shownContent ?? server ?? unsentContent
  if (!content) return null
  return {
    ...facts,
    record: record as RecordViews[C],
    content: content as Content<C>,
    unsentContent: unsentContent as Content<C> | undefined,
    createdAt: server?.createdAt ?? record.changes[0]?.savedAt ?? null,
    registered: server !== undefined || shownContent !== undefined,
  }
}

const createdMs = ({ createdAt }: { createdAt: string | null }) => Date.parse(createdAt ?? '') || 0

const shown$ = <C extends OfRequestCollection>(
  db: Database,
  collection: C,
  selector: object,
): Observable<ShownRecord<C>[]> =>
  viewsWithOutbox$(db, collection, selector).pipe(
    map(([records, outbox]) =>
      records
        .map((record) => shown(collection, record as PushableRecord, outbox))
        .filter((record) => record !== null)
        .toSorted((a, b) => createdMs(b) - createdMs(a)),
    ),
  )

/** Newest first. */
export const recordsOf$ = <C extends OfRequestCollection>(db: Database, collection: C, requestId: string) =>
  shown$(db, collection, { requestId })

/** A record by CRM id or local key; null if none is on the device. */
const recordOf$ = <C extends OfRequestCollection>(
  db: Database,
  collection: C,
  id: string,
): Observable<ShownRecord<C> | null> =>
  shown$(db, collection, idOrKeySelector(id)).pipe(
    map((found) => {
      const records = found.map(({ record }) => record)
      const match = findByIdOrKey<RecordViews[OfRequestCollection]>(records, id)
      return found.find(({ record }) => record === match) ?? null
    }),
  )

/**
 * Saves a new record of a request, or an edit.
 * @param record the edited record; null for a new record
 * @param newKey key of a new record, if the caller must know it beforehand
 */
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

/** The records of a request, newest first; undefined until they were read. */
const useRecordsOf = <C extends OfRequestCollection>(collection: C, requestId: string) =>
  useLiveQuery(`${collection} of ${requestId}`, (db) => recordsOf$(db, collection, requestId))

/** The local records of a request; `isRead` is true if the whole list is on the device. Requests nothing. */
export function useRecordsKnown<C extends OfRequestCollection>(collection: C, requestId: string) {
  const records = useRecordsOf(collection, requestId)
  return { records, isRead: useFetchedList({ collection, owner: requestId }, { ask: false }).isRead }
}

/** The records of a request for a screen that lists them. Requests the list from the CRM. */
export function useRecordList<C extends OfRequestCollection>(collection: C, requestId: string) {
  const records = useRecordsOf(collection, requestId)
  const list = useFetchedList({ collection, owner: requestId, requestId }, { ask: requestId !== '' })
  return { records, loadState: list.loadState(records?.length), retry: list.retry }
}

/** A record by CRM id or local key. Requests the record if it is not on the device. */
export function useRecord<C extends OfRequestCollection>(collection: C, id: string) {
  const found = useLiveQuery(`${collection} ${id}`, (db) => recordOf$(db, collection, id))
  return useFetchedRecord(collection, id, found)
}
