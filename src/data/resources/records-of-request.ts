/**
 * Records of which a request has a list (緊急報告), as a person sees them: what the CRM confirmed, and over it what was saved
 * here and still travels. An edit that was refused or expired does not count (sync RULES ST1); a record that was not made
 * at all is shown with its state, because nothing but this device knows of it, and is not counted.
 */
import { combineLatest, map, type Observable } from 'rxjs'
import { effectiveChanges, type SendState } from '#schemas/changes/change-queue.ts'
import type { PushableRecord } from '#schemas/change.ts'
import type { RecordViews } from '#schemas/collections/collections.ts'
import type { ContentOf } from '#schemas/declare/declare.ts'
import type { declared } from '#schemas/collections/declared.ts'
import type { OfRequestCollection } from '#schemas/collections/push-collections.ts'
import type { RequestRecord } from '#schemas/resources/request.ts'
import { addChange, kindOfSave, newChange, NOTHING_SENT, type Saver } from '#data/changes/changes.ts'
import { counting, isTaken } from '#data/database/counting.ts'
import type { Database } from '#data/database/database.ts'
import { findByIdOrKey, idOrKeySelector, isOfIdOrKey } from '#data/database/find-by-id.ts'
import { outbox$, type Outbox } from '#data/outbox/outbox.ts'
import { views$ } from '#data/changes/record-views.ts'
import { unsentOf } from '#data/outbox/unsent.ts'

type Content<C extends OfRequestCollection> = ContentOf<(typeof declared)[C]>

export interface ShownRecord<C extends OfRequestCollection> {
  record: RecordViews[C]
  /** For links: the CRM's id, else the local key; both are found. */
  id: string
  content: Content<C>
  /** What was saved here last and has not reached the CRM: the form opens with it (内容を開く). */
  unsentContent: Content<C> | undefined
  /** ISO 8601; of one that the CRM does not have yet, when it was saved. */
  createdAt: string | null
  /** The CRM has taken it over: no more edits (ec00008). */
  taken: boolean
  /** Where the record and its photos stand; null when all is sent. */
  unsent: SendState | null
  /** In the CRM, or on its way there. */
  registered: boolean
}

/** What the CRM may say of a record, beside its content. */
type Told = { stamp: string; createdAt?: string | null; editStatus?: string | null }

/** @returns null where nothing is known of it but a row that was given up */
function shown<C extends OfRequestCollection>(
  collection: C,
  record: PushableRecord,
  outbox: Outbox,
): ShownRecord<C> | null {
  const { key, serverId } = record
  const server: Told | undefined = record.server
  const changes = effectiveChanges(record.changes)
  const alive = counting(changes, outbox.ledger)
  const content = alive.at(-1)?.fields ?? server ?? changes.at(-1)?.fields
  if (!content) return null
  return {
    record: record as RecordViews[C],
    id: serverId || key,
    content: content as Content<C>,
    unsentContent: changes.at(-1)?.fields as Content<C> | undefined,
    createdAt: server?.createdAt ?? record.changes[0]?.savedAt ?? null,
    taken: isTaken(server),
    unsent: unsentOf(outbox, collection, key)?.state ?? null,
    registered: server !== undefined || alive.length > 0,
  }
}

const at = ({ createdAt }: { createdAt: string | null }) => Date.parse(createdAt ?? '') || 0

const shown$ = <C extends OfRequestCollection>(
  db: Database,
  collection: C,
  selector: object,
  fits: (record: RecordViews[C]) => boolean,
): Observable<ShownRecord<C>[]> =>
  combineLatest([views$(db, collection, selector, fits), outbox$(db)]).pipe(
    map(([records, outbox]) =>
      records
        .map((record) => shown(collection, record as PushableRecord, outbox))
        .filter((record) => record !== null)
        .toSorted((a, b) => at(b) - at(a)),
    ),
  )

/** All of one request, newest first. */
export const recordsOf$ = <C extends OfRequestCollection>(db: Database, collection: C, requestId: string) =>
  shown$(db, collection, { requestId }, (record) => record.requestId === requestId)

/** The record of an id: the CRM's, or the local key; null where none is on the device. */
export const recordOf$ = <C extends OfRequestCollection>(
  db: Database,
  collection: C,
  id: string,
): Observable<ShownRecord<C> | null> =>
  shown$(db, collection, idOrKeySelector(id), isOfIdOrKey(id)).pipe(
    map((found) => {
      const records = found.map(({ record }) => record)
      const meant = findByIdOrKey<RecordViews[OfRequestCollection]>(records, id)
      return found.find(({ record }) => record === meant) ?? null
    }),
  )

/**
 * A new one of a request, or what is on the device changed.
 * @param record the one that is edited; null for a new one
 * @param newKey the key that a new one gets, where it has to be known before
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
  const made = newChange(saver, kind, content)
  const change = record ? made : { ...made, id: newKey }
  const blank: PushableRecord = { key: newKey, requestId, workingDate, ...NOTHING_SENT }
  await addChange(saver.db, collection, record ?? blank, change)
}
