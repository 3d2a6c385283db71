/**
 * Change requests (変更依頼) as screens show them: the CRM's content with the shown local changes applied
 * (`shownChanges`).
 */
import { map, of, switchMap, type Observable } from 'rxjs'
import type { SendState } from '#schemas/changes/change-queue.ts'
import { ContactType, RegistrationStatus } from '#schemas/codes.ts'
import type { RecordViews } from '#schemas/collections/collections.ts'
import type { ContactTypeCode } from '#schemas/resources/location-contact-change-request.ts'
import type { RequestRecord } from '#schemas/resources/request.ts'
import type { Database } from '#data/database/database.ts'
import { findByIdOrKey, idOrKeySelector, isKeyAmbiguous } from '#data/database/find-by-id.ts'
import { viewsWithOutbox$, type Outbox } from '#data/outbox/outbox.ts'
import { shownParts, type ShownFacts } from './records-of-request.ts'
import { useLiveQuery } from '#data/context/app-context.tsx'
import { type RecordAbsence, useFetchedRecord } from '#data/context/use-fetched-record.ts'
import { useItsRequest } from '#data/visits/use-visits.ts'
import { useDayOpened } from '#data/context/use-now.ts'

export type ChangeCollection = 'customerLocationChangeRequests' | 'locationContactChangeRequests'

type Change<C extends ChangeCollection> = RecordViews[C]['changes'][number]
type Fields<C extends ChangeCollection> = Change<C>['fields']

export interface ChangeRequest<C extends ChangeCollection> extends ShownFacts {
  record: RecordViews[C]
  /** The content; null if the CRM has none and no local change is shown. */
  content: Fields<C> | null
  /** The last local content that has not reached the CRM; a form opens with it (内容を開く). */
  unsentContent: Fields<C> | undefined
  /** True if the content has a local change that `record.server` does not contain yet, accepted or not. */
  isUnread: boolean
}

function toChangeRequest<C extends ChangeCollection>(
  resource: C,
  record: RecordViews[C],
  outbox: Outbox,
): ChangeRequest<C> {
  const { facts, server, shownContent, unsentContent } = shownParts(resource, record, outbox)
  return {
    ...facts,
    record,
    content: (shownContent ?? server ?? null) as Fields<C> | null,
    unsentContent: unsentContent as Fields<C> | undefined,
    isUnread: shownContent !== undefined,
  }
}

const changeRequests$ = <C extends ChangeCollection>(
  db: Database,
  resource: C,
  selector: object,
): Observable<ChangeRequest<C>[]> =>
  viewsWithOutbox$(db, resource, selector).pipe(
    map(([records, outbox]) => records.map((record) => toChangeRequest(resource, record, outbox))),
  )

interface ShownChangeRequest<C extends ChangeCollection> {
  change: ChangeRequest<C>
  /** The request of the change request; null if it is not on the device. */
  request: RequestRecord | null
}

/** A change request by CRM id or local key; null if the device has none with content. */
export function changeRequest$<C extends ChangeCollection>(
  db: Database,
  resource: C,
  id: string,
  today: string,
): Observable<ShownChangeRequest<C> | null> {
  return changeRequests$(db, resource, idOrKeySelector(id)).pipe(
    switchMap((changes) => {
      const records = changes.map(({ record }) => record)
      const isReferenced$ = isKeyAmbiguous(records, id) ? isReferencedByRequest$(db, resource, id) : of(false)
      return isReferenced$.pipe(
        map((isReferenced) => {
          const match = findByIdOrKey<RecordViews[ChangeCollection]>(records, id, isReferenced)
          return changes.find(({ record }) => record === match)
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
 * Emits true if a request on the device refers to a change request by this id, which proves that the id is a CRM id and
 * no local key. Reads all requests, because there is no index; rarely needed.
 */
const isReferencedByRequest$ = (db: Database, resource: ChangeCollection, id: string): Observable<boolean> =>
  db.requests
    .find()
    .$.pipe(
      map((docs) => docs.some((doc) => referencedIds(resource, doc.toJSON() as RequestRecord).includes(id))),
    )

/** CRM ids of the change requests that a request refers to. */
function referencedIds(resource: ChangeCollection, request: RequestRecord): (string | null)[] {
  const { entry, exit } = ContactType.code
  const subjects: ChangeSubject[] =
    resource === 'customerLocationChangeRequests' ? ['customerLocation'] : [entry, exit]
  return subjects.map((subject) => registrationOf(request, subject).id)
}

/** The next day of a request from today on, else its last day (crm-contract 4). */
function dayOf(days: readonly RequestRecord[], today: string): RequestRecord | null {
  return days.find(({ workingDate }) => workingDate >= today) ?? days.at(-1) ?? null
}

/** A part of a request that can be changed, with at most one change request. */
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
 * True if the request has the part that is to be changed. A missing contact cannot be changed (ec00026).
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
  const crmStatus = registrationOf(request, subject)
  const unsent = change?.unsent ?? undefined
  const isNewer =
    change?.isUnread === true ||
    unsent !== undefined ||
    (change?.record.server?.stamp ?? '') > request.readStamp
  if (!change?.content || !isNewer) {
    const { unregistered, notAllowed } = RegistrationStatus.code
    const canRegister = crmStatus.status !== unregistered || hasSubject(request, subject)
    return { ...crmStatus, status: canRegister ? crmStatus.status : notAllowed, unsent }
  }
  return { status: RegistrationStatus.code.registered, id: change.id, unsent }
}

/**
 * A change request by id, live. If the change request or the request that it belongs to is not on the device, it is fetched.
 * Both appear together, so that the board does not push the form down later. A screen that has appeared stays.
 */
export function useChangeRequest<C extends ChangeCollection>(
  resource: C,
  id: string,
): ShownChangeRequest<C> | RecordAbsence {
  const today = useDayOpened(id)
  const shown = useLiveQuery(`${resource} ${id} ${today}`, (db) => changeRequest$(db, resource, id, today))
  const fetched = useFetchedRecord(resource, id, shown)
  const record = shown ? { requestId: shown.change.record.requestId, workingDate: '' } : null
  const isWaiting = useItsRequest(record, shown?.request !== null)
  return isWaiting ? 'loading' : fetched
}

/** The change requests of a request by their keys; undefined until the device was read. */
export const useChangeRequestsOf = <C extends ChangeCollection>(resource: C, requestId: string) =>
  useLiveQuery(`${resource} of ${requestId}`, (db) =>
    changeRequests$(db, resource, { requestId }).pipe(
      map((changes) => new Map(changes.map((change) => [change.record.key, change]))),
    ),
  )
