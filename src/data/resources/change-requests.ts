/**
 * Change requests (変更依頼) as screens show them: the CRM's content with the local changes applied. A refused or
 * expired save does not count, because screens never show more than the CRM answered (sync RULES ST1).
 */
import { combineLatest, map, of, switchMap, type Observable } from 'rxjs'
import { effectiveChanges, type SendState } from '#schemas/changes/change-queue.ts'
import type { PushableRecord } from '#schemas/change.ts'
import { ContactType, RegistrationStatus } from '#schemas/codes.ts'
import type { RecordViews } from '#schemas/collections/collections.ts'
import type { ContactTypeCode } from '#schemas/resources/location-contact-change-request.ts'
import type { RequestRecord } from '#schemas/resources/request.ts'
import { counting, isTaken } from '#data/database/counting.ts'
import type { Database } from '#data/database/database.ts'
import { findByIdOrKey, idOrKeySelector, isKeyAmbiguous, isOfIdOrKey } from '#data/database/find-by-id.ts'
import { outbox$, type Outbox } from '#data/outbox/outbox.ts'
import { views$ } from '#data/changes/record-views.ts'
import { unsentOf } from '#data/outbox/unsent.ts'

export type ChangeCollection = 'customerLocationChangeRequests' | 'locationContactChangeRequests'

type Change<C extends ChangeCollection> = RecordViews[C]['changes'][number]
type Fields<C extends ChangeCollection> = Change<C>['fields']

export interface ChangeRequest<C extends ChangeCollection> {
  record: RecordViews[C]
  /** Id for links: the CRM's id, else the local key. Both are found. */
  id: string
  /** The content; null if the CRM has none and no local change counts. */
  content: Fields<C> | null
  /** The last local content that has not reached the CRM; a form opens with it (内容を開く). */
  unsentContent: Fields<C> | undefined
  /** True if the CRM has locked it against edits (ec00008). */
  taken: boolean
  /** Send state of the last unsent save; null if all is sent. */
  unsent: SendState | null
  /**
   * True if a local change counts that `record.server` does not contain yet, even if the CRM has just
   * accepted it.
   */
  isAhead: boolean
}

function toChangeRequest<C extends ChangeCollection>(
  resource: C,
  record: RecordViews[C],
  outbox: Outbox,
): ChangeRequest<C> {
  // The type of either collection.
  const view: PushableRecord = record
  const changes = effectiveChanges(view.changes)
  const alive = counting(changes, outbox.ledger)
  const content: unknown = alive.at(-1)?.fields ?? view.server ?? null
  return {
    record,
    id: view.serverId || view.key,
    content: content as Fields<C> | null,
    unsentContent: changes.at(-1)?.fields as Fields<C> | undefined,
    taken: isTaken(view.server as { editStatus?: string | null } | undefined),
    unsent: unsentOf(outbox, resource, view.key)?.state ?? null,
    isAhead: alive.length > 0,
  }
}

function changeRequests$<C extends ChangeCollection>(
  db: Database,
  resource: C,
  selector: object,
  fits: (record: RecordViews[C]) => boolean,
): Observable<ChangeRequest<C>[]> {
  return combineLatest([views$(db, resource, selector, fits), outbox$(db)]).pipe(
    map(([records, outbox]) => records.map((record) => toChangeRequest(resource, record, outbox))),
  )
}

/** All change requests of one request. */
export const changeRequestsOf$ = <C extends ChangeCollection>(db: Database, resource: C, requestId: string) =>
  changeRequests$(db, resource, { requestId }, (record) => record.requestId === requestId)

/** A change request with its request. */
export interface ShownChangeRequest<C extends ChangeCollection> {
  change: ChangeRequest<C>
  /** The request that it belongs to; null if it is not on the device. */
  request: RequestRecord | null
}

/** A change request by CRM id or local key; null if the device has none with content. */
export function changeRequest$<C extends ChangeCollection>(
  db: Database,
  resource: C,
  id: string,
  today: string,
): Observable<ShownChangeRequest<C> | null> {
  return changeRequests$(db, resource, idOrKeySelector(id), isOfIdOrKey(id)).pipe(
    switchMap((changes) => {
      const records = changes.map(({ record }) => record)
      const named$ = isKeyAmbiguous(records, id) ? isNamed$(db, resource, id) : of(false)
      return named$.pipe(
        map((isNamed) => {
          const meant = findByIdOrKey<RecordViews[ChangeCollection]>(records, id, isNamed)
          return changes.find(({ record }) => record === meant)
        }),
      )
    }),
    switchMap((change) => {
      if (!change?.content) return of(null)
      return daysOf$(db, change.record.requestId).pipe(
        map((days) => ({ change, request: dayOf(days, today) })),
      )
    }),
  )
}

const daysOf$ = (db: Database, id: string): Observable<RequestRecord[]> =>
  db.requests
    .find({ selector: { id }, sort: [{ workingDate: 'asc' }] })
    .$.pipe(map((docs) => docs.map((doc) => doc.toJSON() as RequestRecord)))

/**
 * Emits true if a request on the device names this id. Reads all requests, because there is no index; rarely
 * needed.
 */
const isNamed$ = (db: Database, resource: ChangeCollection, id: string): Observable<boolean> =>
  db.requests
    .find()
    .$.pipe(map((docs) => docs.some((doc) => namesIn(resource, doc.toJSON() as RequestRecord).includes(id))))

/** Ids of the change requests that a request names. */
function namesIn(resource: ChangeCollection, request: RequestRecord): (string | null)[] {
  const { entry, exit } = ContactType.code
  const subjects: ChangeSubject[] =
    resource === 'customerLocationChangeRequests' ? ['customerLocation'] : [entry, exit]
  return subjects.map((subject) => registrationOf(request, subject).id)
}

/** The next day of a request from today on, else its last (crm-contract 4). */
function dayOf(days: readonly RequestRecord[], today: string): RequestRecord | null {
  return days.find(({ workingDate }) => workingDate >= today) ?? days.at(-1) ?? null
}

/** What a request can have one change request for. */
type ChangeSubject = 'customerLocation' | ContactTypeCode

/** Status and id of the change request in the CRM's row of the request. */
function registrationOf(request: RequestRecord, subject: ChangeSubject) {
  const { code } = ContactType
  switch (subject) {
    case 'customerLocation':
      return {
        status: request.customerLocationChangeStatus,
        id: request.customerLocationChangeRequestId,
      }
    case code.entry:
      return {
        status: request.inLocationContactChangeStatus,
        id: request.inLocationContactChangeRequestId,
      }
    case code.exit:
      return {
        status: request.outLocationContactChangeStatus,
        id: request.outLocationContactChangeRequestId,
      }
  }
}

/**
 * True if there is something to change. A contact that the request does not have cannot be changed (ec00026).
 */
function hasSubject(request: RequestRecord, subject: ChangeSubject): boolean {
  const { entry, exit } = ContactType.code
  if (subject === entry) return request.inLocationContact !== null
  return subject !== exit || request.outLocationContact !== null
}

/**
 * The registration status, including what this device knows. A local change request counts as registered
 * until a later read of the request says otherwise.
 */
export function registration<C extends ChangeCollection>(
  request: RequestRecord,
  subject: ChangeSubject,
  change: ChangeRequest<C> | undefined,
): { status: string | null; id: string | null; unsent: SendState | undefined } {
  const said = registrationOf(request, subject)
  const unsent = change?.unsent ?? undefined
  const isNewer =
    change?.isAhead === true ||
    unsent !== undefined ||
    (change?.record.server?.stamp ?? '') > request.readStamp
  if (!change?.content || !isNewer) {
    const { unregistered, notAllowed } = RegistrationStatus.code
    const isOpen = said.status !== unregistered || hasSubject(request, subject)
    return { ...said, status: isOpen ? said.status : notAllowed, unsent }
  }
  return { status: RegistrationStatus.code.registered, id: change.id, unsent }
}
